/** The session that a plan was written after, and that a rating is about: the booking may be moved since. */
import { type Kysely, sql } from "kysely";

const OWN = "appointment WHERE appointment.id = appointment_id";

const STATEMENTS = [
  "ALTER TABLE plan ADD COLUMN counselor_key TEXT NOT NULL DEFAULT ''",
  "ALTER TABLE plan ADD COLUMN starts_at INTEGER NOT NULL DEFAULT 0",
  `UPDATE plan SET counselor_key = (SELECT counselor_key FROM ${OWN}),
    starts_at = (SELECT starts_at FROM ${OWN})`,
  "ALTER TABLE rating ADD COLUMN starts_at INTEGER",
  `UPDATE rating SET starts_at = (SELECT starts_at FROM ${OWN})`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
