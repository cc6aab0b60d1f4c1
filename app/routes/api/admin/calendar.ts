import { shownId, withinReach } from "#app/auth/own-reach.server.ts";
import { ownCounselor } from "#app/auth/require-admin.server.ts";
import { readCalendar } from "#app/booking/calendar.server.ts";
import { calendarSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { namedCounselor } from "./named-counselor.server.ts";

const route = methods({
  GET: withQuery(calendarSchema, ({ from, to, counselor }, call) => {
    const { deps, context } = call;
    const own = ownCounselor(context);
    const chosen = counselor === undefined ? null : namedCounselor(call, counselor);
    if (chosen?.ok === false) return failureJson(chosen);
    const all = withinReach(own, readCatalogue(deps.db)).counselors;
    const counselors = chosen ? [chosen.value] : all;
    const days = readCalendar(deps, { counselors, from, to });
    return successJson({
      days: days.map((day) => ({
        date: day.date,
        counselors: day.counselors.map((one) => ({
          ...one,
          sessions: one.sessions.map((session) => {
            const { name, timeSlot, minutes, status } = session;
            return { id: shownId(own, session), name, timeSlot, package: minutes, status };
          }),
        })),
      })),
    });
  }),
});

export { route as action, route as loader };
