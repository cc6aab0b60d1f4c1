import { refreshBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { failureJson, methods, outcomeJson } from "#app/http/json.server.ts";
import { busyCalendarJson } from "./answers.ts";
import { keyedCounselor } from "./named-counselor.server.ts";

const route = methods({
  async POST(call) {
    const counselor = keyedCounselor(call);
    if (!counselor.ok) return failureJson(counselor);
    const refreshed = await refreshBusyCalendar(call.deps, counselor.value.key);
    return outcomeJson(refreshed, busyCalendarJson);
  },
});

export { route as action, route as loader };
