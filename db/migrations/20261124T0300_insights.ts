/**
 * What goes back of a booking, beside what is kept of it: what was captured less what is kept. It is
 * worked out anew with every working out of what is kept, also where that stays the same.
 */
import { type Kysely, sql } from "kysely";

const CAPTURED = `(SELECT coalesce(sum(p.amount_paise), 0) FROM payment p
  WHERE p.appointment_id = appointment.id AND p.captured_at IS NOT NULL)`;

const statements = [
  "ALTER TABLE appointment ADD COLUMN refunded_paise INTEGER NOT NULL DEFAULT 0",
  `UPDATE appointment SET refunded_paise = ${CAPTURED} - kept_paise WHERE ${CAPTURED} <> kept_paise`,
  `CREATE TRIGGER appointment_refunded_change AFTER UPDATE OF kept_paise ON appointment
    WHEN NEW.refunded_paise <> ${CAPTURED.replace("appointment.id", "NEW.id")} - NEW.kept_paise BEGIN
    UPDATE appointment SET refunded_paise = ${CAPTURED} - kept_paise WHERE id = NEW.id; END`,
  "DROP INDEX appointment_for_list",
  `CREATE INDEX appointment_for_list ON appointment
    (on_date, time_slot, counselor_key, status, kept_paise, created_at, total_paise, minutes, attendance,
      refunded_paise)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
