/** The plan that a captain, or staff, writes after a session and sends to its customer. */
import type { z } from "zod";
import { refuseErased } from "#app/booking/change-rules.ts";
import { changeAppointment } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { takesPlan } from "#app/model/after-session.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { DAY, isoInstant } from "#app/model/dates.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { readText } from "#app/model/plain-text.server.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import {
  findPlan,
  findPlanOfSession,
  listWithoutPlan,
  type Plan,
  savePlan,
} from "#db/queries/plans.server.ts";
import type { planSchema } from "./fields.ts";

const TOO_EARLY = failure("too_early", "A plan can be written once a paid session is over.");

const STALE = failure(
  "stale",
  "This plan was changed in the meantime. Please look at it again before you go on.",
);

/**
 * A draft is seen by the team alone; once sent, the customer sees every change at once, and gets a
 * mail only with `send`. It replaces the plan of an earlier session of the booking, if there is one.
 * Writes nothing if nothing changes. Refusals: `not_found`, `too_early` unless
 * a paid session is over, `stale`.
 */
export function writePlan(
  deps: ChangeDeps,
  actor: Actor,
  id: string,
  { text, send = false, version }: z.output<typeof planSchema>,
): Outcome<Plan> {
  return changeAppointment(deps, actor, id, (appointment, { tx, now, log }) => {
    if (!takesPlan(appointment, now)) return TOO_EARLY;
    const erased = refuseErased(appointment);
    if (erased) return erased;
    const before = findPlan(tx, id);
    const own = findPlanOfSession(tx, appointment);
    if (own && !send && own.text === text) return success(own);
    const isFirst = version === 0 && own === null;
    if (version !== undefined && !isFirst && version !== (before?.version ?? 0)) return STALE;
    savePlan(tx, appointment, { text, sentAt: send ? now : (own?.sentAt ?? null) }, now);
    const plan = findPlan(tx, id)!;
    log(send ? "plan_send" : "plan_save", id);
    if (send) {
      queueMessages(tx, deps.env, now, { type: "plan_sent", appointment, version: plan.version });
    }
    return success(plan);
  });
}

/** As the calls answer it. */
export function planJson(plan: Plan | null) {
  if (!plan) return null;
  return { text: plan.text, sentAt: plan.sentAt === null ? null : isoInstant(plan.sentAt) };
}

/** As its customer reads it; null while there is none, or a draft. `at`: when it was sent. */
export function sentPlan({ db }: Pick<Deps, "db">, appointmentId: string) {
  const plan = findPlan(db, appointmentId);
  if (!plan?.sentAt) return null;
  const { text, sentAt: at, counselor, startsAt } = plan;
  return { blocks: readText(text), at, counselor, startsAt };
}

/** Older ones are no longer asked for. */
const ASKED_FOR = 14 * DAY;
const MOST_SHOWN = 20;

/** A captain's sessions that took place more than a day ago and whose customer has no plan yet. */
export function readPlansDue(
  { db, now }: Pick<Deps, "db" | "now">,
  counselorKey: string,
): Appointment[] {
  const until = now() - DAY;
  return listWithoutPlan(db, { counselorKey, since: until - ASKED_FOR, until }, MOST_SHOWN);
}
