import { actorOf } from "#app/auth/require-admin.server.ts";
import { noteAttendance } from "#app/booking/attendance.server.ts";
import { attendanceSchema } from "#app/booking/change-fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { changedAppointmentJson } from "./answers.ts";

const route = methods({
  PUT: withBody(attendanceSchema, (body, { deps, context, params }) => {
    const noted = noteAttendance(deps, actorOf(context), params.id ?? "", body);
    return outcomeJson(noted, (appointment) => ({
      appointment: changedAppointmentJson(appointment),
    }));
  }),
});

export { route as action, route as loader };
