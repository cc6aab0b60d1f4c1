/** The panels of the booking page; those about paying are in `payment-panel.tsx`. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { LINK_AWAITED } from "#app/model/room.ts";
import { ChangeTerms } from "#app/routes/public/parts/own-time.tsx";
import { BookNext } from "./after/after-parts.tsx";
import type { AfterView } from "./after/after-view.server.ts";
import type { BookingView } from "./booking-view.server.ts";

/** From shortly before the session: how to join it. */
export function JoinNow({ meeting, session }: Pick<BookingView, "meeting" | "session">) {
  return (
    <section aria-label="Join" className="no-print card grid p-5 shadow-low sm:justify-start">
      {meeting?.kind === "link" && <JoinLink url={meeting.url} />}
      {meeting?.kind === "awaited" && (
        <p className="font-semibold">
          {LINK_AWAITED}. Please load this page again in a few minutes.
        </p>
      )}
      {meeting?.kind === "call" && (
        <p className="font-semibold">
          {session.counselor} calls you on <span className="figures">{meeting.phone}</span>. Please
          keep your phone at hand.
        </p>
      )}
    </section>
  );
}

function JoinLink({ url }: { url: string }) {
  return (
    <a className="button button-primary" href={url} rel="noreferrer">
      <Icon name="screen" />
      Join the session
    </a>
  );
}

/** Once paid: how the session takes place, and what to have ready. */
export function NextSteps({ meeting, reminders }: Pick<BookingView, "meeting" | "reminders">) {
  return (
    <section aria-labelledby="next-title" className="card p-5 shadow-low md:p-6">
      <h2 id="next-title" className="display text-lg">
        What comes next
      </h2>
      <ul className="mt-4 grid gap-4">
        {meeting?.kind === "link" && (
          <Line icon="screen" title="Join by video">
            At the start time, open{" "}
            <a className="link wrap-anywhere" href={meeting.url} rel="noreferrer">
              {meeting.url}
            </a>
            .
          </Line>
        )}
        {meeting?.kind === "awaited" && (
          <Line icon="screen" title="Join by video">
            {LINK_AWAITED}. We also send it to you by email, with an update of your calendar.
          </Line>
        )}
        {meeting?.kind === "call" && (
          <Line icon="call" title="The captain calls you">
            At the start time, on <span className="figures">{meeting.phone}</span>. Please keep your
            phone at hand.
          </Line>
        )}
        <Line icon="bubble" title="Have ready">
          Your marks, a rough budget and your most important questions.
        </Line>
        {reminders && (
          <Line icon="clock" title="We remind you">
            {reminders}
          </Line>
        )}
      </ul>
    </section>
  );
}

function Line({ icon, title, children }: { icon: IconName; title: string; children: ReactNode }) {
  return (
    <li className="flex gap-3">
      <Icon name={icon} className="mt-0.5 size-5 text-action" />
      <div className="min-w-0">
        <p className="font-semibold">{title}</p>
        <p className="text-muted">{children}</p>
      </div>
    </li>
  );
}

/** The links to the session and into the customer's calendar, or to the next booking; the invoice. */
export function ToKeep({ booking, next }: { booking: BookingView; next: AfterView["next"] }) {
  const { id, calendars, meeting, isNow } = booking;
  return (
    <section aria-label="To keep" className="no-print card grid gap-3 p-5 shadow-low md:p-6">
      {next ? (
        <BookNext next={next} />
      ) : (
        <>
          {meeting?.kind === "link" && !isNow && <JoinLink url={meeting.url} />}
          <h2 className="display mt-2 flex gap-2 text-lg first:mt-0">
            <Icon name="calendar" className="mt-1 size-5 text-action" />
            Add to calendar
          </h2>
          <div className="calendars grid gap-2">
            <CalendarLink to={calendars.google} name="Google" />
            <CalendarLink to={calendars.outlook} name="Outlook" />
            <a className="button button-quiet" href={href("/booking/:id/calendar.ics", { id })}>
              File<span className="sr-only"> for any calendar</span>
            </a>
          </div>
        </>
      )}
      {booking.invoice && (
        <DocumentLink to={href("/api/invoice/:id", { id })}>
          <Icon name="download" />
          Download Invoice
        </DocumentLink>
      )}
    </section>
  );
}

/** `noreferrer`: Google and Microsoft do not learn the booking's address. */
function CalendarLink({ to, name }: { to: string; name: string }) {
  return (
    <a className="button button-quiet" href={to} target="_blank" rel="noopener noreferrer">
      {name}
      <span className="sr-only"> Calendar (opens in a new tab)</span>
    </a>
  );
}

/** The text of invoice and credit notes, for people who do not open the PDFs. */
export function Papers({ papers }: Pick<BookingView, "papers">) {
  if (papers.length === 0) return null;
  return (
    <section aria-label="Papers" className="no-print card grid gap-1 px-5 py-3 shadow-low md:px-6">
      {papers.map(({ title, said }) => (
        <details key={title}>
          <summary className="link figures min-h-11 w-fit cursor-pointer py-2.5">{title}</summary>
          <dl className="figures grid grid-cols-[minmax(0,1fr)] gap-1 pb-3">
            {said.map(([label, text]) => (
              <div key={label} className="flex flex-wrap justify-between gap-x-4">
                <dt className="text-muted">{label}</dt>
                <dd className="min-w-0 break-words">{text}</dd>
              </div>
            ))}
          </dl>
        </details>
      ))}
    </section>
  );
}

/** The rule for changes, and the links to them while they are allowed. */
export function ChangeLinks({ booking: { id, state, change } }: { booking: BookingView }) {
  if (!change || state === "checking") return null;
  const { isOpen, mayMove, terms } = change;
  const reschedule = href("/booking/:id/reschedule", { id });
  const cancel = href("/booking/:id/cancel", { id });
  if (state !== "paid") {
    // An unpaid booking's page is about paying, so changes are only a line of text.
    return (
      <div className="no-print text-muted">
        {/* Promises nothing about a time that may be taken. */}
        {state !== "over" && (
          <p>
            <ChangeTerms {...terms} />
          </p>
        )}
        {isOpen && (
          <p>
            {"Not the right time? You can "}
            {mayMove && (
              <>
                <a className="link" href={reschedule}>
                  move the booking
                </a>
                {" or "}
              </>
            )}
            <a className="link" href={cancel}>
              {mayMove ? "cancel it" : "cancel the booking"}
            </a>
            .
          </p>
        )}
      </div>
    );
  }
  return (
    <section aria-labelledby="change-title" className="no-print card p-5 shadow-low md:p-6">
      <h2 id="change-title" className="display text-lg">
        If your plans change
      </h2>
      <p className="mt-2 text-muted">
        <ChangeTerms {...terms} />
      </p>
      <p className="text-muted">
        {isOpen
          ? "You will need the email address you booked with."
          : "If you cannot make it, please contact us at once."}
      </p>
      {isOpen && (
        <div className="mt-4 flex flex-wrap gap-3">
          <a className="button button-quiet" href={reschedule}>
            <Icon name="calendar" />
            Move the session
          </a>
          <a className="button button-quiet" href={cancel}>
            <Icon name="close" />
            Cancel the session
          </a>
        </div>
      )}
    </section>
  );
}

export function DocumentLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a className="button button-quiet" href={to} target="_blank" rel="noopener">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  );
}
