/** What failed inside, counted by where and what: no words of errors, which may name people. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TABLE failure (
    area TEXT NOT NULL,
    kind TEXT NOT NULL,
    place TEXT NOT NULL,
    request_id TEXT,
    count INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (area, kind, place)
  ) STRICT, WITHOUT ROWID`.execute(db);
}
