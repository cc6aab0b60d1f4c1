/** Today and tomorrow at a glance: the departures board. */
import { href, Link } from "react-router";
import { withList } from "./list-search.ts";

export interface BoardDay {
  /** `Today`. */
  word: string;
  /** `Friday, 20 November`. */
  day: string;
  sessions: readonly BoardSession[];
}

export interface BoardSession {
  id: string;
  time: string;
  name: string;
  counselor: string;
  minutes: number;
  /** Where it stands in the day, or that it is not paid yet. */
  state: "over" | "now" | "next" | "later" | "unpaid";
  moved: boolean;
}

const STATE_WORDS: Readonly<Record<BoardSession["state"], string>> = {
  over: "Over",
  now: "Now",
  next: "Next",
  later: "",
  unpaid: "Not paid yet",
};

export function SessionsBoard({
  days,
  listSearch,
}: {
  days: readonly BoardDay[];
  listSearch: string;
}) {
  return (
    <div className="mb-4 grid overflow-hidden rounded-lg bg-night text-night-ink lg:grid-cols-2">
      {days.map((day, i) => (
        <section
          key={day.word}
          aria-labelledby={`day-${i}`}
          className={`min-w-0 px-4 py-3 ${i > 0 ? "border-t border-night-line lg:border-l lg:border-t-0" : ""}`}
        >
          <h2 id={`day-${i}`} className="flex flex-wrap items-baseline gap-x-3">
            <span className="display text-lg">{day.word}</span>
            <span className="text-sm text-night-muted">{day.day}</span>
            <span className="figures ml-auto text-sm text-night-muted">
              {day.sessions.length === 1 ? "1 session" : `${day.sessions.length} sessions`}
            </span>
          </h2>
          {day.sessions.length === 0 ? (
            <p className="py-2 text-night-muted">No sessions {day.word.toLowerCase()}.</p>
          ) : (
            <ol className="mt-1">
              {day.sessions.map((session) => (
                <BoardLine key={session.id} session={session} listSearch={listSearch} />
              ))}
            </ol>
          )}
        </section>
      ))}
    </div>
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
        className={`grid grid-cols-[5.5rem_minmax(0,1fr)_auto] items-baseline gap-x-3 rounded-sm py-2 hover:bg-night-raised ${
          session.state === "over" ? "text-night-muted" : ""
        }`}
      >
        <span className="figures display text-lg">{session.time}</span>
        <span className="min-w-0">
          <span className="block truncate font-semibold">{session.name}</span>
          <span className="block truncate text-sm text-night-muted">
            {session.counselor}, {session.minutes} min
          </span>
        </span>
        {words.length > 0 && (
          <span
            className={`text-sm font-semibold ${
              session.state === "unpaid" ? "text-horizon" : bright ? "text-sky" : "text-night-muted"
            }`}
          >
            {words.join(", ")}
          </span>
        )}
      </Link>
    </li>
  );
}
