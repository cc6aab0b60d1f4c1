import { actorOf } from "#app/auth/require-admin.server.ts";
import { exportGstMonth } from "#app/documents/gst-month.server.ts";
import { failureJson, methods, withQuery } from "#app/http/json.server.ts";
import { workbookResponse } from "#app/http/workbook-response.server.ts";
import { monthSchema } from "#app/model/month.ts";

const route = methods({
  GET: withQuery(monthSchema, async ({ month }, { deps, context, request }) => {
    if (request.method === "HEAD") return workbookResponse(null);
    const file = await exportGstMonth(deps, actorOf(context), month);
    return file.ok ? workbookResponse(file.value) : failureJson(file);
  }),
});

export { route as action, route as loader };
