/** Removes internal failures from the dashboard, unless they occurred again since they were shown. */
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import { deleteFailures } from "#db/queries/health.server.ts";
import type { Route } from "./+types/failures-dismiss";

export const action = clickAction<Route.ActionArgs>(({ deps, form }) => {
  const until = Number(form.get("until"));
  if (Number.isFinite(until)) deleteFailures(deps.db, until);
  const description = "It comes back if it happens again. The log keeps it.";
  return { title: "Dismissed", description };
});

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
