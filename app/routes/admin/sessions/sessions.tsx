/** All sessions of the captain who is signed in, in pages. */
import { href } from "react-router";
import { adminContext } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { Paging } from "#app/routes/admin/parts/list-parts.tsx";
import { PageHead } from "#app/routes/admin/parts/page-parts.tsx";
import { NoSessions, OwnSessions } from "#app/routes/admin/parts/session-parts.tsx";
import { ownSessionView, readListPage } from "#app/routes/admin/parts/views.server.ts";
import type { Route } from "./+types/sessions";

/** An invalid page number means the first page. */
export function loader({ url, context }: Route.LoaderArgs) {
  const deps = context.get(depsContext);
  const now = deps.now();
  const filter = { counselorKey: context.get(adminContext).admin.counselorKey ?? "" };
  const asked = /^[1-9]\d{0,6}$/.exec(url.searchParams.get("page") ?? "")?.[0];
  const { rows, page } = readListPage(deps, filter, Number(asked ?? 1));
  return { sessions: rows.map((row) => ownSessionView(row, now)), page };
}

export default function Sessions({ loaderData: { sessions, page } }: Route.ComponentProps) {
  return (
    <div className="mx-auto max-w-192">
      <PageHead title="All sessions">The latest date first, cancelled ones included.</PageHead>
      <div className="card">
        {sessions.length === 0 ? (
          <NoSessions title="No session has been booked yet" />
        ) : (
          <div className="px-4 py-2">
            <OwnSessions sessions={sessions} withDay />
          </div>
        )}
        <Paging page={page} path={href("/admin/sessions")} search="" label="Pages of sessions" />
      </div>
    </div>
  );
}
