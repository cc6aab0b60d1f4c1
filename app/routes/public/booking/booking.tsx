/** The booking page: its state, paying, and what comes after. Only its id keeps it private. */
import { useEffect, useRef } from "react";
import { Form, href, useLocation } from "react-router";
import { readBookingPage } from "#app/booking/booking-page.server.ts";
import { Toaster } from "#app/components/toasts.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { BoardingPass } from "#app/routes/public/parts/boarding-pass.tsx";
import { FormProblem } from "#app/routes/public/parts/form-problem.tsx";
import { businessView, PublicPage, privateMeta } from "#app/routes/public/parts/public-page.tsx";
import { clearEntries } from "#app/routes/public/parts/saved-entries.ts";
import {
  hasNoAnswer,
  type Kept,
  readOrKeep,
  useShown,
} from "#app/routes/public/parts/use-refresh.ts";
import type { Route } from "./+types/booking";
import { AfterSession } from "./after/after-parts.tsx";
import { afterView } from "./after/after-view.server.ts";
import { ChangeLinks, DocumentLink, JoinNow, NextSteps, Papers, ToKeep } from "./booking-parts.tsx";
import { bookingView } from "./booking-view.server.ts";
import { HelpCard } from "./help/help-card.tsx";
import { helpView } from "./help/help-view.server.ts";
import { DoneNotice, MoneyBack } from "./notices.tsx";
import { CheckingPanel, PaymentPanel } from "./payment-panel.tsx";
import { Preparation } from "./prepare/prepare-card.tsx";
import { preparationView } from "./prepare/prepare-view.server.ts";
import "./booking.css";

export const handle = { hydrate: true };

export async function loader({ params, context, request, url }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const page = found(readBookingPage(deps, params.id));
  const reason = url.searchParams.get("payment");
  const done = url.searchParams.get("done");
  return {
    ...bookingView(page, deps.env, { now: deps.now(), reason, done }),
    preparation: preparationView(deps, page.appointment),
    business: businessView(deps.env),
    help: helpView(deps, page.appointment, done),
    after: await afterView(deps, request, page.appointment),
  };
}

type BookingData = Awaited<ReturnType<typeof loader>>;

const kept: Kept<BookingData> = { shown: null };

const TRY_AGAIN_MS = 3_000;

/** If the server does not answer, this page stays as it is; from another page it tries again. */
export async function clientLoader({ params, request, serverLoader }: Route.ClientLoaderArgs) {
  for (;;) {
    try {
      return await readOrKeep(kept, serverLoader, ({ id }) => id === params.id);
    } catch (error) {
      if (!hasNoAnswer(error) || request.signal.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, TRY_AGAIN_MS));
    }
  }
}

export function meta({ loaderData, matches }: Route.MetaArgs) {
  return privateMeta(loaderData?.heading ?? "Your booking")({ matches });
}

export default function Booking({ loaderData: booking }: Route.ComponentProps) {
  const { id, state } = booking;
  const paid = state === "paid";
  const isAhead = paid && !booking.isOver && !booking.isNow;
  const todoFirst = !paid || booking.after.plan !== null;
  const heading = useRef<HTMLHeadingElement>(null);
  const justPaid = useLocation().state?.paid === true;
  useShown(kept, booking);
  useEffect(clearEntries, []);
  useEffect(() => {
    if (justPaid) heading.current?.focus();
  }, [justPaid]);
  return (
    <PublicPage business={booking.business}>
      <div className="booking mx-auto grid max-w-page gap-6 px-4 py-8 md:px-6 lg:py-14">
        <div className="grid gap-4">
          {/* Announces an arrived payment, unless the heading is focused and so read anyway. */}
          <div role={justPaid ? undefined : "status"}>
            <h1 ref={heading} tabIndex={-1} className="display text-2xl outline-none md:text-3xl">
              {booking.heading}
            </h1>
          </div>
          {booking.isNow && <JoinNow {...booking} />}
          {isAhead && booking.isFresh && !booking.done && (
            <p>
              {`A confirmation email to ${booking.email}${booking.whatsapp ? " and a WhatsApp message" : ""} will follow.`}
            </p>
          )}
          {booking.done && <DoneNotice {...booking.done} />}
          <FormProblem notice={booking.notice} autoFocus={false} />
          {booking.help && <HelpCard help={booking.help} business={booking.business} />}
        </div>
        {/* On a phone the panels come before the pass, except for a paid booking without a plan. */}
        {todoFirst && <ToDo booking={booking} />}
        <div className="booking-pass grid gap-5">
          <BoardingPass {...booking.pass} headingLevel={2} />
          <p className="no-print text-sm text-muted">
            Anyone with the address of this page can see your booking
            {booking.change?.isOpen && ", and with your email address can move or cancel it"}. Save
            it to come back later, and please do not share it.
          </p>
          {isAhead && <NextSteps {...booking} />}
        </div>
        {!todoFirst && <ToDo booking={booking} />}
      </div>
      {/* Makes the router load this address's manifest now, while there is a network. */}
      <Form hidden action={href("/booking/:id", { id })} />
      <Toaster />
    </PublicPage>
  );
}

