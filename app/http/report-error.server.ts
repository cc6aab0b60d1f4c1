import { type HandleErrorFunction, isRouteErrorResponse } from "react-router";
import { clientContext, depsContext } from "#app/core/deps.server.ts";
import { RendererBusy } from "#app/core/document-renderer.ts";
import { isUnavailable } from "#db/connection.server.ts";

/** Logs a bug with its stack, here and nowhere else; expected refusals are not bugs. */
export const reportError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) return;
  const client = context.get(clientContext);
  client.unavailable = isUnavailable(error) || error instanceof RendererBusy;
  const message = client.unavailable ? "unavailable" : "bug";
  context.get(depsContext).log.error({ err: error, requestId: client.requestId }, message);
};
