/** Of what was answered under a key only what it was about is kept; bookings of an address and long log entries are found fast. */
import { type Kysely, sql } from "kysely";

const statements = [
  "ALTER TABLE idempotency ADD COLUMN refund_id TEXT",
  `UPDATE idempotency SET refund_id = json_extract(response, '$.refund.refundId')
    WHERE json_valid(response) AND json_type(response) = 'object'`,
  "ALTER TABLE idempotency DROP COLUMN response",
  `CREATE INDEX appointment_of_address ON appointment (client_address, created_at)
    WHERE client_address IS NOT NULL`,
  `CREATE INDEX activity_long ON activity (at) WHERE length("before") + length("after") > 2000`,
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}
