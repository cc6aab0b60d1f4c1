import { appointmentJson } from "#app/booking/appointment-json.ts";
import {
  DEFAULT_PAGE_SIZE,
  filterOf,
  listSchema,
  MOST_ROWS_UNPAGED,
} from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, successJson, withQuery } from "#app/http/json.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";

const route = methods({
  GET: withQuery(listSchema, ({ page, pageSize, sort, ...filter }, { deps }) => {
    const isPaged = page !== undefined || pageSize !== undefined;
    const size = isPaged ? (pageSize ?? DEFAULT_PAGE_SIZE) : MOST_ROWS_UNPAGED;
    const number = page ?? 1;
    const options = { sort, page: number, pageSize: size };
    const wanted = filterOf(readCatalogue(deps.db), filter);
    if (!wanted.ok) return failureJson(wanted);
    const { rows, stats } = readAppointmentPage(deps.db, wanted.value, options);
    return successJson({
      appointments: rows.map(appointmentJson),
      stats,
      page: { number, size, total: stats.totalAppointments },
    });
  }),
});

export { route as action, route as loader };
