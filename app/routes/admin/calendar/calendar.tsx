/** The captains' day, week or month, with the row dialogs over it. */
import { useState } from "react";
import { href, Link, useOutlet } from "react-router";
import { Icon } from "#app/components/icons.tsx";
import { depsContext } from "#app/core/deps.server.ts";
import { listHref, listSearchOf, revalidatesBehind } from "#app/routes/admin/parts/list-search.ts";
import { LIST_HEADING_ID, OverList } from "#app/routes/admin/parts/overlay.tsx";
import type { Route } from "./+types/calendar";
import stylesheet from "./calendar.css?url";
import { type CalendarView, readCalendarView } from "./calendar-view.server.ts";
import { DayTable } from "./day-table.tsx";
import { MonthTable } from "./month-table.tsx";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export function loader({ url, context }: Route.LoaderArgs) {
  return readCalendarView(context.get(depsContext), listSearchOf(url));
}

export const shouldRevalidate = revalidatesBehind;

export default function Calendar({ loaderData: view }: Route.ComponentProps) {
  const dialog = useOutlet();
  // Once the calendar has been shown, dialogs open over it; a dialog asked for directly is a page.
  const [shown, setShown] = useState(dialog === null);
  if (dialog === null && !shown) setShown(true);
  if (dialog !== null && !shown) return dialog;
  const hasLeave = view.days.some(({ columns }) => columns.some(({ leave }) => leave));
  return (
    <>
      {dialog === null && <title>{`Calendar, ${view.title} – Admin`}</title>}
      <Head view={view} />
      {view.view === "month" ? (
        <MonthTable weeks={view.weeks} title={view.title} />
      ) : (
        <div className={`cal-${view.view}`}>
          {view.days.map((day) => (
            <DayTable
              key={day.date}
              day={day}
              hasLeave={hasLeave}
              inWeek={view.view === "week"}
              now={view.now}
              search={view.search}
            />
          ))}
        </div>
      )}
      <OverList value={true}>{dialog}</OverList>
    </>
  );
}

function Head({ view }: { view: CalendarView }) {
  const { ways, captains, views } = view;
  const dateOf = (date: string) => {
    const search = new URLSearchParams(view.search);
    search.set("date", date);
    return search.toString();
  };
  return (
    <div className="mb-4 flex flex-wrap items-center gap-x-5 gap-y-2">
      <h1 id={LIST_HEADING_ID} tabIndex={-1} className="display mr-auto text-2xl outline-none">
        <span className="sr-only">Calendar, </span>
        {view.title}
        {view.counselor && <span className="text-lg text-muted"> {view.counselor}</span>}
      </h1>
      <nav aria-label={`Other ${view.view}s`} className="no-print flex gap-1">
        <Way search={dateOf(ways.previous)} label={`Previous ${view.view}`}>
          <Icon name="chevronLeft" />
        </Way>
        <Way search={dateOf(ways.today)}>Today</Way>
        <Way search={dateOf(ways.next)} label={`Next ${view.view}`}>
          <Icon name="chevronRight" />
        </Way>
      </nav>
      <nav aria-label="View" className="no-print flex gap-1">
        {views.map(({ name, search }) => (
          <Way key={name} search={search} current={name === view.view}>
            <span className="capitalize">{name}</span>
          </Way>
        ))}
      </nav>
      <nav aria-label="Captains" className="no-print flex flex-wrap gap-1">
        {captains.map(({ name, search }) => (
          <Way key={search} search={search} current={name === view.counselor}>
            {name ?? "All captains"}
          </Way>
        ))}
      </nav>
      {view.ignored && (
        <p role="status" className="w-full rounded-sm bg-waiting-soft px-3 py-1 text-waiting-ink">
          The address names a date or captain that does not exist; this stands in its place.
        </p>
      )}
    </div>
  );
}

interface WayProps {
  search: string;
  label?: string;
  current?: boolean;
  children: React.ReactNode;
}

function Way({ search, label, current = false, children }: WayProps) {
  return (
    <Link
      to={listHref(href("/admin/calendar"), search)}
      preventScrollReset
      aria-label={label}
      title={label}
      aria-current={current ? "page" : undefined}
      className="cal-way"
    >
      {children}
    </Link>
  );
}
