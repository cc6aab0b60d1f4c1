import { timingSafeEqual } from "node:crypto";
import { depsContext } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/sha256.ts";
import type { Route } from "./+types/metrics";

export async function loader({ request, context }: Route.LoaderArgs): Promise<Response> {
  const { env, metrics } = context.get(depsContext);
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  const { metricsToken } = env;
  if (metricsToken === null) return new Response("Not Found\n", { status: 404, headers });
  const given = request.headers.get("authorization")?.replace(/^Bearer /, "") ?? "";
  if (!isSame(given, metricsToken)) {
    return new Response("Unauthorized\n", {
      status: 401,
      headers: { ...headers, "WWW-Authenticate": "Bearer" },
    });
  }
  return new Response(await metrics.text(), {
    headers: { ...headers, "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
  });
}

/** Hashes first, so that texts of any length take the same time. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)));
}
