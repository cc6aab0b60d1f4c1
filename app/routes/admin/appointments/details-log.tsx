/** The messages about an appointment, and what was done to it by hand. */
import { Told } from "#app/routes/admin/parts/told.tsx";
import type { AppointmentDetails } from "./appointment-view.server.ts";
import { Part, SendAgain } from "./details-part.tsx";

export function MessagesPart({
  messages,
  heldBack,
}: Pick<AppointmentDetails, "messages" | "heldBack">) {
  return (
    <Part title="Messages">
      {messages.length === 0 && <p className="text-muted">No messages yet.</p>}
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
                <Told
                  {...message.reason}
                  className={`text-sm ${message.failed ? "text-stop" : "text-muted"}`}
                />
              )}
            </div>
            {message.canResend && (
              <SendAgain
                intent="resend"
                of={message.id}
                sends={message.sends}
                name={`Send again: ${message.label}`}
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
      {history.length === 0 && <p className="text-muted">No changes by hand.</p>}
      <ol className="grid gap-2">
        {history.map((entry) => (
          <li key={`${entry.when} ${entry.words} ${entry.raw}`}>
            <Told words={entry.words} raw={entry.raw} />
            <p className="text-sm text-muted">
              {entry.actor}, {entry.when}
            </p>
          </li>
        ))}
      </ol>
    </Part>
  );
}
