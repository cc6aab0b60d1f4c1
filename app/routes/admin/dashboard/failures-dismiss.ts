/** Removes internal failures from the dashboard, unless they occurred again since they were shown. */
import { href } from "react-router";
import { depsContext } from "#app/core/deps.server.ts";
import { actorOf, goOn, refuseClick } from "#app/routes/admin/parts/forms.server.ts";
import { deleteFailures } from "#db/queries/health.server.ts";
import type { Route } from "./+types/failures-dismiss";

export async function action({ request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const refused = refuseClick(deps, form, actorOf(context));
  if (refused) return refused;
  const until = Number(form.get("until"));
  if (Number.isFinite(until)) deleteFailures(deps.db, until);
  const description = "It comes back if it happens again. The log keeps it.";
  return goOn(deps, href("/admin"), { title: "Dismissed", description });
}

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
