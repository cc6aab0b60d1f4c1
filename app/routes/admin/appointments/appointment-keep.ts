/** Keeps a session although its time was taken away, then redirects to the page of the button. */
import { pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { keepClash } from "#app/availability/clashes.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import { actorOf, goOn, refuseClick } from "#app/routes/admin/parts/forms.server.ts";
import type { Route } from "./+types/appointment-keep";

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const actor = actorOf(context);
  const refused = refuseClick(deps, form, actor);
  if (refused) return refused;
  const kept = keepClash(deps, actor, params.id, {
    version: Number(form.get("version")),
    causes: form.getAll("cause").map(String),
  });
  const notice = kept.ok
    ? { title: "Session Kept", description: `The session of ${kept.value.name} stays as it is.` }
    : { title: "Not Kept", description: kept.message, variant: "destructive" as const };
  return goOn(deps, pathAfterSignIn(String(form.get("back") ?? "")), notice);
}

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
