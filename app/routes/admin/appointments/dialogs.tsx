/** The gate before what opens over the list, and the word for an appointment that is gone. */
import { href, isRouteErrorResponse, Outlet, useLocation } from "react-router";
import { requireAdmin } from "#app/auth/require-admin.server.ts";
import { listHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { Notice } from "#app/routes/admin/parts/notice.tsx";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import type { Route } from "./+types/dialogs";

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

/** Without a loader a navigation by script could pass the gate. */
export function loader() {
  return null;
}

export default function Dialogs() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const location = useLocation();
  if (!isRouteErrorResponse(error) || error.status !== 404) throw error;
  return (
    <Overlay title="Page Not Found" closeTo={listHref(href("/admin"), listSearchOf(location))}>
      <Notice
        title="This appointment does not exist"
        description="It may have been deleted, also by another admin just now."
        variant="destructive"
      />
    </Overlay>
  );
}
