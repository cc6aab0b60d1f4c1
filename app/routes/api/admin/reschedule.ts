import { changedAppointmentJson } from "#app/api-contract/admin-answers.ts";
import { rescheduleSchema } from "#app/api-contract/admin-fields.ts";
import { failureJson, outcomeJson, readJson } from "#app/api-contract/api.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";

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
