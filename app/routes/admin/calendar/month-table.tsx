/** A month: for each day how many sessions and free times, and who is on leave. */
import { href, Link } from "react-router";
import { listHref } from "#app/routes/admin/parts/list-search.ts";
import type { MonthDay } from "./calendar-view.server.ts";

const WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

export function MonthTable({ weeks, title }: { weeks: readonly MonthDay[][]; title: string }) {
  return (
    <>
      <table className="cal-weeks">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((day) => (
              <th key={day} scope="col">
                <span aria-hidden="true">{day.slice(0, 3)}</span>
                <span className="sr-only">{day}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((days) => (
            <tr key={days[0]?.date}>
              {days.map((day) => (
                <td key={day.date} className={day.isInMonth ? undefined : "cal-other"}>
                  <Day day={day} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className="cal-key" aria-hidden="true">
        <b className="cal-count cal-count-sessions">2</b> sessions
        <b className="cal-count cal-count-free">5</b> free
        <b className="cal-count cal-count-leave">L</b> leave
      </p>
    </>
  );
}

function Day({ day }: { day: MonthDay }) {
  return (
    <Link to={listHref(href("/admin/calendar"), day.search)}>
      <span className={day.isToday ? "cal-number cal-today" : "cal-number"}>
        <span aria-hidden="true">{day.number}</span>
        <span className="sr-only">{day.isToday ? `Today, ${day.words}` : day.words}</span>
      </span>
      {day.sessions > 0 && (
        <Count
          kind="sessions"
          count={day.sessions}
          word={day.sessions === 1 ? "session" : "sessions"}
        />
      )}
      {day.free > 0 && <Count kind="free" count={day.free} word="free" />}
      {day.onLeave.length > 0 && (
        <Count kind="leave" count="L" word={`On leave: ${day.onLeave.join(", ")}`} />
      )}
    </Link>
  );
}

function Count({ kind, count, word }: { kind: string; count: number | "L"; word: string }) {
  return (
    <span className="cal-of-day">
      {" "}
      <b className={`cal-count cal-count-${kind}`} aria-hidden={count === "L" || undefined}>
        {count}
      </b>{" "}
      <span className="cal-word">{word}</span>
    </span>
  );
}
