/** What watches the process asks for: whether it serves, and its figures. */
import { isSame } from "#app/core/secrets.server.ts";
import { type Call, calls } from "#app/http/json.server.ts";

const route = calls({ health: { GET: health }, metrics: { GET: metrics } });

export { route as action, route as loader };

function health({ deps: { db } }: Call): Response {
  const headers = { "Cache-Control": "no-store" };
  try {
    db.ping();
    return Response.json({ status: "ok" }, { headers });
  } catch {
    return Response.json({ status: "unavailable" }, { status: 503, headers });
  }
}

/** Open to the bearer of `METRICS_TOKEN`; without one configured there are none. */
async function metrics({ deps, request }: Call): Promise<Response> {
  const { env, metrics: figures } = deps;
  const headers = { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-store" };
  const { metricsToken } = env;
  if (metricsToken === null) return new Response("Not Found\n", { status: 404, headers });
  const given = /^Bearer +(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
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
