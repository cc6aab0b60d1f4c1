/** On the booking's page: the rule for changes, and the way to them while it allows any. */
import { href } from "react-router";
import { Icon } from "#app/components/icons.tsx";

interface ChangeLinksProps {
  id: string;
  paid: boolean;
  /** Until when it may be moved or cancelled, worded; null once that is over. */
  until: string | null;
  cutoffHours: number;
  /** What cancelling gives back. */
  offer: string;
}

export function ChangeLinks({ id, paid, until, cutoffHours, offer }: ChangeLinksProps) {
  const reschedule = href("/booking/:id/reschedule", { id });
  const cancel = href("/booking/:id/cancel", { id });
  if (!paid) {
    // This page is about paying, so changing is only a line of text.
    return (
      <p className="no-print text-muted">
        Not the right time? Until {until} you can{" "}
        <a className="link" href={reschedule}>
          move the booking
        </a>{" "}
        or{" "}
        <a className="link" href={cancel}>
          cancel it
        </a>
        .
      </p>
    );
  }
  return (
    <section aria-labelledby="change-title" className="no-print card p-5 shadow-low md:p-6">
      <h2 id="change-title" className="display text-lg">
        If your plans change
      </h2>
      <p className="mt-2 text-muted">
        {until === null
          ? `You could move or cancel online until ${cutoffHours} hours before the start. If you cannot make it, please contact us at once.`
          : `You can move the session, or ${offer}, until ${until}. You will need the email address you booked with.`}
      </p>
      {until !== null && (
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
