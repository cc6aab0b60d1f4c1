/** One log line and one measure per request, without anything that names a person or a private page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Client, Deps } from "#app/lib/deps.server.ts";

/** Private ids and secrets in a path become their kind: `/booking/:id`. */
function maskPath(path: string): string {
  return path
    .split("?")[0]!
    .split("/")
    .map((segment) =>
      /^[a-z0-9_-]{20,}(\.[a-z]+)?$/i.test(segment) || /[@%]/.test(segment)
        ? ":id"
        : segment.slice(0, 60),
    )
    .join("/");
}

/** Writes without looking for secrets to take out, which takes longer than the rest: it has none. */
export function createRequestLog({ log }: Pick<Deps, "log">): Deps["log"] {
  return log.child({}, { redact: [] });
}

/** `log` is that of `createRequestLog`. */
export function reportWhenDone(
  { log, metrics }: Pick<Deps, "log" | "metrics">,
  request: IncomingMessage,
  response: ServerResponse,
  { client, startedAt }: { client: Client; startedAt: number },
): void {
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    const path = maskPath(request.url ?? "/");
    const route = client.route ?? (path.startsWith("/assets/") ? "/assets/*" : "other");
    metrics.request(route, request.method ?? "GET", response.statusCode, ms / 1000);
    const line = {
      requestId: client.requestId,
      method: request.method,
      route: client.route ?? undefined,
      path,
      status: response.statusCode,
      ms: Math.round(ms * 10) / 10,
    };
    if (response.statusCode >= 500) log.warn(line, "request");
    else log.info(line, "request");
  });
}
