import { actorOf } from "#app/auth/require-admin.server.ts";
import { readAdminDay } from "#app/availability/admin-day.server.ts";
import { resetAvailability, setAvailability } from "#app/availability/set-availability.server.ts";
import { daySchema, setSlotsSchema } from "#app/booking/list-fields.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import { methods, outcomeJson, successJson, withBody, withQuery } from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";

const keyOf = (counselor: string) => findCounselorByName(counselor)!.key;

const route = methods({
  GET: withQuery(daySchema, ({ counselor, date }, { deps }) => {
    const { booked, ...day } = readAdminDay(deps, keyOf(counselor), date);
    return successJson({
      ...day,
      booked: booked.map(({ appointmentId, minutes, ...session }) => ({
        ...session,
        id: appointmentId,
        package: minutes,
      })),
    });
  }),

  POST: withBody(setSlotsSchema, ({ counselor, date, timeSlots }, { deps, context }) => {
    const wish = { counselorKey: keyOf(counselor), dates: [date], timeSlots };
    return outcomeJson(setAvailability(deps, actorOf(context), wish), affectedJson);
  }),

  DELETE: withQuery(daySchema, ({ counselor, date }, { deps, context }) => {
    const wish = { counselorKey: keyOf(counselor), dates: [date] };
    return outcomeJson(resetAvailability(deps, actorOf(context), wish), affectedJson);
  }),
});

export { route as action, route as loader };
