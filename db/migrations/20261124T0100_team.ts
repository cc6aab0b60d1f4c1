/** Several people with roles: accounts by invitation, access that can be taken away. */
import { type Kysely, sql } from "kysely";

const statements = [
  // Every account of before is an owner's.
  `ALTER TABLE admin ADD COLUMN role TEXT NOT NULL DEFAULT 'owner'
    CHECK (role IN ('owner', 'staff', 'captain'))`,
  `ALTER TABLE admin ADD COLUMN counselor_key TEXT
    CHECK ((role = 'captain') = (counselor_key IS NOT NULL))`,
  "ALTER TABLE admin ADD COLUMN inactive_since INTEGER",
  `CREATE TABLE invitation (
    admin_id TEXT NOT NULL PRIMARY KEY REFERENCES admin (id) ON DELETE CASCADE,
    token_hash TEXT NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  "ALTER TABLE activity ADD COLUMN role TEXT",
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
