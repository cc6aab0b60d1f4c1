import { actorOf } from "#app/auth/require-admin.server.ts";
import { busyCalendarSchema } from "#app/availability/busy-calendar-fields.ts";
import { readBusyCalendar, setBusyCalendar } from "#app/availability/busy-calendars.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { busyCalendarJson } from "./answers.ts";

const route = methods({
  GET: ({ deps, params }) =>
    outcomeJson(readBusyCalendar(deps, params.key ?? ""), busyCalendarJson),
  PUT: withBody(busyCalendarSchema, async ({ url, version }, { deps, context, params }) =>
    outcomeJson(
      await setBusyCalendar(deps, actorOf(context), params.key ?? "", url, version),
      busyCalendarJson,
    ),
  ),
});

export { route as action, route as loader };
