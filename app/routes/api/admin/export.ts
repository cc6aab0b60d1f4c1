import { actorOf } from "#app/auth/require-admin.server.ts";
import { exportAppointments } from "#app/booking/export.server.ts";
import { filterOf, filterSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { failureJson, methods, withQuery } from "#app/http/json.server.ts";
import { workbookResponse } from "#app/http/workbook-response.server.ts";

const route = methods({
  GET: withQuery(filterSchema, async (query, { deps, context, request }) => {
    if (request.method === "HEAD") return workbookResponse(null);
    const filter = filterOf(readCatalogue(deps.db), query);
    if (!filter.ok) return failureJson(filter);
    const file = await exportAppointments(deps, actorOf(context), filter.value);
    return file.ok ? workbookResponse(file.value) : failureJson(file);
  }),
});

export { route as action, route as loader };
