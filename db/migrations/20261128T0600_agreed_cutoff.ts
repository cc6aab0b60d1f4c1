/** The hours before the start until when a customer may change a booking, as they were when it was made. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE appointment ADD COLUMN cutoff_hours REAL").execute(db);
}
