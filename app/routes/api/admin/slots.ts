import { actorOf } from "#app/auth/require-admin.server.ts";
import { readAdminDay } from "#app/availability/admin-day.server.ts";
import { resetAvailability, setAvailability } from "#app/availability/set-availability.server.ts";
import { daySchema, setSlotsSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  failureJson,
  methods,
  outcomeJson,
  successJson,
  withBody,
  withQuery,
} from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";
import { affectedJson } from "./answers.ts";

const named = ({ db }: Deps, counselor: string) => counselorNamed(readCatalogue(db), counselor);

const route = methods({
  GET: withQuery(daySchema, ({ counselor, date }, { deps }) => {
    const chosen = named(deps, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const day = readAdminDay(deps, chosen.value.key, date);
    const { timeSlots, isDefault, blocked, booked } = day;
    return successJson({
      ...{ timeSlots, isDefault, blocked },
      booked: booked.map(({ appointmentId, minutes, ...session }) => ({
        ...session,
        id: appointmentId,
        package: minutes,
      })),
    });
  }),

  POST: withBody(setSlotsSchema, ({ counselor, date, timeSlots }, { deps, context }) => {
    const chosen = named(deps, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date], timeSlots };
    return outcomeJson(setAvailability(deps, actorOf(context), wish), affectedJson);
  }),

  DELETE: withQuery(daySchema, ({ counselor, date }, { deps, context }) => {
    const chosen = named(deps, counselor);
    if (!chosen.ok) return failureJson(chosen);
    const wish = { counselorKey: chosen.value.key, dates: [date] };
    return outcomeJson(resetAvailability(deps, actorOf(context), wish), affectedJson);
  }),
});

export { route as action, route as loader };
