/**
 * Of a number that wrote STOP or START the last word is kept, so that neither counts once a later one
 * was written. Whoever stands there wrote STOP.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      "ALTER TABLE opt_out ADD COLUMN is_out INTEGER NOT NULL DEFAULT 1 CHECK (is_out IN (0, 1))",
    )
    .execute(db);
}
