/** The company that an invoice is for: its GSTIN, name and address, on booking and document. */
import { type Kysely, sql } from "kysely";

const statements = [
  ...["gstin", "billing_name", "billing_address"].map(
    (column) => `ALTER TABLE appointment ADD COLUMN ${column} TEXT`,
  ),
  ...["customer_gstin", "customer_address"].map(
    (column) => `ALTER TABLE document ADD COLUMN ${column} TEXT`,
  ),
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
