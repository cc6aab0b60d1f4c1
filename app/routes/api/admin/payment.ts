import { actorOf } from "#app/auth/require-admin.server.ts";
import { markPaidOutside } from "#app/booking/outside-payment.server.ts";
import { offlinePaymentSchema } from "#app/booking/staff-fields.ts";
import { methods, withBody } from "#app/http/json.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { changedAppointmentJson } from "./answers.ts";
import { onceForKey } from "./once-for-key.server.ts";

const route = methods({
  POST: withBody(offlinePaymentSchema, (body, call) => {
    const { deps, context, params } = call;
    const work = () => markPaidOutside(deps, actorOf(context), params.id ?? "", body);
    const made = ({ id }: Appointment) => ({ appointmentId: id });
    return onceForKey(call, body, work, made, ({ appointmentId }) => ({
      appointment: changedAppointmentJson(findAppointment(deps.db, appointmentId)!),
    }));
  }),
});

export { route as action, route as loader };
