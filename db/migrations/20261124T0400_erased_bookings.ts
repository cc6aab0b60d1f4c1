/** Which bookings an erasure emptied: a copy may have them under an address of before. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE erasure ADD COLUMN booking_hashes TEXT NOT NULL DEFAULT '[]'
    CHECK (json_valid(booking_hashes))`.execute(db);
}
