import { rescheduleSchema } from "#app/booking/change-fields.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { failureJson, outcomeJson, readJson } from "#app/http/json.server.ts";
import { changedAppointmentJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  async PUT({ deps, actor, params, request }) {
    const body = await readJson(request, rescheduleSchema);
    if (!body.ok) return failureJson(body);
    const { date, newTimeSlot: timeSlot, version } = body.value;
    const moved = rescheduleAppointment(deps, actor, params.id ?? "", { date, timeSlot, version });
    return outcomeJson(moved, (appointment) => ({
      appointment: changedAppointmentJson(appointment),
    }));
  },
});

export const loader = route;
export const action = route;
