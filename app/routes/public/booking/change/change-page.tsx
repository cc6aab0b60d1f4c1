/** The frame of the pages that change a booking. */
import type { FieldMetadata } from "@conform-to/react";
import { type ReactNode, useEffect } from "react";
import { href } from "react-router";
import { EmailField } from "#app/components/field.tsx";
import { MoneyBack } from "#app/routes/public/booking/notices.tsx";
import {
  FormProblem,
  focusFormProblem,
  problemLines,
} from "#app/routes/public/parts/form-problem.tsx";
import { PublicPage, WriteOrCall } from "#app/routes/public/parts/public-page.tsx";
import type { ChangeView, Refusal } from "./change-view.server.ts";

interface ChangePageProps {
  title: string;
  view: ChangeView;
  refusal: Refusal | undefined;
  /** Field → id of the element that its error line links to. */
  targets: Readonly<Record<string, string>>;
  children: ReactNode;
}

export function ChangePage({ title, view, refusal, targets, children }: ChangePageProps) {
  const { closed } = view;
  // Takes the focus back from the field that Conform has focused, after each refusal.
  useEffect(() => {
    if (refusal) focusFormProblem();
  }, [refusal]);
  return (
    <PublicPage business={view.business}>
      <div className="mx-auto grid max-w-page gap-x-12 gap-y-6 px-4 py-8 md:px-6 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)] lg:items-start lg:py-14">
        <div className="lg:col-start-2">
          <FormProblem
            notice={refusal?.notice}
            lines={problemLines(refusal?.reply.error, targets)}
          />
          <h1 className="display text-2xl md:text-3xl">{title}</h1>
        </div>
        <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <BookingFactsCard {...view} />
        </div>
        <div className="min-w-0 lg:col-start-2">
          {closed ? <Closed view={view} closed={closed} /> : children}
        </div>
      </div>
    </PublicPage>
  );
}

function BookingFactsCard({ facts, closed }: ChangeView) {
  return (
    <section aria-label="Your booking" className="card overflow-hidden shadow-low">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 bg-night px-5 py-3 text-night-ink">
        <p className="display text-lg">Your booking</p>
        <p className="font-mono">{facts.shortId}</p>
      </div>
      <dl className="grid grid-cols-[repeat(auto-fit,minmax(7rem,1fr))] gap-x-4 gap-y-3 px-5 py-4 lg:grid-cols-1">
        <Fact label={closed ? "Session" : "Now on"} value={facts.session} wide />
        <Fact label="Captain" value={facts.captain} />
        <Fact label="Duration" value={facts.duration} />
        <Fact label="Name" value={facts.traveller} wide />
      </dl>
    </section>
  );
}

function Fact({ label, value, wide }: { label: string; value: string; wide?: boolean }) {
  return (
    <div className={wide ? "col-span-full min-w-0" : "min-w-0"}>
      <dt className="legend">{label}</dt>
      <dd className="figures break-words font-semibold leading-snug">{value}</dd>
    </div>
  );
}

type ClosedView = NonNullable<ChangeView["closed"]>;

/** Why the booking cannot be changed online, and what to do instead. */
function Closed({ view, closed }: { view: ChangeView; closed: ClosedView }) {
  const { id, paid, facts, business } = view;
  const cancelled = closed.state === "cancelled";
  return (
    <section aria-label="What you can do" className="card p-5 shadow-low md:p-6">
      <p className="display text-lg">{TITLES[closed.state]}</p>
      <div className="mt-2 grid gap-3">
        {closed.state === "too_late" && (
          <p>
            {closed.terms}
            {!paid && " You need not cancel an unpaid booking. It ends by itself."}
          </p>
        )}
        {closed.money && <MoneyBack {...closed.money} />}
        {!cancelled && (
          <p>
            If you cannot make it, or something went wrong, please{" "}
            <WriteOrCall business={business} /> and give your booking number{" "}
            <span className="font-mono">{facts.shortId}</span>.
          </p>
        )}
      </div>
      <div className="mt-5 flex flex-wrap gap-3">
        <a className="button button-primary" href={href("/booking/:id", { id })}>
          See your booking
        </a>
        {cancelled && (
          <a className="button button-quiet" href={`${href("/")}#book`}>
            Book a new time
          </a>
        )}
      </div>
    </section>
  );
}

const TITLES: Readonly<Record<ClosedView["state"], string>> = {
  cancelled: "This booking is already cancelled",
  too_late: "It is too late to change this online",
  begun: "This session has already started",
};

interface OwnerEmailProps {
  field: FieldMetadata<string | undefined>;
  /** The masked address. */
  hint: string;
  /** Completes "so that nobody else can". */
  keeps?: string;
}

/** Asks for the booking's email address: with the page's address alone people can look, not change. */
export function OwnerEmail({ field, hint, keeps = "change your booking" }: OwnerEmailProps) {
  return (
    <EmailField
      field={field}
      label="Email of this booking"
      hint={
        <>
          The one you booked with, <span className="whitespace-nowrap">{hint}</span>. We ask so that
          nobody else can {keeps}.
        </>
      }
      required
      autoFocus={false}
    />
  );
}
