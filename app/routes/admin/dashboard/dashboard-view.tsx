/** The dashboard in the order of need: what needs a person, today, figures, filters, the list. */
import { href } from "react-router";
import { useSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { LIST_HEADING_ID } from "#app/routes/admin/parts/overlay.tsx";
import { Paging } from "#app/routes/admin/parts/paging.tsx";
import { AppointmentsTable } from "./appointments-table.tsx";
import { Attention } from "./attention.tsx";
import type { DashboardData } from "./dashboard-view.server.ts";
import { FilterBar } from "./filter-bar.tsx";
import { SessionsBoard } from "./sessions-board.tsx";
import { StatCards } from "./stat-cards.tsx";

export function DashboardView({ view, loading }: { view: DashboardData; loading: boolean }) {
  // A filter that was pressed counts at once: no link may lead back to the list before it.
  const listSearch = useSearchOf(href("/admin"), view.listSearch);
  return (
    <>
      <h1 className="sr-only">Admin Dashboard</h1>
      <Attention {...view.attention} listSearch={view.listSearch} />
      <SessionsBoard days={view.days} listSearch={listSearch} />
      <StatCards stats={view.stats} />
      <FilterBar
        filters={view.filters}
        counselors={view.counselors}
        shown={view.listSearch}
        listSearch={listSearch}
        busy={loading}
      />
      {view.ignored.length > 0 && (
        <div role="status" className="mb-4 rounded-lg border border-edge bg-waiting-soft px-4 py-3">
          <p className="font-semibold">Some filters were ignored</p>
          <ul className="list-disc pl-5">
            {view.ignored.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      <section aria-labelledby={LIST_HEADING_ID} className="card">
        <div className="flex flex-wrap items-baseline gap-x-4 px-4 pb-1 pt-3">
          <h2 id={LIST_HEADING_ID} tabIndex={-1} className="display text-xl outline-none">
            Recent Appointments
          </h2>
          <p role="status" className="text-muted">
            {loading ? "Loading appointments..." : ""}
          </p>
        </div>
        {view.rows.length === 0 ? (
          <p
            className={`px-4 pb-10 pt-8 text-center text-lg text-muted ${loading ? "sr-only" : ""}`}
          >
            No appointments found
          </p>
        ) : (
          <div className={loading ? "board-loading" : undefined} aria-busy={loading || undefined}>
            <AppointmentsTable
              rows={view.rows}
              listSearch={listSearch}
              sort={view.filters.sort || "-date"}
            />
            <Paging
              page={view.page}
              path={href("/admin")}
              search={view.listSearch}
              label="Pages of appointments"
            />
          </div>
        )}
      </section>
    </>
  );
}
