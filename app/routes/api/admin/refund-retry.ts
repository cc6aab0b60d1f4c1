import { refundJson } from "#app/api-contract/admin-answers.ts";
import { outcomeJson } from "#app/api-contract/api.server.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";
import { retryRefund } from "#app/payments/refund-retry.server.ts";

const route = adminApi({
  POST({ deps, actor, params }) {
    return outcomeJson(retryRefund(deps, actor, params.id ?? ""), refundJson);
  },
});

export const loader = route;
export const action = route;
