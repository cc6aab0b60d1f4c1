/** What is asked between payment and session: a guardian's confirmation, and answers to questions. */
import { z } from "zod";
import type { Appointment } from "#app/model/appointment.ts";
import type { Answer } from "#app/model/catalogue.ts";
import { PAID } from "#app/model/statuses.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { findBy } from "#db/by-column.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
import { appointments, toAppointment } from "./appointments.server.ts";

/** Null while nobody was asked. */
export const findGuardian = findBy("guardian", "appointment_id");
export type Guardian = NonNullable<ReturnType<typeof findGuardian>>;

export const findGuardianByToken = findBy("guardian", "token");

/** Replaces the token; the previous one no longer works. */
export function askGuardianBy(tx: Db, appointmentId: string, token: string): void {
  const row = sqlite.insertInto("guardian").values({ appointment_id: appointmentId, token });
  tx.run(row.onConflict((conflict) => conflict.column("appointment_id").doUpdateSet({ token })));
}

/** Removes the confirmation, because the student's name has changed. */
export function forgetConfirmation(tx: Db, appointmentId: string): void {
  const open = { confirmed_at: null, relation: null, words: null };
  tx.run(sqlite.updateTable("guardian").set(open).where("appointment_id", "=", appointmentId));
}

/** The link leads nowhere any more; a confirmation that was given stays. */
export function deleteUnconfirmed(tx: Db, appointmentId: string): void {
  const unconfirmed = sqlite.deleteFrom("guardian").where("confirmed_at", "is", null);
  tx.run(unconfirmed.where("appointment_id", "=", appointmentId));
}

/** Does nothing if it was confirmed before. */
export function saveConfirmation(
  tx: Db,
  appointmentId: string,
  { at, relation, words }: { at: number; relation: string; words: string },
): void {
  const open = sqlite.updateTable("guardian").where("confirmed_at", "is", null);
  const set = open.set({ confirmed_at: at, relation, words });
  tx.run(set.where("appointment_id", "=", appointmentId));
}

/** Paid sessions of somebody under 18 that start between two instants and no guardian confirmed. */
export function listUnconfirmed(
  db: Db,
  { after, until }: { after: number; until: number },
  limit: number,
): Appointment[] {
  const coming = appointments
    .leftJoin("guardian as g", "g.appointment_id", "a.id")
    .where("a.status", "in", literals(PAID))
    .where("a.starts_at", ">", after)
    .where("a.starts_at", "<=", until)
    .where("a.student_under_18", "=", 1)
    .where("g.confirmed_at", "is", null);
  return db.all(coming.orderBy("a.starts_at").limit(limit)).map(toAppointment);
}

const answersSchema = z.array(z.object({ id: z.string(), label: z.string(), answer: z.string() }));

/** In the order the questions had when they were answered. */
export function findAnswers(db: Db, appointmentId: string): Answer[] {
  const rows = sqlite.selectFrom("preparation").select("answers");
  const row = db.first(rows.where("appointment_id", "=", appointmentId));
  return row ? storedJson("preparation.answers", row.answers, answersSchema, []) : [];
}
export function saveAnswers(
  tx: Db,
  appointmentId: string,
  answers: readonly Answer[],
  now: number,
): void {
  const row = { appointment_id: appointmentId, answers: JSON.stringify(answers), changed_at: now };
  tx.run(sqlite.replaceInto("preparation").values(row));
}
