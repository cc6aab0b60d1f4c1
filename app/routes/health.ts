import { depsContext } from "#app/core/deps.server.ts";
import type { Route } from "./+types/health";

export function loader({ context }: Route.LoaderArgs): Response {
  const headers = { "Cache-Control": "no-store" };
  try {
    context.get(depsContext).db.ping();
    return Response.json({ status: "ok" }, { headers });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503, headers });
  }
}
