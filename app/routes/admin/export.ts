/** The workbook of the filtered list, for pages without scripts and for a link. */
import { href } from "react-router";
import { filterOf, filterSchema } from "#app/api-contract/admin-calls.ts";
import { check } from "#app/api-contract/api.server.ts";
import { exportAppointments } from "#app/booking/export.server.ts";
import { listHref } from "#app/components/admin/list-search.ts";
import { RendererBusy } from "#app/documents/renderer.server.ts";
import { depsContext } from "#app/lib/deps.server.ts";
import { failure } from "#app/lib/outcome.ts";
import { workbookResponse } from "#app/routes/downloads/workbook-response.server.ts";
import type { Route } from "./+types/export";
import { actorOf, goOn } from "./forms.server.ts";

const FAILED = "Failed to export appointments data.";

/** A wrong filter exports nothing: never more than was asked for. */
export async function loader({ url, context, request }: Route.LoaderArgs): Promise<Response> {
  if (request.method === "HEAD") return workbookResponse(null);
  const deps = context.get(depsContext);
  const query = check(filterSchema, Object.fromEntries(url.searchParams));
  const outcome = query.ok
    ? await exportAppointments(deps, actorOf(context), filterOf(query.value)).catch(busy)
    : query;
  if (!outcome.ok) {
    return goOn(deps, listHref(href("/admin"), url.searchParams.toString()), {
      title: "Export Failed",
      description: `${FAILED} ${outcome.message}`,
      variant: "destructive",
    });
  }
  return workbookResponse(outcome.value);
}

function busy(error: unknown) {
  if (error instanceof RendererBusy) {
    return failure("unavailable", "The server is busy. Please try again in a moment.");
  }
  throw error;
}
