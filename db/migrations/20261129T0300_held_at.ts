/** When an unpaid booking's hold was taken; null for holds of before, which last as they were made. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE appointment ADD COLUMN held_at INTEGER").execute(db);
}
