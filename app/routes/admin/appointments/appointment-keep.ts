/** Keeps a session although its time was taken away. */
import { keepClash } from "#app/availability/clashes.server.ts";
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/appointment-keep";

export const action = clickAction<Route.ActionArgs>(({ deps, actor, form, params }) => {
  const kept = keepClash(deps, actor, params.id, {
    version: Number(form.get("version")),
    causes: form.getAll("cause").map(String),
  });
  return kept.ok
    ? { title: "Session Kept", description: `The session of ${kept.value.name} stays as it is.` }
    : { title: "Not Kept", description: kept.message, variant: "destructive" };
});

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
