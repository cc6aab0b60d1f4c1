/**
 * Reports that the customer is missing from a session (captains for their own, staff for any), and
 * settles a call for help (staff).
 */
import { bookingIdAt } from "#app/auth/require-admin.server.ts";
import type { Failure } from "#app/model/outcome.ts";
import { wording } from "#app/model/unknown-code.ts";
import { clickAction } from "#app/routes/admin/parts/forms.server.ts";
import { callForHelp, type Settled, settleHelp } from "#app/sessions/help.server.ts";
import type { Route } from "./+types/appointment-help";

const done = wording<Settled>({
  moved: "The session is moved to the time that the customer asked for, and everybody is notified.",
  refunded:
    "The session is cancelled and all that is left of the money goes back; its panel says how.",
  closed: "It is closed. Nobody is notified of it.",
});

const refusal = ({ message }: Failure) =>
  ({ title: "Nothing Was Done", description: message, variant: "destructive" }) as const;

export const action = clickAction<Route.ActionArgs>(({ deps, actor, form, params, context }) => {
  const text = (name: string) => String(form.get(name) ?? "");
  const id = bookingIdAt(context, params.id);
  if (params.side === undefined) {
    const called = callForHelp(deps, actor, id, "captain");
    if (!called.ok) return refusal(called);
    return called.value.isNew
      ? {
          title: "Customer and Team Notified",
          description: "Both have a mail with the number to call.",
        }
      : {
          title: "Notified Already",
          description: "Customer and team were notified before. No mail is sent again.",
        };
  }
  const settled = settleHelp(deps, actor, id, {
    side: params.side === "captain" ? "captain" : "customer",
    asked: text("asked"),
    startsAt: Number(text("startsAt")),
    confirm: text("answer") === "confirm",
  });
  if (!settled.ok) return refusal(settled);
  return { title: "Help Settled", description: done(settled.value) };
});

export { toDashboard as loader } from "#app/routes/admin/parts/forms.server.ts";
