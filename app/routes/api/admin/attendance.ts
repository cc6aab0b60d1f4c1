import { bookingIdAt } from "#app/auth/own-reach.server.ts";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { noteAttendance } from "#app/booking/attendance.server.ts";
import { attendanceSchema } from "#app/booking/change-fields.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { changedJson } from "./answers.ts";

const route = methods({
  PUT: withBody(attendanceSchema, (body, { deps, context, params }) => {
    const id = bookingIdAt(context, params.id);
    const noted = noteAttendance(deps, actorOf(context), id, body);
    return outcomeJson(noted, (appointment) => changedJson(context, appointment));
  }),
});

export { route as action, route as loader };
