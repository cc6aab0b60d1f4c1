/** Today and tomorrow at a glance: the departures board. What is over is folded away. */
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { withList } from "#app/routes/admin/parts/list-search.ts";
import type { BoardDay, BoardSession } from "./dashboard-view.server.ts";

const STATE_WORDS: Readonly<Record<BoardSession["state"], string>> = {
  over: "Over",
  now: "Now",
  next: "Next",
  later: "",
};

interface BoardProps {
  days: readonly BoardDay[];
  listSearch: string;
}

export function SessionsBoard({ days, listSearch }: BoardProps) {
  return (
    <div className="mb-4 grid overflow-hidden rounded-lg bg-night text-night-ink lg:grid-cols-2">
      {days.map((day, i) => (
        <section
          key={day.word}
          aria-labelledby={`day-${i}`}
          className={`min-w-0 px-4 py-2.5 ${i > 0 ? "border-t border-night-line lg:border-l lg:border-t-0" : ""}`}
        >
          <h2 id={`day-${i}`} className="flex flex-wrap items-baseline gap-x-3">
            <span className="display text-lg">{day.word}</span>
            <span className="text-sm text-night-muted">{day.day}</span>
            <span className="figures ml-auto text-sm text-night-muted">
              {day.sessions.length === 1 ? "1 session" : `${day.sessions.length} sessions`}
            </span>
          </h2>
          <DayLines day={day} listSearch={listSearch} />
        </section>
      ))}
    </div>
  );
}

function DayLines({ day, listSearch }: { day: BoardDay; listSearch: string }) {
  if (day.sessions.length === 0) {
    return <p className="py-2 text-night-muted">No sessions {day.word.toLowerCase()}.</p>;
  }
  const over = day.sessions.filter((session) => session.state === "over");
  const ahead = day.sessions.filter((session) => session.state !== "over");
  const lines = (sessions: readonly BoardSession[]) => (
    <ol className="mt-1">
      {sessions.map((session) => (
        <BoardLine key={session.id} session={session} listSearch={listSearch} />
      ))}
    </ol>
  );
  return (
    <>
      {over.length > 0 && (
        <details className="group mt-1 border-b border-night-line last:border-b-0">
          <summary className="flex min-h-9 cursor-pointer items-center gap-1.5 text-sm text-night-muted hover:text-night-ink">
            <Icon name="chevronRight" className="size-3.5 group-open:rotate-90" />
            {ahead.length === 0
              ? `All sessions of ${day.word.toLowerCase()} are over. Show them`
              : `${over.length} over. Show ${over.length === 1 ? "it" : "them"}`}
          </summary>
          {lines(over)}
        </details>
      )}
      {ahead.length > 0 && lines(ahead)}
    </>
  );
}

function BoardLine({ session, listSearch }: { session: BoardSession; listSearch: string }) {
  const words = [STATE_WORDS[session.state], session.moved ? "Moved" : ""].filter(Boolean);
  const bright = session.state === "now" || session.state === "next";
  return (
    <li className="border-t border-night-line first:border-t-0">
      <Link
        to={withList(href("/admin/appointments/:id", { id: session.id }), listSearch)}
        preventScrollReset
        className={`grid grid-cols-[5.25rem_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-sm py-1.5 hover:bg-night-raised ${
          session.state === "over" ? "text-night-muted" : ""
        }`}
      >
        <span className="figures display">{session.time}</span>
        <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
          <span className="max-w-full truncate font-semibold">{session.name}</span>
          <span className="max-w-full wrap-anywhere text-sm text-night-muted">
            {session.counselor}, {session.minutes} min
          </span>
        </span>
        <span className={`text-sm font-semibold ${bright ? "text-sky" : "text-night-muted"}`}>
          {words.join(", ")}
        </span>
      </Link>
    </li>
  );
}
