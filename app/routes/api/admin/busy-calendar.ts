import { actorOf } from "#app/auth/require-admin.server.ts";
import { busyCalendarSchema } from "#app/availability/busy-calendar-fields.ts";
import { readBusyCalendar, setBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { failureJson, methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { busyCalendarJson } from "./answers.ts";
import { keyedCounselor } from "./named-counselor.server.ts";

const route = methods({
  GET(call) {
    const counselor = keyedCounselor(call);
    if (!counselor.ok) return failureJson(counselor);
    return outcomeJson(readBusyCalendar(call.deps, counselor.value.key), busyCalendarJson);
  },

  PUT(call) {
    const counselor = keyedCounselor(call);
    if (!counselor.ok) return failureJson(counselor);
    const { key } = counselor.value;
    return withBody(busyCalendarSchema, async ({ url, version }, { deps, context }) =>
      outcomeJson(
        await setBusyCalendar(deps, actorOf(context), key, url, version),
        busyCalendarJson,
      ),
    )(call);
  },
});

export { route as action, route as loader };
