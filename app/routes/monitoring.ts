/** What watches the process asks for: whether it serves, and its figures. */
import type { LoaderFunctionArgs } from "react-router";
import { type Deps, depsContext } from "#app/core/deps.server.ts";
import { isSame } from "#app/core/secrets.server.ts";

export function loader({ pattern, request, context }: LoaderFunctionArgs) {
  const deps = context.get(depsContext);
  return pattern.endsWith("health") ? health(deps) : metrics(deps, request);
}

function health({ db }: Deps): Response {
  const headers = { "Cache-Control": "no-store" };
  try {
    db.ping();
    return Response.json({ status: "ok" }, { headers });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503, headers });
  }
}

/** Open to the bearer of `METRICS_TOKEN`; without one configured there are none. */
async function metrics({ env, metrics: figures }: Deps, request: Request): Promise<Response> {
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  const { metricsToken } = env;
  if (metricsToken === null) return new Response("Not Found\n", { status: 404, headers });
  const given = request.headers.get("authorization")?.replace(/^Bearer +/i, "") ?? "";
  if (!isSame(given, metricsToken)) {
    return new Response("Unauthorized\n", {
      status: 401,
      headers: { ...headers, "WWW-Authenticate": "Bearer" },
    });
  }
  return new Response(await figures.text(), {
    headers: { ...headers, "Content-Type": "text/plain; version=0.0.4; charset=utf-8" },
  });
}
