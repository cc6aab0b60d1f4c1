/** The accountant's workbook of a month, for the page's link. */
import { href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { QueueFull } from "#app/core/work-queue.server.ts";
import { exportGstMonth } from "#app/documents/exports.server.ts";
import { workbookResponse } from "#app/http/file-response.server.ts";
import { check } from "#app/model/fields.ts";
import { monthSchema } from "#app/model/month.ts";
import { failure } from "#app/model/outcome.ts";
import { actorOf, goOn } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/gst";

/** A month that is none leads to the page, which says so at its field. */
export async function loader({ url, context, request }: Route.LoaderArgs): Promise<Response> {
  const deps = context.get(depsContext);
  const value = url.searchParams.get("month") ?? "";
  const page = `${href("/admin/documents")}?${new URLSearchParams({ month: value })}`;
  const query = check(monthSchema, { month: value });
  if (!query.ok) return redirect(page, 303);
  if (request.method === "HEAD") return workbookResponse(null);
  const file = await exportGstMonth(deps, actorOf(context), query.value.month).catch(busy);
  if (file.ok) return workbookResponse(file.value);
  return goOn(deps, page, {
    title: "Download Failed",
    description: file.message,
    variant: "destructive",
  });
}

function busy(error: unknown) {
  if (error instanceof QueueFull) return failure("unavailable", "Please try again in a moment.");
  throw error;
}
