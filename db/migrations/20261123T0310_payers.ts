/** Who paid, and when, of a payment that no booking knows. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ["payer_email TEXT", "payer_phone TEXT", "paid_at INTEGER"]) {
    await sql.raw(`ALTER TABLE payment ADD COLUMN ${column}`).execute(db);
  }
}
