import { type HandleErrorFunction, isRouteErrorResponse } from "react-router";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { noteFailure } from "#app/core/failures.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { isUnavailable } from "#db/connection.server.ts";

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
