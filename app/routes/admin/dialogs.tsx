/** The gate before what opens over the list, and the word for an appointment that is gone. */
import { href, isRouteErrorResponse, Outlet, useLocation } from "react-router";
import { listHref, listSearchOf } from "#app/components/admin/list-search.ts";
import { Notice } from "#app/components/admin/notice.tsx";
import { Overlay } from "#app/components/admin/overlay.tsx";
import { requireAdmin } from "#app/middleware/require-admin.server.ts";
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
