/** Captains' calendars get addresses of their own; a file with data keeps the ones it gave out. */
import { type Kysely, sql } from "kysely";

const statements = [
  `CREATE TABLE counselor_feed (
    counselor_key TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  // They were derived from the session secret, which only a start knows.
  `INSERT INTO setting (key, value) SELECT 'feeds_derived', '1'
    WHERE EXISTS (SELECT 1 FROM admin) OR EXISTS (SELECT 1 FROM appointment)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
