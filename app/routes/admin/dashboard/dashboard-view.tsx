/** The dashboard in the order of need: what needs a person, the next sessions, figures, the list. */
import { useEffect } from "react";
import { href, useLocation, useNavigationType } from "react-router";
import { Paging } from "#app/routes/admin/parts/list-parts.tsx";
import { LIST_HEADING_ID, useSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { AppointmentsTable } from "./appointments-table.tsx";
import { Attention } from "./attention.tsx";
import type { DashboardData } from "./dashboard-view.server.ts";
import { Failures } from "./failures.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListHead } from "./list-head.tsx";
import { SessionsBoard } from "./sessions-board.tsx";
import { USUAL_SORT } from "./sorts.ts";
import { StatCards } from "./stat-cards.tsx";

export function DashboardView({ view, loading }: { view: DashboardData; loading: boolean }) {
  // A filter that was pressed counts at once: no link may lead back to the list before it.
  const listSearch = useSearchOf(href("/admin"), view.listSearch);
  useFocusOnList();
  return (
    <>
      <h1 className="sr-only">Admin Dashboard</h1>
      <Attention {...view.attention} listSearch={view.listSearch} />
      {view.failures && <Failures {...view.failures} />}
      <SessionsBoard captains={view.board} now={view.now} listSearch={listSearch} />
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
        <ListHead view={view} listSearch={listSearch} loading={loading} />
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
              sort={view.filters.sort || USUAL_SORT}
            />
            <Paging
              page={view.page}
              path={href("/admin")}
              search={view.listSearch}
              label="Pages of appointments"
              top={LIST_HEADING_ID}
            />
          </div>
        )}
      </section>
    </>
  );
}

/** A press that leads to the list leaves the focus on its name. */
function useFocusOnList(): void {
  const { key, hash } = useLocation();
  const type = useNavigationType();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key is the press.
  useEffect(() => {
    if (type === "POP" || hash !== `#${LIST_HEADING_ID}`) return;
    document.getElementById(LIST_HEADING_ID)?.focus({ preventScroll: true });
  }, [key, hash, type]);
}
