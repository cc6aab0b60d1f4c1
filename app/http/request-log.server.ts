/**
 * One log line and one measure per request, without anything that names a person or a private page; and
 * errors that nobody expected.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MiddlewareFunction, ServerBuild } from "react-router";
import { type HandleErrorFunction, isRouteErrorResponse } from "react-router";
import type { Client, Deps } from "#app/core/deps.server.ts";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import type { Watchdog } from "#app/http/watchdog/watchdog.ts";
import { isUnavailable } from "#db/connection.server.ts";

/** The words of our own addresses; everything else in a path may be an id or a secret. */
export function wordsOf(routes: ServerBuild["routes"]): ReadonlySet<string> {
  const words = Object.values(routes).flatMap((route) => route?.path?.split("/") ?? []);
  const own = words.filter((word) => !/^[:*]/.test(word));
  return new Set([...own, "", "__manifest", "assets"]);
}

/**
 * The path with `:id` for whatever is none of the words: `/booking/:id`. `path` as `canonicalPath`
 * spells it.
 */
export function maskPath(path: string | null, words: ReadonlySet<string>): string {
  const segments = path?.split("/") ?? [":id"];
  return segments.map((segment) => (words.has(segment) ? segment : ":id")).join("/");
}

/** `asked` the path as `canonicalPath` spells it. */
export function reportWhenDone(
  {
    log,
    metrics,
    words,
    watchdog,
  }: Pick<Deps, "log" | "metrics"> & {
    words: ReadonlySet<string>;
    watchdog?: Watchdog | undefined;
  },
  request: IncomingMessage,
  response: ServerResponse,
  { client, asked, startedAt }: { client: Client; asked: string | null; startedAt: number },
): void {
  const path = maskPath(asked, words);
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

/** Notes which route answers, for the log and the measures: a pattern names nobody. */
export const noteRoutePattern: MiddlewareFunction<Response> = ({ pattern, context }) => {
  context.get(clientContext).route = `/${pattern.replace(/^\//, "")}`;
};

/** Logs a bug with its stack, here and nowhere else; expected refusals are not bugs. */
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
