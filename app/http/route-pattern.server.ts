import type { MiddlewareFunction } from "react-router";
import { clientContext } from "#app/core/deps.server.ts";

/** Notes which route answers, for the log and the measures: a pattern names nobody. */
export const noteRoutePattern: MiddlewareFunction<Response> = ({ pattern, context }) => {
  context.get(clientContext).route = `/${pattern.replace(/^\//, "")}`;
};
