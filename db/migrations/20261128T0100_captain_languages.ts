/** The languages that a captain advises in: none are known of a real one until the owner says them. */
import { type Kysely, sql } from "kysely";
import { COUNSELORS } from "#app/catalogue.ts";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`ALTER TABLE counselor ADD COLUMN languages TEXT NOT NULL DEFAULT '[]'
    CHECK (json_valid(languages))`.execute(db);
  for (const { key, languages } of COUNSELORS) {
    await sql`UPDATE counselor SET languages = ${JSON.stringify(languages)}
      WHERE key = ${key} AND sample_of IS NOT NULL`.execute(db);
  }
}
