/** Refunds that the provider accepted and did not carry out: two movements of money in the books. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `CREATE TABLE failed_refund (
        provider_refund_id TEXT NOT NULL,
        payment_id TEXT NOT NULL REFERENCES payment (payment_id),
        amount_paise INTEGER NOT NULL CHECK (amount_paise > 0),
        accepted_at INTEGER NOT NULL,
        failed_at INTEGER NOT NULL,
        PRIMARY KEY (provider_refund_id, failed_at)
      ) STRICT`,
    )
    .execute(db);
}
