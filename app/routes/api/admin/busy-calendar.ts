import { actorOf } from "#app/auth/require-admin.server.ts";
import { busyCalendarSchema } from "#app/availability/busy-calendar-fields.ts";
import {
  NO_SUCH_CAPTAIN,
  readBusyCalendar,
  setBusyCalendar,
} from "#app/availability/busy-calendars.server.ts";
import { methods, outcomeJson, withBody } from "#app/http/json.server.ts";
import { success } from "#app/model/outcome.ts";
import { busyCalendarJson } from "./answers.ts";

const route = methods({
  GET({ deps, params }) {
    const state = readBusyCalendar(deps, params.key ?? "");
    return outcomeJson(state ? success(state) : NO_SUCH_CAPTAIN, busyCalendarJson);
  },
  PUT: withBody(busyCalendarSchema, async ({ url }, { deps, context, params }) =>
    outcomeJson(
      await setBusyCalendar(deps, actorOf(context), params.key ?? "", url),
      busyCalendarJson,
    ),
  ),
});

export { route as action, route as loader };
