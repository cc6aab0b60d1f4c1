import { actorOf } from "#app/auth/require-admin.server.ts";
import { type Cancelled, cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { cancelSchema } from "#app/booking/staff-fields.ts";
import { methods, withBody } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findRefund } from "#db/queries/payments.server.ts";
import { changedAppointmentJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  POST: withBody(cancelSchema, (body, call) => {
    const { deps, context, params } = call;
    const work = () => cancelAppointment(deps, actorOf(context), params.id ?? "", body);
    const made = ({ appointment: { id }, refund }: Cancelled) => ({
      appointmentId: id,
      refundId: refund?.id ?? null,
    });
    return onceForKey(call, body, work, made, ({ appointmentId, refundId }) => {
      const refund = refundId ? findRefund(deps.db, refundId) : null;
      return {
        appointment: changedAppointmentJson(findAppointment(deps.db, appointmentId)!),
        refund: refund && { status: refund.state, amount: rupeesOf(refund.amountPaise) },
      };
    });
  }),
});

export { route as action, route as loader };
