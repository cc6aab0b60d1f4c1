/** After payment: how the session takes place, and what to take along. */
import type { ReactNode } from "react";
import { href } from "react-router";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { DocumentLink } from "#app/routes/public/parts/document-link.tsx";

interface NextStepsProps {
  meeting: { kind: "link"; url: string } | { kind: "call"; phone: string } | null;
}

export function NextSteps({ meeting }: NextStepsProps) {
  return (
    <section aria-labelledby="next-title" className="card p-5 shadow-low md:p-6">
      <h2 id="next-title" className="display text-lg">
        What comes next
      </h2>
      <ul className="mt-4 grid gap-4">
        {meeting?.kind === "link" && (
          <Line icon="screen" title="Join by video">
            At the start time, open{" "}
            <a className="link break-all" href={meeting.url} rel="noreferrer">
              {meeting.url}
            </a>
            .
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
        <Line icon="clock" title="We remind you">
          A day and an hour before the start.
        </Line>
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

interface TakeAlongProps {
  id: string;
  invoice: boolean;
  isOver: boolean;
  calendars: { google: string; outlook: string };
}

/** The invoice, and while the session is to come, the ways into the customer's own calendar. */
export function TakeAlong({ id, invoice, isOver, calendars }: TakeAlongProps) {
  return (
    <section aria-label="To keep" className="no-print card grid gap-3 p-5 shadow-low md:p-6">
      {invoice && (
        <DocumentLink to={href("/api/invoice/:id", { id })} look="button-primary">
          <Icon name="download" />
          Download Invoice
        </DocumentLink>
      )}
      {isOver ? (
        <a className="button button-quiet" href={`${href("/")}#book`}>
          Book another session
        </a>
      ) : (
        <>
          <h2 className="display mt-2 flex gap-2 text-lg">
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
    </section>
  );
}

/** Google and Microsoft are not told where their visitor comes from. */
function CalendarLink({ to, name }: { to: string; name: string }) {
  return (
    <a className="button button-quiet" href={to} target="_blank" rel="noopener noreferrer">
      {name}
      <span className="sr-only"> Calendar (opens in a new tab)</span>
    </a>
  );
}
