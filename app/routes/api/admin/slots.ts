import { shownId } from "#app/auth/own-reach.server.ts";
import { actorOf, ownCounselor } from "#app/auth/require-admin.server.ts";
import { readAdminDay } from "#app/availability/admin-day.server.ts";
import { resetAvailability, setAvailability } from "#app/availability/set-availability.server.ts";
import { daySchema, setSlotsSchema } from "#app/booking/list-fields.ts";
import {
  failureJson,
  methods,
  outcomeJson,
  successJson,
  withBody,
  withQuery,
} from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";
import { namedCounselor } from "./named-counselor.server.ts";

const route = methods({
  GET: withQuery(daySchema, ({ counselor, date }, call) => {
    const { deps, context } = call;
    const chosen = namedCounselor(call, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const day = readAdminDay(deps, chosen.value.key, date);
    const { timeSlots, isDefault, blocked, booked } = day;
    return successJson({
      ...{ timeSlots, isDefault, blocked },
      booked: booked.map(({ appointmentId: id, calendarUid, minutes, ...session }) => ({
        ...session,
        id: shownId(ownCounselor(context), { id, calendarUid }),
        package: minutes,
      })),
    });
  }),

  POST: withBody(setSlotsSchema, ({ counselor, date, timeSlots }, call) => {
    const { deps, context } = call;
    const chosen = namedCounselor(call, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date], timeSlots };
    return outcomeJson(setAvailability(deps, actorOf(context), wish), (change) =>
      affectedJson(context, change),
    );
  }),

  DELETE: withQuery(daySchema, ({ counselor, date }, call) => {
    const { deps, context } = call;
    const chosen = namedCounselor(call, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date] };
    return outcomeJson(resetAvailability(deps, actorOf(context), wish), (change) =>
      affectedJson(context, change),
    );
  }),
});

export { route as action, route as loader };
