/** The head of the list: figures, heading, summary, and links to other date ranges. */
import { href, Link, type LinkProps } from "react-router";
import { useHydrated } from "remix-utils/use-hydrated";
import type { AppointmentSort } from "#app/model/appointment.ts";
import { addDays } from "#app/model/dates.ts";
import { formatCount } from "#app/model/money.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { LIST_HEADING_ID, listHref, searchOf } from "#app/routes/admin/parts/list-search.ts";
import { useListSearch } from "#app/routes/admin/parts/overlay.tsx";
import type { DashboardData } from "./dashboard-view.server.ts";

interface ListHeadProps {
  view: Pick<DashboardData, "filters" | "page" | "today">;
  loading: boolean;
}

export function ListHead({ view, loading }: ListHeadProps) {
  const listSearch = useListSearch();
  const { filters, today } = view;
  const spans: (Span & { word: string })[] = [
    { word: "All", startDate: "", endDate: "", sort: "" },
    { word: "Upcoming", startDate: today, endDate: "", sort: "date" },
    { word: "Past", startDate: "", endDate: addDays(today, -1), sort: "" },
  ];
  return (
    <div className="flex flex-wrap items-center gap-x-4 px-4 pt-2">
      <h2 id={LIST_HEADING_ID} tabIndex={-1} className="display text-xl outline-none">
        Recent Appointments
      </h2>
      <nav aria-label="Sessions by date" className="flex flex-wrap gap-x-1">
        {spans.map(({ word, ...span }) => (
          <ListLink
            key={word}
            search={withChanges(listSearch, span)}
            aria-current={isShown(filters, span) || undefined}
            className="link inline-flex min-h-11 items-center px-2 aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline"
          >
            {word}
          </ListLink>
        ))}
      </nav>
      {/* Announced by screen readers whenever another list is loaded. */}
      <p role="status" className="figures text-sm text-muted">
        {loading ? "Loading appointments..." : summaryOf(view)}
      </p>
    </div>
  );
}

/** Dates and order; empty values mean all dates and the default order. */
type Span = Record<"startDate" | "endDate" | "sort", string>;

function isShown({ startDate, endDate }: Span, span: Span): boolean {
  return startDate === span.startDate && endDate === span.endDate;
}

/** Replaces fields of the list's search, or removes those left empty; from the first page. */
export function withChanges(listSearch: string, changes: Partial<Span>): string {
  return searchOf({ ...Object.fromEntries(new URLSearchParams(listSearch)), ...changes, page: "" });
}

function summaryOf({ filters, page }: ListHeadProps["view"]): string {
  const all = `${formatCount(page.total)} ${page.total === 1 ? "appointment" : "appointments"}`;
  const last = Math.max(1, Math.ceil(page.total / page.size));
  const order = (sortLabel(filters.sort || USUAL_SORT) ?? "").toLowerCase();
  return `${all}, page ${page.number} of ${last}, sorted by ${order}`;
}

interface ListLinkProps extends Omit<LinkProps, "to"> {
  search: string;
}

/** A link to the list with another query; without scripts, it jumps to the list. */
export function ListLink({ search, ...more }: ListLinkProps) {
  const hash = useHydrated() ? "" : `#${LIST_HEADING_ID}`;
  const to = listHref(href("/admin"), search);
  return <Link to={to + hash} preventScrollReset {...more} />;
}

export const USUAL_SORT: AppointmentSort = "-date";

export const SORT_LABELS: Readonly<Record<AppointmentSort, string>> = {
  "-date": "Newest session first",
  date: "Oldest session first",
  "-created": "Newest booking first",
  created: "Oldest booking first",
  "-amount": "Highest amount first",
  amount: "Lowest amount first",
};

const sortLabel = lookUp(SORT_LABELS);

/** Four figures of the filtered list, and the refunded sum if it is filtered by refunds. */
export function StatCards({ stats }: Pick<DashboardData, "stats">) {
  const cards = [
    ["Total Appointments", formatCount(stats.totalAppointments)],
    ["Confirmed", formatCount(stats.confirmedAppointments)],
    ["Pending Payment", formatCount(stats.pendingPayments)],
    ["Revenue", stats.revenue],
    ...(stats.refunded === null ? [] : [["Refunded", stats.refunded]]),
  ];
  return (
    <dl
      className={`grid grid-cols-2 gap-3 ${cards.length > 4 ? "lg:grid-cols-5" : "lg:grid-cols-4"}`}
    >
      {cards.map(([label, figure]) => (
        <div key={label} className="card flex flex-col px-4 py-3">
          <dt className="legend">{label}</dt>
          <dd className="display figures break-words text-lg sm:text-2xl lg:text-[min(var(--text-2xl),3.2vw)]">
            {figure}
          </dd>
        </div>
      ))}
    </dl>
  );
}
