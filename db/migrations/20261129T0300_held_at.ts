/** When an unpaid booking's hold was taken: of those that run, when the booking changed last. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE appointment ADD COLUMN held_at INTEGER").execute(db);
  await sql
    .raw("UPDATE appointment SET held_at = updated_at WHERE status = 'pending_payment'")
    .execute(db);
}
