import { filterOf, filterSchema } from "#app/api-contract/admin-calls.ts";
import { failureJson, readQuery } from "#app/api-contract/api.server.ts";
import { exportAppointments } from "#app/booking/export.server.ts";
import { adminApi } from "#app/middleware/require-admin.server.ts";
import { workbookResponse } from "#app/routes/downloads/workbook-response.server.ts";

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
