/** When the provider accepted a refund: the day of its money, however long it was wanted before. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE refund ADD COLUMN accepted_at INTEGER").execute(db);
  await sql
    .raw(
      `UPDATE refund SET accepted_at =
        coalesce((SELECT issued_at FROM document WHERE refund_id = refund.id), created_at)
        WHERE provider_refund_id IS NOT NULL`,
    )
    .execute(db);
}
