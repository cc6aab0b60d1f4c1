/**
 * What the provider keeps of a payment: its fee without tax, and the GST on the fee. NULL until the
 * provider tells them, so for payments of before this they come with their next reading.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE payment ADD COLUMN fee_paise INTEGER`.execute(db);
  await sql`ALTER TABLE payment ADD COLUMN fee_tax_paise INTEGER`.execute(db);
}
