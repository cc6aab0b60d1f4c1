/** A message that outlived its appointment holds a copy of it, and goes once it was sent or given up. */
import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE TRIGGER message_outlived AFTER UPDATE OF next_try_at ON message
    WHEN NEW.next_try_at IS NULL AND json_extract(NEW.data, '$.appointment') IS NOT NULL BEGIN
      DELETE FROM message WHERE id = NEW.id;
    END`.execute(db);
}
