import { actorOf } from "#app/auth/require-admin.server.ts";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { versionOnlySchema } from "#app/booking/change-fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { rupeesOf } from "#app/model/money.ts";
import { changedAppointmentJson } from "./answers.ts";

const route = methods({
  POST: withBody(versionOnlySchema, (body, { deps, context, params }) => {
    const cancelled = cancelAppointment(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(cancelled, ({ appointment, refund }) => ({
      appointment: changedAppointmentJson(appointment),
      refund: refund && { status: refund.state, amount: rupeesOf(refund.amountPaise) },
    }));
  }),
});

export { route as action, route as loader };
