import type { SessionView } from "./row-views.server.ts";
import { StatusBadge } from "./status-badge.tsx";

export function SessionFacts({ session }: { session: SessionView }) {
  return (
    <Facts
      facts={[
        ["Customer", session.name],
        ["Date", session.date],
        ["Time", `${session.time}, ${session.minutes} minutes`],
        ["Counselor", session.counselor],
        [
          "Status",
          <span key="status" className="flex flex-wrap items-center gap-x-2">
            <StatusBadge status={session.status} />
            {session.note && <span className="text-muted">{session.note}</span>}
          </span>,
        ],
      ]}
    />
  );
}

export function Facts({
  facts,
}: {
  facts: readonly (readonly [label: string, value: React.ReactNode])[];
}) {
  return (
    <dl className="figures grid grid-cols-1 min-[22rem]:grid-cols-[6rem_minmax(0,1fr)] sm:grid-cols-[8rem_minmax(0,1fr)] gap-x-4 gap-y-1.5">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-muted">{label}</dt>
          <dd className="break-words font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
