/** Logs and measures each request without naming a person or private page; logs unexpected errors. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareFunction, ServerBuild } from "react-router";
import { type HandleErrorFunction, isRouteErrorResponse } from "react-router";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import type { Watchdog } from "#app/http/watchdog/watchdog.ts";
import { isUnavailable } from "#db/connection.server.ts";

/** The fixed segments of the routes' paths; any other segment may be an id or a secret. */
export function wordsOf(routes: ServerBuild["routes"]): ReadonlySet<string> {
  const words = Object.values(routes).flatMap((route) => route?.path?.split("/") ?? []);
  const own = words.filter((word) => !/^[:*]/.test(word));
  return new Set([...own, "", "__manifest", "assets"]);
}

/** A canonical path with `:id` for each segment that is not in `words`: `/booking/:id`. */
export function maskPath(path: string | null, words: ReadonlySet<string>): string {
  const segments = path?.split("/") ?? [":id"];
  return segments.map((segment) => (words.has(segment) ? segment : ":id")).join("/");
}

interface ReportDeps extends Pick<Deps, "log" | "metrics"> {
  words: ReadonlySet<string>;
  watchdog?: Watchdog | undefined;
}

/** To be called when a request begins; `canonical` is null without a valid path. */
export function reportWhenDone(
  { log, metrics, words, watchdog }: ReportDeps,
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  canonical: string | null,
): void {
  const startedAt = performance.now();
  const path = maskPath(canonical, words);
  const routeNow = () => client.route ?? (path.startsWith("/assets/") ? "/assets/*" : "other");
  const { requestId } = client;
  watchdog?.begun({ requestId, method: request.method ?? "GET", path, startedAt, routeNow });
  response.once("close", () => {
    const ms = performance.now() - startedAt;
    watchdog?.ended();
    metrics.request(routeNow(), request.method ?? "GET", response.statusCode, ms / 1000);
    const line = {
      requestId,
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

/** Notes the matched route's pattern for the log and the metrics. */
export const noteRoutePattern: MiddlewareFunction<Response> = ({ pattern, context }) => {
  context.get(clientContext).route = `/${pattern.replace(/^\//, "")}`;
};

/** Logs what a route has thrown, unless it is a response or the client has disconnected. */
export const reportError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const client = context.get(clientContext);
  client.unavailable = isUnavailable(error) || error instanceof QueueFull;
  const message = client.unavailable ? "unavailable" : "bug";
  const deps = context.get(depsContext);
  const { requestId, route } = client;
  deps.log.error({ err: error, requestId }, message);
  if (client.unavailable) return;
  noteFailure(deps, error, { area: `${request.method} ${route ?? "no route"}`, requestId });
};
