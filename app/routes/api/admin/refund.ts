import { actorOf } from "#app/auth/require-admin.server.ts";
import { refundPart } from "#app/booking/refund-part.server.ts";
import { refundSchema } from "#app/booking/staff-fields.ts";
import { methods, withBody } from "#app/http/json.server.ts";
import { refundJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  POST: withBody(refundSchema, (body, call) => {
    const { deps, context, params } = call;
    const appointmentId = params.id ?? "";
    const work = () => refundPart(deps, actorOf(context), appointmentId, body);
    return onceForKey(call, body, work, (refund) => ({
      appointmentId,
      data: { refund: refundJson(refund) },
    }));
  }),
});

export { route as action, route as loader };
