/** The captains' calendar by day, week or month. */
import { href, Link } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { isCalendarDate } from "#app/model/dates.ts";
import { WEEKDAY_LABELS } from "#app/model/day-plan.ts";
import {
  LIST_HEADING_ID,
  listHref,
  searchOf,
  useSearchOf,
} from "#app/routes/admin/parts/list-search.ts";
import { ListSearch } from "#app/routes/admin/parts/overlay.tsx";
import { useMay } from "#app/routes/admin/parts/page-parts.tsx";
import { useClock } from "#app/routes/admin/parts/use-clock.ts";
import stylesheet from "./calendar.css?url";
import { CALENDAR_VIEWS, stepFrom, viewNamed } from "./calendar-layout.ts";
import type { CalendarView, MonthDay } from "./calendar-view.server.ts";
import { DayTable, idleRows } from "./day-table.tsx";

export function CalendarBoard({ view, loading }: { view: CalendarView; loading: boolean }) {
  const hasLeave = view.days.some(({ columns }) => columns.some(({ leave }) => leave));
  const inWeek = view.view === "week";
  const idle = idleRows(inWeek ? view.days : []);
  const cells = view.days.flatMap(({ columns }) => columns.flatMap((column) => column.cells));
  const now = useClock(view.now);
  const isEmpty = cells.length > 0 && cells.every(({ kind }) => kind === "none");
  return (
    <ListSearch value={view.search}>
      {/* Rendered here, so that its print rules leave with the calendar. */}
      <link rel="stylesheet" href={stylesheet} />
      <Head view={view} />
      <div
        className={`cal-${view.view} ${loading ? "board-loading" : ""}`}
        aria-busy={loading || undefined}
      >
        {view.view === "month" && <MonthTable weeks={view.weeks} title={view.title} />}
        {view.days.map((day) => (
          <DayTable
            key={day.date}
            day={day}
            hasLeave={hasLeave}
            idle={idle}
            inWeek={inWeek}
            now={now}
          />
        ))}
        {isEmpty && (
          <p className="card mt-4 p-4 text-center text-muted">
            Nothing is booked or free here. Times come from the{" "}
            <Link to={href("/admin/schedule")} className="link">
              hours in Schedule
            </Link>
            .
          </p>
        )}
      </div>
    </ListSearch>
  );
}

function Head({ view }: { view: CalendarView }) {
  const seesAll = useMay("bookings");
  // From the address being loaded, so that quick steps add up.
  const search = useSearchOf(href("/admin/calendar"), view.search);
  const fields = new URLSearchParams(search);
  const date = fields.get("date") ?? "";
  const asked = {
    view: viewNamed(fields.get("view")),
    date: isCalendarDate(date) ? date : view.today,
    counselor: fields.get("counselor"),
  };
  const at = (changes: Partial<typeof asked>) => searchOf({ ...asked, ...changes });
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-3 gap-y-2 sm:gap-x-5">
      <h1 id={LIST_HEADING_ID} tabIndex={-1} className="display mr-auto text-2xl outline-none">
        <span className="sr-only">Calendar, </span>
        {view.title}
        {view.counselor && <span className="text-lg text-muted"> {view.counselor}</span>}
      </h1>
      <nav aria-label={`Other ${asked.view}s`} className="no-print flex gap-1">
        <ViewLink
          search={at({ date: stepFrom(asked.view, asked.date, -1) })}
          label={`Previous ${asked.view}`}
        >
          <Icon name="chevronLeft" />
        </ViewLink>
        <ViewLink search={at({ date: view.today })}>Today</ViewLink>
        <ViewLink
          search={at({ date: stepFrom(asked.view, asked.date, 1) })}
          label={`Next ${asked.view}`}
        >
          <Icon name="chevronRight" />
        </ViewLink>
      </nav>
      <nav aria-label="View" className="no-print flex gap-1">
        {CALENDAR_VIEWS.map((name) => (
          <ViewLink key={name} search={at({ view: name })} current={name === asked.view}>
            <span className="capitalize">{name}</span>
          </ViewLink>
        ))}
      </nav>
      {seesAll && (
        <nav aria-label="Captains" className="no-print flex flex-wrap gap-1">
          {[null, ...view.names].map((name) => (
            <ViewLink
              key={name}
              search={at({ counselor: name })}
              current={name === asked.counselor}
            >
              {name ?? "All captains"}
            </ViewLink>
          ))}
        </nav>
      )}
      {view.ignored && (
        <p role="status" className="w-full rounded-sm bg-waiting-soft px-3 py-1 text-waiting-ink">
          The address names a view, date or captain that does not exist; this stands in its place.
        </p>
      )}
    </div>
  );
}

interface ViewLinkProps {
  search: string;
  label?: string;
  current?: boolean;
  children: React.ReactNode;
}

function ViewLink({ search, label, current = false, children }: ViewLinkProps) {
  return (
    <Link
      to={listHref(href("/admin/calendar"), search)}
      preventScrollReset
      aria-label={label}
      title={label}
      aria-current={current ? "page" : undefined}
      className={`button button-quiet px-2 font-medium sm:px-3 ${current ? "border-2 border-action bg-action-soft text-action" : ""}`}
    >
      {children}
    </Link>
  );
}

function MonthTable({ weeks, title }: { weeks: readonly MonthDay[][]; title: string }) {
  return (
    <>
      <table className="cal-weeks">
        <caption className="sr-only">{title}</caption>
        <thead>
          <tr>
            {Object.values(WEEKDAY_LABELS).map((day) => (
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
      <span className="max-md:sr-only">{word}</span>
    </span>
  );
}
