/**
 * The hours before the start until when a customer may change a booking, as they were when it was
 * made; and indexes by which the first steps ask whether a test mail was taken, and by which a student
 * is found.
 */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE appointment ADD COLUMN cutoff_hours REAL").execute(db);
  await sql
    .raw("CREATE INDEX message_test ON message (state) WHERE kind = 'test_mail'")
    .execute(db);
  await sql
    .raw(
      "CREATE INDEX appointment_student ON appointment (student_name) WHERE student_name IS NOT NULL",
    )
    .execute(db);
}
