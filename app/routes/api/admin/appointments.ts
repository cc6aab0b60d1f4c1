import { appointmentJson } from "#app/booking/appointment-json.ts";
import {
  DEFAULT_PAGE_SIZE,
  filterOf,
  listSchema,
  MOST_ROWS_UNPAGED,
} from "#app/booking/list-fields.ts";
import { failureJson, readQuery, successJson } from "#app/http/json.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  GET({ deps, url }) {
    const query = readQuery(url, listSchema);
    if (!query.ok) return failureJson(query);
    const { page, pageSize, sort } = query.value;
    const isPaged = page !== undefined || pageSize !== undefined;
    const size = isPaged ? (pageSize ?? DEFAULT_PAGE_SIZE) : MOST_ROWS_UNPAGED;
    const number = page ?? 1;
    const options = { sort, page: number, pageSize: size };
    const { rows, stats } = readAppointmentPage(deps.db, filterOf(query.value), options);
    return successJson({
      appointments: rows.map(appointmentJson),
      stats,
      page: { number, size, total: stats.totalAppointments },
    });
  },
});

export const loader = route;
export const action = route;
