import { actorOf } from "#app/auth/require-admin.server.ts";
import { rescheduleSchema } from "#app/booking/change-fields.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { changedAppointmentJson } from "./answers.ts";

const route = methods({
  PUT: withBody(rescheduleSchema, (body, { deps, context, params }) => {
    const { newTimeSlot: timeSlot, ...wish } = body;
    const id = params.id ?? "";
    const moved = rescheduleAppointment(deps, actorOf(context), id, { ...wish, timeSlot });
    return outcomeJson(moved, (appointment) => ({
      appointment: changedAppointmentJson(appointment),
    }));
  }),
});

export { route as action, route as loader };
