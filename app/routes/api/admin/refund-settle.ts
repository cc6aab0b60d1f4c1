import { actorOf } from "#app/auth/require-admin.server.ts";
import { settleSchema } from "#app/booking/staff-fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { settleRefund } from "#app/payments/settle-refund.server.ts";
import { refundJson } from "./answers.ts";

const route = methods({
  POST: withBody(settleSchema, async (body, { deps, context, params }) => {
    const settled = await settleRefund(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(settled, (refund) => ({ refund: refundJson(refund) }));
  }),
});

export { route as action, route as loader };
