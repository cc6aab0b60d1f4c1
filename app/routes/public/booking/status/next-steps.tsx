/** After payment: how the session takes place, the documents, and what comes next. */
import type { ReactNode } from "react";
import { Icon, type IconName } from "#app/components/icons.tsx";
import { InvoiceAndCalendar } from "#app/routes/public/parts/document-link.tsx";

interface NextStepsProps {
  id: string;
  invoice: boolean;
  meeting: { kind: "link"; url: string } | { kind: "call"; phone: string } | null;
}

export function NextSteps({ id, invoice, meeting }: NextStepsProps) {
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
            At the start time, on <span className="figures">{meeting.phone}</span>. Please keep the
            phone at hand.
          </Line>
        )}
        <Line icon="bubble" title="Have ready">
          Your marks, a rough budget, and your questions in the order that matters to you.
        </Line>
        <Line icon="clock" title="We remind you">
          A day and an hour before the start.
        </Line>
      </ul>
      <div className="no-print mt-6 flex flex-wrap gap-3">
        <InvoiceAndCalendar id={id} invoice={invoice} />
      </div>
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
