/** What a captain's own pages show of a session. */
import { href, Link } from "react-router";
import { AttendancePresses } from "./attendance-presses.tsx";
import type { OwnSession } from "./own-session-view.server.ts";
import { StatusBadge } from "./status-badge.tsx";

interface OwnSessionsProps {
  sessions: readonly OwnSession[];
  /** Where the heading does not tell the day. */
  withDay?: boolean;
}

export function OwnSessions({ sessions, withDay = false }: OwnSessionsProps) {
  return (
    <ol className="divide-y divide-line">
      {sessions.map((session) => (
        <li key={session.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1">
          <Link
            to={href("/admin/sessions/:id", { id: session.id })}
            className="flex min-h-11 min-w-0 grow flex-wrap items-center gap-x-3 rounded-sm hover:bg-sunken"
          >
            <span className="figures display text-lg">
              {withDay && `${session.day}, `}
              {session.time}
            </span>
            <strong className="min-w-0 break-words">{session.name}</strong>
            <span className="text-sm text-muted">{session.minutes} min</span>
            {session.status !== "confirmed" && <StatusBadge status={session.status} />}
          </Link>
          <AttendancePresses of={session.attendance} />
        </li>
      ))}
    </ol>
  );
}

/** How it takes place: a link to open, or a number to call. */
export function HowItTakesPlace({ how }: Pick<OwnSession, "how">) {
  if (!how.url) return how.value;
  return (
    <a href={how.url} className="link [overflow-wrap:anywhere]">
      {how.value}
    </a>
  );
}
