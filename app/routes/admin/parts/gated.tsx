/** The gate of the admin pages, except the dashboard and those of the sign-in. */
import { requireAdmin } from "#app/auth/require-admin.server.ts";
import type { Route } from "./+types/gated";

export const middleware: Route.MiddlewareFunction[] = [requireAdmin];

/** Without a loader, a client-side navigation would not ask the server and could pass the gate. */
export function loader() {
  return null;
}
