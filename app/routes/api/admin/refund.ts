import { actorOf } from "#app/auth/require-admin.server.ts";
import { refundPart } from "#app/booking/refund-part.server.ts";
import { refundSchema } from "#app/booking/staff-fields.ts";
import { methods, withBody } from "#app/http/json.server.ts";
import { findRefund, type StoredRefund } from "#db/queries/payments.server.ts";
import { refundJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  POST: withBody(refundSchema, (body, call) => {
    const { deps, context, params } = call;
    const appointmentId = params.id ?? "";
    const work = () => refundPart(deps, actorOf(context), appointmentId, body);
    const made = ({ id }: StoredRefund) => ({ appointmentId, refundId: id });
    return onceForKey(call, body, work, made, ({ refundId = "" }) => ({
      refund: refundJson(findRefund(deps.db, refundId ?? "")!),
    }));
  }),
});

export { route as action, route as loader };
