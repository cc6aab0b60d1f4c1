/** Around every call: reports server errors in the envelope of the contract. */
import type { MiddlewareFunction } from "react-router";
import { clientContext } from "#app/core/deps.server.ts";
import { failureJson } from "#app/http/json.server.ts";
import { reportError } from "#app/http/request-log.server.ts";
import { failure, UNAVAILABLE } from "#app/model/outcome.ts";

/** If a call throws, the framework responds with 500; if a gate throws, `next` rejects. */
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
