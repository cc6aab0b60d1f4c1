/** Around every call: what goes wrong on our side is told in the envelope of the contract. */
import type { MiddlewareFunction } from "react-router";
import { clientContext } from "#app/core/deps.server.ts";
import { failureJson } from "#app/http/json.server.ts";
import { reportError } from "#app/http/request-log.server.ts";
import { failure, UNAVAILABLE } from "#app/model/outcome.ts";

/** What a call throws is answered with 500 by the framework; what a gate throws is thrown on. */
const wrapFailures: MiddlewareFunction<Response> = async ({ request, params, context }, next) => {
  const answer = await next().catch((error: unknown) => {
    reportError(error, { request, params, context });
    return null;
  });
  if (answer && answer.status !== 500) return answer;
  const { requestId, unavailable } = context.get(clientContext);
  const sorry = `Something went wrong on our side. Please try again. Reference: ${requestId}`;
  return failureJson(unavailable ? UNAVAILABLE : failure("internal", sorry));
};

export const middleware = [wrapFailures];
