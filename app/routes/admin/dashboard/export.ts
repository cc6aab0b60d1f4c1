/** The workbook of the filtered list, for pages without scripts and for a link. */
import { href } from "react-router";
import { actorOf } from "#app/auth/require-admin.server.ts";
import { filterOf, filterSchema } from "#app/booking/list-fields.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { exportAppointments } from "#app/documents/exports.server.ts";
import { workbookResponse } from "#app/http/file-response.server.ts";
import { check } from "#app/model/fields.ts";
import { failure } from "#app/model/outcome.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { listHref } from "#app/routes/admin/parts/list-search.ts";
import { EXPORT_FAILED } from "#app/routes/admin/parts/words.ts";
import type { Route } from "./+types/export";

/** An invalid filter exports nothing, rather than more than requested. */
export async function loader({ url, context, request }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const query = check(filterSchema, Object.fromEntries(url.searchParams));
  const filter = query.ok ? filterOf(readCatalogue(deps.db), query.value) : query;
  if (filter.ok && request.method === "HEAD") return workbookResponse(null);
  const outcome = filter.ok
    ? await exportAppointments(deps, actorOf(context), filter.value).catch(busy)
    : filter;
  if (!outcome.ok) {
    return goOn(deps, listHref(href("/admin"), url.searchParams.toString()), {
      title: "Export Failed",
      description: `${EXPORT_FAILED} ${outcome.message}`,
      variant: "destructive",
    });
  }
  return workbookResponse(outcome.value);
}

function busy(error: unknown) {
  if (error instanceof QueueFull) {
    return failure("unavailable", "The server is busy. Please try again in a moment.");
  }
  throw error;
}
