/** A day as a table: one row per half hour, one column per captain. */
import { Fragment } from "react";
import { href, Link } from "react-router";
import { dateInIndia, formatSlot, minutesOf, timeInIndia } from "#app/model/dates.ts";
import { BLOCK_MINUTES, MASTER_TIMES } from "#app/model/day-plan.ts";
import { listHref, withList } from "#app/routes/admin/parts/list-search.ts";
import { DialogLink, useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { AttendanceButtons } from "#app/routes/admin/parts/session-parts.tsx";
import { rowOf } from "./calendar-layout.ts";
import type { CellView, DayView } from "./calendar-view.server.ts";

interface DayTableProps {
  day: DayView;
  /** Whether any day of the week has leave; then every day has a row for it, to keep rows level. */
  hasLeave: boolean;
  inWeek: boolean;
  /** Rows that are empty on every day of the week; they take no height. */
  idle: ReadonlySet<number>;
  /** The present time on the server's clock, milliseconds UTC. */
  now: number;
}

export function DayTable({ day, hasLeave, inWeek, idle, now }: DayTableProps) {
  const { columns, words } = day;
  const isUnderWay = day.date === dateInIndia(now);
  return (
    <section aria-label={words} className="cal-one-day">
      {inWeek && (
        <h2 className={day.isToday ? "cal-today" : undefined}>
          <Link to={listHref(href("/admin/calendar"), day.search)}>
            {words.replace(/, \d+$/, "")}
          </Link>
        </h2>
      )}
      <table className="cal-table">
        <caption className="sr-only">{`${words}, IST`}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Time</span>
            </th>
            {columns.map(({ key, name }) => (
              <th key={key} scope="col" title={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hasLeave && (
            <tr>
              <th scope="row">
                <span className="sr-only">All day</span>
              </th>
              {columns.map(({ key, leave }) => (
                <td key={key} className="cal-leave-cell">
                  {leave && (
                    <p className="cal-box cal-leave" title={leave}>
                      {leave}
                    </p>
                  )}
                </td>
              ))}
            </tr>
          )}
          {MASTER_TIMES.map((timeSlot, row) => (
            <tr key={timeSlot} className={rowClass(day, row, idle)}>
              <th scope="row">
                <span className={timeSlot.endsWith("30") ? "sr-only" : undefined}>
                  {formatSlot(timeSlot)}
                </span>
                {isUnderWay && <NowLine row={row} time={timeInIndia(now)} />}
              </th>
              {columns.map(({ key, leave, cells }) => {
                const cell = cells.find((one) => one.row === row);
                if (!cell) return null;
                const away = leave && cell.kind === "none" ? "cal-away" : `cal-is-${cell.kind}`;
                return (
                  <td key={key} rowSpan={cell.rows} className={away}>
                    <CellBox cell={cell} />
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Rows that are empty on all these days; none if every row is. */
export function idleRows(days: readonly DayView[]): ReadonlySet<number> {
  const cells = days.flatMap(({ columns }) => columns.flatMap((column) => column.cells));
  const busy = cells.filter(({ kind }) => kind !== "none");
  const rows = [...MASTER_TIMES.keys()].filter(
    (row) => !busy.some((cell) => cell.row <= row && row < cell.row + cell.rows),
  );
  return new Set(rows.length < MASTER_TIMES.length ? rows : []);
}

/** Marks rows that are empty, and rows with a session whose attendance can be noted. */
function rowClass(
  { columns }: DayView,
  row: number,
  idle: ReadonlySet<number>,
): string | undefined {
  if (idle.has(row)) return "cal-quiet cal-idle";
  const here = columns.map(({ cells }) => cells.find((cell) => cell.row === row));
  if (here.every((cell) => cell?.kind === "none")) return "cal-quiet";
  const isOver = here.some((cell) => cell?.sessions.some(({ attendance }) => attendance));
  return isOver ? "cal-over" : undefined;
}

function CellBox({ cell }: { cell: CellView }) {
  const listSearch = useListSearch();
  const { kind, block, words } = cell;
  const mayBook = useMay("bookings");
  if (kind === "none") return null;
  if (kind === "session") {
    return (
      <div className="cal-box cal-sessions">
        {cell.sessions.map((session) => (
          <div
            key={session.id}
            className={session.minutes % BLOCK_MINUTES ? "cal-place cal-part" : "cal-place"}
          >
            <Link
              to={
                mayBook
                  ? withList(href("/admin/appointments/:id", { id: session.id }), listSearch)
                  : href("/admin/sessions/:id", { id: session.id })
              }
              preventScrollReset
              title={[session.state, ...words].join(", ")}
              className={`cal-session cal-${session.status} ${words.length > 0 ? "cal-clash" : ""}`}
            >
              <span className="cal-line">
                <strong>{session.time}</strong>{" "}
                <span className="cal-minutes">{session.minutes} min</span>
              </span>{" "}
              <span className="cal-line">
                <span className="cal-name">{session.name}</span>{" "}
                <span className="cal-state">{session.state}</span>
              </span>
              {words.map((note) => (
                <Fragment key={note}>
                  {" "}
                  <span className="cal-note">{note}</span>
                </Fragment>
              ))}
            </Link>
            <AttendanceButtons of={session.attendance} />
          </div>
        ))}
      </div>
    );
  }
  const text = words.join(", ");
  const className = `cal-box cal-${kind}`;
  if (!block) {
    return (
      <p className={className} title={text}>
        <span>{text}</span>
      </p>
    );
  }
  const { counselor, date, times, label } = block;
  const asked = new URLSearchParams({ counselor, date });
  for (const time of times) asked.append("time", time);
  const books = kind === "free" && mayBook;
  const to = books ? href("/admin/appointments/new") : href("/admin/slots");
  if (!books) asked.set("tab", "block");
  return (
    <DialogLink
      to={to}
      search={asked}
      aria-label={`${text}: ${label}`}
      title={text}
      className={className}
    >
      <span>{text}</span>
    </DialogLink>
  );
}

/** By every five minutes of a row. */
const NOW_AT = ["top-0", "top-1/6", "top-1/3", "top-1/2", "top-2/3", "top-5/6"];

/** A line at the current time, exact to five minutes. */
function NowLine({ row, time }: { row: number; time: string }) {
  const minute = minutesOf(time);
  if (rowOf(minute) !== row) return null;
  return (
    <span className={`cal-now ${NOW_AT.at(Math.floor((minute % BLOCK_MINUTES) / 5))}`}>
      <span className="sr-only">, now {formatSlot(time)}</span>
    </span>
  );
}
