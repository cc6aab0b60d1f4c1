/** Without scripts: redirects to the invoice or, if there is none, to the list with a notice. */
import { href, redirect } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { found } from "#app/http/found.ts";
import { goOn } from "#app/routes/admin/parts/forms.server.ts";
import { boardHref, listSearchOf } from "#app/routes/admin/parts/list-search.ts";
import { NO_INVOICE } from "#app/routes/admin/parts/session-parts.tsx";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { Route } from "./+types/appointment-invoice";

export function loader({ params, url, context }: Route.LoaderArgs): Response | Promise<Response> {
  const deps = context.get(depsContext);
  const { id, invoiceNumber } = found(findAppointment(deps.db, params.id));
  if (invoiceNumber !== null) return redirect(href("/api/invoice/:id", { id }), 303);
  const list = boardHref(listSearchOf(url));
  return goOn(deps, list, { ...NO_INVOICE, variant: "destructive" });
}
