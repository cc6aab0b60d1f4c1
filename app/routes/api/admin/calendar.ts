import { readCalendar } from "#app/booking/calendar.server.ts";
import { calendarSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { counselorNamed } from "#app/model/catalogue.ts";

const route = methods({
  GET: withQuery(calendarSchema, ({ from, to, counselor }, { deps }) => {
    const catalogue = readCatalogue(deps.db);
    const chosen = counselor === undefined ? null : counselorNamed(catalogue, counselor);
    if (chosen?.ok === false) return failureJson(chosen);
    const counselors = chosen ? [chosen.value] : catalogue.counselors;
    const days = readCalendar(deps, { counselors, from, to });
    return successJson({
      days: days.map((day) => ({
        date: day.date,
        counselors: day.counselors.map((one) => ({
          ...one,
          sessions: one.sessions.map(({ id, name, timeSlot, minutes, status }) => {
            return { id, name, timeSlot, package: minutes, status };
          }),
        })),
      })),
    });
  }),
});

export { route as action, route as loader };
