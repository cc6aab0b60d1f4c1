/** Sections of the panel: its top, messages, history, staff note, the customer's page. */
import type { ComponentProps, ReactNode } from "react";
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { telLink } from "#app/model/tel-link.ts";
import { CopyField, Expandable } from "#app/routes/admin/parts/facts.tsx";
import { SubmitButton } from "#app/routes/admin/parts/form-page.tsx";
import { DialogLink } from "#app/routes/admin/parts/overlay.tsx";
import { ButtonForm, useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { AttendanceButtons, StatusBadge } from "#app/routes/admin/parts/session-parts.tsx";
import { STAFF_NOTE } from "#app/routes/admin/parts/words.ts";
import type { AppointmentDetails } from "./appointment-view.server.ts";

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-5 border-t border-line pt-4">
      <h2 className="display mb-2 text-base">{title}</h2>
      {children}
    </section>
  );
}

export const HOLD_AGAIN = "Hold again and send the link";

interface OfDetails {
  details: AppointmentDetails;
}

/** When, with whom, the status, and the next action. */
export function Lead({ details }: OfDetails) {
  const { session, cancelReason, cancelNote } = details;
  return (
    <div className="grid gap-1">
      <p className="figures display text-lg">
        {session.date}, {session.time}
      </p>
      <p className="break-words">
        {session.counselor}, {session.minutes} minutes
      </p>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <StatusBadge status={session.status} />
        {session.note && <span className="text-muted">{session.note}</span>}
        {cancelReason && <span className="text-muted">{cancelReason}</span>}
      </p>
      {cancelNote && <p className="break-words">{cancelNote}</p>}
      <AttendanceButtons of={session.attendance} className="mt-2" />
      <NextAction details={details} />
    </div>
  );
}

/** Hold again if that can be paid; else settle a refund that is owed; else call before an upcoming session. */
function NextAction({ details: { session, money, payments, phone } }: OfDetails) {
  const maySettle = useMay("refunds");
  const owed = payments.flatMap(({ refunds }) => refunds).find(({ settleTo }) => settleTo);
  const primary = "button button-primary mt-2 justify-self-start";
  if (money.mayHoldAgain) {
    return (
      <DialogLink to={href("/admin/appointments/:id/hold", { id: session.id })} className={primary}>
        {HOLD_AGAIN}
      </DialogLink>
    );
  }
  if (maySettle && owed?.settleTo) {
    return (
      <DialogLink to={owed.settleTo} className={primary}>
        Mark as paid back
      </DialogLink>
    );
  }
  if (!session.upcoming || phone === "") return null;
  return (
    <a href={telLink(phone)} className="button button-quiet mt-2 justify-self-start">
      <Icon name="call" />
      Call {phone}
    </a>
  );
}

interface SendAgainProps extends Pick<ComponentProps<typeof ButtonForm>, "sends"> {
  name?: string;
  children: ReactNode;
}

/** Sends a message or a refund again. */
export function SendAgain({ sends, name, children }: SendAgainProps) {
  return (
    <ButtonForm sends={sends} preventScrollReset className="mt-1">
      <SubmitButton aria-label={name} look="quiet" className="button-small">
        {children}
      </SubmitButton>
    </ButtonForm>
  );
}

export function MessagesPart({
  messages,
  heldBack,
}: Pick<AppointmentDetails, "messages" | "heldBack">) {
  return (
    <Part title="Messages">
      {messages.length === 0 && (
        <p className="text-muted">No messages yet: confirmations and reminders are here.</p>
      )}
      {heldBack > 0 && (
        <p className="mb-2">
          <strong>
            {heldBack} of {messages.length} held back.
          </strong>{" "}
          The reason stands with each.
        </p>
      )}
      <ul className="grid gap-2">
        {messages.map((message) => (
          <li
            key={message.id}
            className="flex flex-wrap items-start gap-x-3 rounded-sm bg-sunken px-3 py-2"
          >
            <div className="min-w-56 flex-1">
              <p>
                {message.label}: {message.channel},{" "}
                <strong className={message.failed ? "text-stop" : ""}>{message.words}</strong>
              </p>
              <p className="break-words text-sm text-muted">
                {message.recipient}, {message.when}
                {message.attempts > 1 && `, ${message.attempts} tries`}
              </p>
              {message.reason && (
                <Expandable
                  {...message.reason}
                  className={`text-sm ${message.failed ? "text-stop" : "text-muted"}`}
                />
              )}
            </div>
            {message.canResend && (
              <SendAgain
                // With how often it was resent before, so that submitting the form twice sends once.
                sends={{ resend: message.id, sends: message.sends }}
                name={`Send again: ${message.label}, ${message.channel}`}
              >
                Send again
              </SendAgain>
            )}
          </li>
        ))}
      </ul>
    </Part>
  );
}

export function HistoryPart({ history }: Pick<AppointmentDetails, "history">) {
  return (
    <Part title="History">
      {history.length === 0 && (
        <p className="text-muted">No changes by hand. Each is here, with who made it.</p>
      )}
      <ol className="grid gap-2">
        {history.map((entry) => (
          <li key={entry.key}>
            <Expandable words={entry.words} raw={entry.raw} />
            <p className="text-sm text-muted">
              {entry.actor}, {entry.when}
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}

export function BookingPage({ url, erased }: { url: string; erased: boolean }) {
  return (
    <div className="mt-3 grid gap-2">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="button button-small button-quiet justify-self-start"
      >
        Open the booking as the customer sees it
      </a>
      <div>
        <CopyField label="Address of the customer's page" text={url} />
      </div>
      <p className="text-sm text-muted">
        {erased
          ? "Whoever has it can see the booking."
          : "Whoever has it can see the booking, and with the customer’s email address change it: give it to the customer alone."}
      </p>
    </div>
  );
}

export function StaffNotePart({ note, editAt }: { note: string | null; editAt: string }) {
  return (
    <Part title={STAFF_NOTE}>
      {note && <p className="mb-1 whitespace-pre-wrap break-words">{note}</p>}
      <DialogLink to={editAt} className="link inline-flex min-h-8 items-center">
        {note ? "Change the staff note" : "Write a staff note"}
      </DialogLink>
    </Part>
  );
}
