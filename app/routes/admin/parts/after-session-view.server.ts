/** What comes after a session, worded for the panel and the captain's page. */
import { href } from "react-router";
import type { Deps } from "#app/core/deps.server.ts";
import { takesPlan } from "#app/model/after-session.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminInstant } from "#app/model/dates.ts";
import { findPlan } from "#db/queries/plans.server.ts";

export type PlanLinkView = NonNullable<ReturnType<typeof planLink>>;

/** `shownAs`: its id for who reads the page. Null while there is nothing to write. */
export function planLink(
  { db, now }: Pick<Deps, "db" | "now">,
  appointment: Appointment,
  shownAs: string,
) {
  if (!takesPlan(appointment, now())) return null;
  const plan = findPlan(db, appointment.id);
  const sent = plan?.sentAt ? `Plan, sent on ${adminInstant(plan.sentAt)}` : null;
  return {
    to: href("/admin/appointments/:id/plan", { id: shownAs }),
    words: sent ?? (plan ? "Plan: a draft, not sent yet" : "Write the plan"),
  };
}
