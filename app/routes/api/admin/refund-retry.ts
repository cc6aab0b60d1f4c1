import { outcomeJson } from "#app/http/json.server.ts";
import { retryRefund } from "#app/payments/refund-retry.server.ts";
import { refundJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  POST({ deps, actor, params }) {
    return outcomeJson(retryRefund(deps, actor, params.id ?? ""), refundJson);
  },
});

export const loader = route;
export const action = route;
