/** The plans that captains write down after a session. */
import { sql } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { dateInIndia, MINUTE } from "#app/model/dates.ts";
import { LONGEST_SESSION_MINUTES } from "#app/model/day-plan.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { appointments, toAppointment } from "./appointments.server.ts";
import { type Ended, paidAndEnded } from "./reminders.server.ts";

export interface Plan {
  text: string;
  /** The captain's name, and the start of the session that it was written after. */
  counselor: string;
  startsAt: number;
  /** When it was mailed last; null: a draft, which the customer does not see. */
  sentAt: number | null;
  /** Raised by every save. */
  version: number;
}

/** The last that was written for the booking. */
export function findPlan(db: Db, appointmentId: string): Plan | null {
  const plan = sqlite
    .selectFrom("plan as p")
    .innerJoin("counselor as c", "c.key", "p.counselor_key")
    .select(["p.text", "c.name as counselor", "p.starts_at as startsAt"])
    .select(["p.sent_at as sentAt", "p.version"]);
  return db.first(plan.where("p.appointment_id", "=", appointmentId));
}

/** Null also for the plan of a session that the booking was moved from since. */
export function findPlanOfSession(
  db: Db,
  { id, startsAt }: Pick<Appointment, "id" | "startsAt">,
): Plan | null {
  const plan = findPlan(db, id);
  return plan?.startsAt === startsAt ? plan : null;
}

export function savePlan(
  tx: Db,
  { id, counselorKey, startsAt }: Pick<Appointment, "id" | "counselorKey" | "startsAt">,
  { text, sentAt }: Pick<Plan, "text" | "sentAt">,
  now: number,
): void {
  const session = { counselor_key: counselorKey, starts_at: startsAt };
  const change = { ...session, text, sent_at: sentAt, updated_at: now };
  const row = sqlite.insertInto("plan").values({ appointment_id: id, ...change });
  const raised = { ...change, version: sql<number>`plan.version + 1` };
  tx.run(row.onConflict((known) => known.column("appointment_id").doUpdateSet(raised)));
}

/** A captain's completed sessions that ended between two instants and whose plan was not sent, latest first. */
export function listWithoutPlan(db: Db, ended: Required<Ended>, limit: number): Appointment[] {
  const sent = sqlite.selectFrom("plan as p").select("p.appointment_id");
  const own = sent
    .where("p.appointment_id", "=", sql.ref<string>("a.id"))
    .where("p.starts_at", "=", sql.ref<number>("a.starts_at"));
  const due = appointments
    .where(paidAndEnded(ended, "completed"))
    .where("a.personal_data_erased_at", "is", null)
    // For the index by captain and day.
    .where("a.on_date", ">=", dateInIndia(ended.since - LONGEST_SESSION_MINUTES * MINUTE))
    .where((eb) => eb.not(eb.exists(own.where("p.sent_at", "is not", null))));
  return db.all(due.orderBy("a.ends_at", "desc").limit(limit)).map(toAppointment);
}
