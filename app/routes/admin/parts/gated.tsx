/** The gate before the pages beside the dashboard. */
import { Outlet } from "react-router";
import { requireAdmin } from "#app/auth/require-admin.server.ts";
import type { Route } from "./+types/gated";

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

/** Without a loader a navigation by script could pass the gate. */
export function loader() {
  return null;
}

export default function Gated() {
  return <Outlet />;
}
