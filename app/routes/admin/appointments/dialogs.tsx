/** The layout of the dialogs over the list: requires sign-in and reports a missing appointment. */
import { isRouteErrorResponse, Link, useLocation } from "react-router";
import { requireAdmin } from "#app/auth/require-admin.server.ts";
import { Overlay } from "#app/routes/admin/parts/overlay.tsx";
import { Notice } from "#app/routes/admin/parts/page-parts.tsx";
import type { Route } from "./+types/dialogs";

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

/** Without a loader, a client-side navigation would not run `middleware`. */
export function loader() {
  return null;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const location = useLocation();
  const isGone = isRouteErrorResponse(error) && error.status === 404;
  return (
    <Overlay title={isGone ? "Page Not Found" : "Not Opened"}>
      <Notice {...(isGone ? GONE : FAILED)} variant="destructive" />
      {!isGone && (
        <Link to={location} replace preventScrollReset className="button button-primary">
          Try again
        </Link>
      )}
    </Overlay>
  );
}

const GONE = {
  title: "This appointment does not exist",
  description: "It may have been deleted, also by another admin just now.",
};

const FAILED = {
  title: "We could not reach our server, or something failed there",
  description:
    "If you had just pressed a button, go back in your browser: what you typed is still there, and nothing is done twice. Otherwise check your connection and try again.",
};
