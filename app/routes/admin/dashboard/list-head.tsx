/** What stands over the list: its name, what it shows, and the ways to what is to come and was. */
import { addDays } from "#app/model/dates.ts";
import { LIST_HEADING_ID } from "#app/routes/admin/parts/list-search.ts";
import type { DashboardData } from "./dashboard-view.server.ts";
import { ListLink } from "./list-link.tsx";
import { sortLabel, USUAL_SORT } from "./sorts.ts";

interface ListHeadProps {
  view: Pick<DashboardData, "filters" | "page" | "today">;
  listSearch: string;
  loading: boolean;
}

export function ListHead({ view, listSearch, loading }: ListHeadProps) {
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
      <nav aria-label="Sessions by date" className="flex gap-x-1">
        {spans.map(({ word, ...span }) => (
          <ListLink
            key={word}
            search={withSpan(listSearch, span)}
            aria-current={isShown(filters, span) || undefined}
            className="link inline-flex min-h-11 items-center px-2 aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:no-underline"
          >
            {word}
          </ListLink>
        ))}
      </nav>
      {/* Expandable once for each list that is asked for, also to those who do not see it. */}
      <p role="status" className="figures text-sm text-muted">
        {loading ? "Loading appointments..." : summaryOf(view)}
      </p>
    </div>
  );
}

/** Dates and order; empty, all of them and the usual one. */
type Span = Pick<DashboardData["filters"], "startDate" | "endDate" | "sort">;

function isShown({ startDate, endDate }: Span, span: Span): boolean {
  return startDate === span.startDate && endDate === span.endDate;
}

/** The other filters stay. */
function withSpan(listSearch: string, span: Span): URLSearchParams {
  const search = new URLSearchParams(listSearch);
  search.delete("page");
  for (const [name, value] of Object.entries(span)) {
    if (value) search.set(name, value);
    else search.delete(name);
  }
  return search;
}

function summaryOf({ filters, page }: ListHeadProps["view"]): string {
  const all = `${page.total.toLocaleString("en-IN")} ${page.total === 1 ? "appointment" : "appointments"}`;
  const last = Math.max(1, Math.ceil(page.total / page.size));
  const order = (sortLabel(filters.sort || USUAL_SORT) ?? "").toLowerCase();
  return `${all}, page ${page.number} of ${last}, sorted by ${order}`;
}
