import { exportAppointments } from "#app/booking/export.server.ts";
import { filterOf, filterSchema } from "#app/booking/list-fields.ts";
import { failureJson, readQuery } from "#app/http/json.server.ts";
import { workbookResponse } from "#app/http/workbook-response.server.ts";
import { adminApi } from "./call-gate.server.ts";

const route = adminApi({
  async GET({ deps, actor, url, request }) {
    const query = readQuery(url, filterSchema);
    if (!query.ok) return failureJson(query);
    if (request.method === "HEAD") return workbookResponse(null);
    const file = await exportAppointments(deps, actor, filterOf(query.value));
    return file.ok ? workbookResponse(file.value) : failureJson(file);
  },
});

export const loader = route;
export const action = route;
