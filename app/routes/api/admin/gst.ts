import { actorOf } from "#app/auth/require-admin.server.ts";
import { exportGstMonth } from "#app/documents/gst-month.server.ts";
import { methods, withQuery } from "#app/http/json.server.ts";
import { workbookResponse } from "#app/http/workbook-response.server.ts";
import { monthSchema } from "#app/model/month.ts";

const route = methods({
  GET: withQuery(monthSchema, async ({ month }, { deps, context, request }) => {
    if (request.method === "HEAD") return workbookResponse(null);
    return workbookResponse(await exportGstMonth(deps, actorOf(context), month));
  }),
});

export { route as action, route as loader };