/** The panels beside the pass. */
function ToDo({ booking }: { booking: BookingData }) {
  const { state } = booking;
  return (
    <div className="booking-ways grid gap-5">
      <AfterSession after={booking.after} />
      {(state === "payable" || state === "renewable") && <PaymentPanel booking={booking} />}
      {state === "checking" && <CheckingPanel booking={booking} />}
      {state === "over" && <Over booking={booking} />}
      {booking.status === "cancelled" && <Cancelled booking={booking} />}
      {booking.money && booking.status !== "cancelled" && <Refunded booking={booking} />}
      {state === "paid" && <Preparation preparation={booking.preparation} />}
      {state === "paid" && <ToKeep booking={booking} next={booking.after.next} />}
      <Papers papers={booking.papers} />
      <ChangeLinks booking={booking} />
    </div>
  );
}

/** For a booking that is not cancelled although money was refunded. */
function Refunded({ booking }: { booking: BookingData }) {
  return (
    <section aria-labelledby="refunded-title" className="card grid gap-3 p-5 shadow-low md:p-6">
      <h2 id="refunded-title" className="display text-lg">
        Your money
      </h2>
      {booking.money && <MoneyBack {...booking.money} />}
      <div className="no-print flex flex-wrap gap-3">
        <CreditNotes booking={booking} />
      </div>
    </section>
  );
}

function CreditNotes({ booking: { id, creditNotes } }: { booking: BookingData }) {
  return creditNotes.map(({ number, refundId }) => (
    <DocumentLink key={number} to={`${href("/api/credit-note/:id", { id })}?refund=${refundId}`}>
      Download credit note{creditNotes.length > 1 && ` ${number}`}
    </DocumentLink>
  ));
}

function Over({ booking: { id, session } }: { booking: BookingData }) {
  const { counselor, date, minutes } = session;
  return (
    <div className="card p-5 shadow-low">
      <p>
        The time to pay has ended, and the session may no longer be free. If money has left your
        account, we confirm the session or send the money back in full, and write to you.
      </p>
      {/* The form comes back with the customer's entries only in the browser that booked. */}
      <form method="post" action={`${href("/")}?index#booking-time`} className="mt-4">
        <input type="hidden" name="booking" value={id} />
        <input type="hidden" name="counselor" value={counselor} />
        <input type="hidden" name="package" value={minutes} />
        <input type="hidden" name="date" value={date} />
        <button type="submit" name="intent" value="again" className="button button-primary">
          Choose a new time
        </button>
      </form>
    </div>
  );
}

function Cancelled({ booking }: { booking: BookingData }) {
  const { cancelReason, cancelNote, money, id } = booking;
  return (
    <div className="card grid gap-3 p-5 shadow-low">
      {cancelReason && <p>{cancelReason}</p>}
      {cancelNote && <p>{cancelNote}</p>}
      {money && <MoneyBack {...money} />}
      <div className="flex flex-wrap gap-3">
        <a className="button button-primary" href={`${href("/")}#book`}>
          Book a new time
        </a>
        <CreditNotes booking={booking} />
        {booking.invoice && (
          <DocumentLink to={href("/api/invoice/:id", { id })}>Download Invoice</DocumentLink>
        )}
      </div>
    </div>
  );
}
