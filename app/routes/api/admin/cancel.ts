import { actorOf } from "#app/auth/require-admin.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { cancelSchema } from "#app/booking/staff-fields.ts";
import { methods, withBody } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { changedAppointmentJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  POST: withBody(cancelSchema, (body, call) => {
    const { deps, context, params } = call;
    const work = () => cancelAppointment(deps, actorOf(context), params.id ?? "", body);
    return onceForKey(call, body, work, ({ appointment, refund }) => ({
      appointmentId: appointment.id,
      data: {
        appointment: changedAppointmentJson(appointment),
        refund: refund && { status: refund.state, amount: rupeesOf(refund.amountPaise) },
      },
    }));
  }),
});

export { route as action, route as loader };
