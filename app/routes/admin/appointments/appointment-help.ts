/**
 * Reports that the customer is missing from a session (captains for their own, staff for any), and
 * settles a call for help (staff). Redirects to the page of the button.
 */
import { bookingIdAt, pathAfterSignIn } from "#app/auth/require-admin.server.ts";
import { depsContext } from "#app/core/deps.server.ts";
import type { Failure } from "#app/model/outcome.ts";
import { wording } from "#app/model/unknown-code.ts";
import { actorOf, goOn, refuseClick } from "#app/routes/admin/parts/forms.server.ts";
import type { Flash } from "#app/routes/admin/parts/notice.tsx";
import { callForHelp, type Settled, settleHelp } from "#app/sessions/help.server.ts";
import type { Route } from "./+types/appointment-help";

const done = wording<Settled>({
  moved: "The session is moved to the time that the customer asked for, and everybody is notified.",
  refunded:
    "The session is cancelled and all that is left of the money goes back; its panel says how.",
  closed: "It is closed. Nobody is notified of it.",
});

export async function action({ params, request, context }: Route.ActionArgs) {
  const deps = context.get(depsContext);
  const form = await request.formData();
  const actor = actorOf(context);
  const refused = refuseClick(deps, form, actor);
  if (refused) return refused;
  const text = (name: string) => String(form.get(name) ?? "");
  const answer = (title: string, description: string, variant: Flash["variant"] = "default") =>
    goOn(deps, pathAfterSignIn(text("back")), { title, description, variant });
  const refuse = ({ message }: Failure) => answer("Nothing Was Done", message, "destructive");
  const id = bookingIdAt(context, params.id);
  if (params.side === undefined) {
    const called = callForHelp(deps, actor, id, "captain");
    if (!called.ok) return refuse(called);
    return called.value.isNew
      ? answer("Customer and Team Notified", "Both have a mail with the number to call.")
      : answer(
          "Notified Already",
          "Customer and team were notified before. No mail is sent again.",
        );
  }
  const settled = settleHelp(deps, actor, id, {
    side: params.side === "captain" ? "captain" : "customer",
    asked: text("asked"),
    startsAt: Number(text("startsAt")),
    confirm: text("answer") === "confirm",
  });
  if (!settled.ok) return refuse(settled);
  return answer("Help Settled", done(settled.value));
}

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
