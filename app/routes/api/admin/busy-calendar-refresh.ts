import { refreshBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { methods, outcomeJson } from "#app/http/json.server.ts";
import { busyCalendarJson } from "./answers.ts";

const route = methods({
  async POST({ deps, params }) {
    return outcomeJson(await refreshBusyCalendar(deps, params.key ?? ""), busyCalendarJson);
  },
});

export { route as action, route as loader };
