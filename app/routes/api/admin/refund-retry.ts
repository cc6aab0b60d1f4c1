import { actorOf } from "#app/auth/require-admin.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";
import { retryRefund } from "#app/payments/retry-refund.server.ts";
import { refundJson } from "./answers.ts";

const route = methods({
  async POST({ deps, context, params }) {
    return outcomeJson(await retryRefund(deps, actorOf(context), params.id ?? ""), refundJson);
  },
});

export { route as action, route as loader };
