/** A browser that has signed in before has a code of its own. Codes under way stay good. */
import { type Kysely, sql } from "kysely";

const statements = [
  `DROP INDEX one_time_code_by_expiry`,
  `ALTER TABLE one_time_code RENAME TO old_code`,
  `CREATE TABLE one_time_code (
    email_key TEXT NOT NULL,
    device TEXT NOT NULL DEFAULT '',
    admin_id TEXT REFERENCES admin (id) ON DELETE CASCADE,
    code_hash TEXT,
    tries INTEGER NOT NULL DEFAULT 0,
    requested_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (email_key, device),
    CHECK ((admin_id IS NULL) = (code_hash IS NULL))
  ) STRICT, WITHOUT ROWID`,
  // Rows of no request only counted tries.
  `INSERT INTO one_time_code
    SELECT email_key, '', admin_id, code_hash, tries, requested_at, expires_at
    FROM old_code WHERE requested_at > 0`,
  `DROP TABLE old_code`,
  `CREATE INDEX one_time_code_by_expiry ON one_time_code (expires_at)`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
