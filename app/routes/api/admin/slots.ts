import { readAdminDay } from "#app/availability/admin-day.server.ts";
import { resetAvailability, setAvailability } from "#app/availability/set-availability.server.ts";
import { daySchema, setSlotsSchema } from "#app/booking/list-fields.ts";
import { findCounselorByName } from "#app/catalogue.ts";
import {
  failureJson,
  outcomeJson,
  readJson,
  readQuery,
  successJson,
} from "#app/http/json.server.ts";
import { affectedJson } from "./answers.ts";
import { adminApi } from "./call-gate.server.ts";

const keyOf = (counselor: string) => findCounselorByName(counselor)!.key;

const route = adminApi({
  GET({ deps, url }) {
    const query = readQuery(url, daySchema);
    if (!query.ok) return failureJson(query);
    const { counselor, date } = query.value;
    const { booked, ...day } = readAdminDay(deps, keyOf(counselor), date);
    return successJson({
      ...day,
      booked: booked.map(({ appointmentId, minutes, ...session }) => ({
        ...session,
        id: appointmentId,
        package: minutes,
      })),
    });
  },

  async POST({ deps, actor, request }) {
    const body = await readJson(request, setSlotsSchema);
    if (!body.ok) return failureJson(body);
    const { counselor, date, timeSlots } = body.value;
    const wish = { counselorKey: keyOf(counselor), dates: [date], timeSlots };
    return outcomeJson(setAvailability(deps, actor, wish), affectedJson);
  },

  DELETE({ deps, actor, url }) {
    const query = readQuery(url, daySchema);
    if (!query.ok) return failureJson(query);
    const { counselor, date } = query.value;
    const wish = { counselorKey: keyOf(counselor), dates: [date] };
    return outcomeJson(resetAvailability(deps, actor, wish), affectedJson);
  },
});

export const loader = route;
export const action = route;
