/** The sections of the home page around its form. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { CaptainCard } from "#app/components/captain-card.tsx";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { untilWords } from "#app/model/appointment.ts";
import { chooseInForm } from "./form/eager-parts.tsx";
import type { HomeView, Offer } from "./home-view.server.ts";

interface SectionProps {
  id: string;
  title: string;
  className: string;
  children: ReactNode;
}

/** A section that a link within the page leads to. */
function Section({ id, title, className, children }: SectionProps) {
  const titleId = `${id}-title`;
  return (
    <section
      id={id}
      aria-labelledby={titleId}
      className={`mx-auto max-w-page px-4 ${className} md:px-6`}
    >
      <h2 id={titleId} className="display text-2xl">
        {title}
      </h2>
      {children}
    </section>
  );
}

const STEPS = [
  {
    title: "Choose",
    text: "Pick a captain, a length and a time. All prices are shown with GST.",
  },
  {
    title: "Pay",
    text: "Pay online through Razorpay. We hold your time while you pay, and send the GST invoice at once.",
  },
  {
    title: "Talk",
    text: "Meet the captain one-on-one, by video or phone. Parents are welcome.",
  },
] as const;

export function Steps() {
  return (
    <Section id="how" title="How it works" className="pt-14">
      <ol className="mt-6 grid gap-6 md:grid-cols-3">
        {STEPS.map((step, index) => (
          <li key={step.title} className="relative flex gap-4 md:block">
            <span className="flex flex-col items-center md:flex-row" aria-hidden="true">
              <span className="display flex size-11 shrink-0 items-center justify-center rounded-full border-2 border-action text-lg text-action">
                {index + 1}
              </span>
              {index < STEPS.length - 1 && (
                <span className="mt-2 h-full border-l-2 border-dashed border-edge md:ml-3 md:mt-0 md:h-0 md:flex-1 md:border-l-0 md:border-t-2" />
              )}
            </span>
            <div className="min-w-0 md:mt-4">
              <h3 className="font-semibold md:text-lg">{step.title}</h3>
              <p className="mt-1 max-w-text text-muted">{step.text}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}

export function Captains({ counselors }: Pick<Offer, "counselors">) {
  return (
    <Section id="captains" title="Your captains" className="pt-4 md:pt-14">
      <div className="captains mt-2 grid gap-2 md:mt-6 md:gap-6 lg:grid-cols-2">
        {counselors.map((counselor) => (
          <CaptainCard
            key={counselor.key}
            counselor={counselor}
            to={href("/captains/:key", { key: counselor.key })}
          >
            {/* Without scripts it submits the booking form, which comes back with the captain. */}
            <button
              type="submit"
              form="booking"
              name="captain"
              value={counselor.key}
              formNoValidate
              onClick={(event) => {
                event.preventDefault();
                chooseInForm(counselor.key);
              }}
              className="button button-quiet wrap-anywhere"
            >
              Book with {counselor.name}
            </button>
          </CaptainCard>
        ))}
      </div>
    </Section>
  );
}

export function WhatHappensNext({ home }: { home: HomeView }) {
  return (
    <section aria-labelledby="after-title" className="mx-auto max-w-page px-4 pt-16 md:px-6">
      <div className="grid gap-10 lg:grid-cols-[1.4fr_1fr]">
        <div>
          <h2 id="after-title" className="display text-2xl">
            What happens after you pay
          </h2>
          <ol className="mt-6 grid gap-5">
            <Stage icon="mail" title="At once">
              We email your confirmation, the GST invoice, a calendar entry and how to join
              {home.whatsapp && ", and confirm on WhatsApp"}.
            </Stage>
            <Stage icon="calendar" title={`Until ${untilWords(home.cutoffHours)}`}>
              You can move the session, or cancel it with a full refund.
            </Stage>
            <Stage icon="clock" title="Before the session">
              We send you a reminder {home.reminderRule}.
            </Stage>
            <Stage icon="bubble" title="The session">
              It begins with your questions. Have your marks, any medical papers and a rough budget
              at hand. You need not send us anything.
            </Stage>
          </ol>
        </div>
        <div className="self-start rounded-lg border-2 border-dashed border-edge p-5 md:p-6">
          <h2 className="display text-lg">What we cannot promise</h2>
          <p className="mt-2 text-muted">
            A medical result, an exam pass or a job. Only a DGCA examiner decides on your medical,
            and only an airline decides whom it hires. Rules change, so please check them at{" "}
            <a className="link" href="https://www.dgca.gov.in/" rel="noreferrer">
              dgca.gov.in
            </a>
            .
          </p>
        </div>
      </div>
    </section>
  );
}

function Stage({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-4">
      <span className="flex size-11 shrink-0 items-center justify-center rounded-full bg-action-soft text-action">
        <Icon name={icon} />
      </span>
      <div className="min-w-0">
        <h3 className="font-semibold">{title}</h3>
        <p className="max-w-text text-muted">{children}</p>
      </div>
    </li>
  );
}

export function Questions({ questions }: Pick<HomeView, "questions">) {
  if (questions.length === 0) return null;
  return (
    <Section id="questions" title="Common questions" className="pt-16">
      <div className="mt-4 max-w-text divide-y divide-line border-y border-line">
        {questions.map(({ question, answer }) => (
          <details key={question} className="group">
            <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 py-3 font-semibold">
              <span className="flex-1">{question}</span>
              <Icon
                name="chevronDown"
                className="size-5 text-action transition-transform group-open:rotate-180"
              />
            </summary>
            <p className="pb-4 pr-8 text-muted">{answer}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}

export function MoreLinks({ links }: Pick<Offer, "links">) {
  if (links.length === 0) return null;
  return (
    <section aria-labelledby="more-title" className="mx-auto max-w-page px-4 pt-16 md:px-6">
      <h2 id="more-title" className="display text-2xl">
        Not ready for a call?
      </h2>
      <ul className="mt-6 grid gap-4 md:grid-cols-3">
        {links.map(({ label, url }, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two links may be alike
          <li key={i} className="min-w-0">
            <a
              href={url}
              className="card group flex h-full items-start gap-4 p-5 shadow-low hover:border-action"
            >
              <span className="min-w-0 flex-1 wrap-anywhere">
                <span className="block font-semibold group-hover:underline">{label}</span>
                <span className="block text-muted">{new URL(url).host}</span>
              </span>
              <Icon name="external" className="size-4 text-muted" />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
