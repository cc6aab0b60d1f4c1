/** Which booking a browser made last, by the hash of a token that only the browser has. */
import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE own_booking (
    token_hash TEXT NOT NULL PRIMARY KEY,
    appointment_id TEXT NOT NULL REFERENCES appointment (id) ON DELETE CASCADE,
    given_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX own_booking_appointment ON own_booking (appointment_id)`,
  `CREATE INDEX own_booking_age ON own_booking (given_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
