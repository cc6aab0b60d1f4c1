/** The log keeps each line as it is shown, and is searched by all of it. */
import { type Kysely, sql } from "kysely";
import type { ActivityEntry } from "#app/model/activity.ts";

const BATCH = 5_000;

type Row = Omit<ActivityEntry, "before" | "after"> & {
  id: number;
  before: string | null;
  after: string | null;
};

export async function up(db: Kysely<unknown>): Promise<void> {
  // Every thread that opens the file has the migrations, and none the words of the log.
  const { activityLine } = await import("#app/model/activity-words.ts");
  const { anyObject, storedJson } = await import("#app/model/stored-json.ts");
  const run = (text: string) => sql.raw(text).execute(db);
  await run(`ALTER TABLE activity ADD COLUMN words TEXT NOT NULL DEFAULT ''`);
  await run(`ALTER TABLE activity ADD COLUMN about TEXT NOT NULL DEFAULT ''`);
  await run(`CREATE VIRTUAL TABLE activity_search USING fts5(
    line, content='', contentless_delete=1, tokenize='trigram')`);
  await run(`CREATE TRIGGER activity_search_remove AFTER DELETE ON activity BEGIN
    DELETE FROM activity_search WHERE rowid = OLD.id; END`);
  const captains = await sql<{
    key: string;
    name: string;
  }>`SELECT key, name FROM counselor`.execute(db);
  const names = new Map(captains.rows.map(({ key, name }) => [key, name]));
  const data = (text: string | null) => text && storedJson("activity", text, anyObject, {});
  for (let last = 0; ; ) {
    const { rows } = await sql<Row>`SELECT * FROM activity WHERE id > ${last}
      ORDER BY id LIMIT ${BATCH}`.execute(db);
    for (const row of rows) {
      const entry = { ...row, before: data(row.before) || null, after: data(row.after) || null };
      const { words, about, sought } = activityLine(entry, (key) => names.get(key));
      await sql`UPDATE activity SET words = ${words}, about = ${about}
        WHERE id = ${row.id}`.execute(db);
      await sql`INSERT INTO activity_search (rowid, line) VALUES (${row.id}, ${sought})`.execute(
        db,
      );
      last = row.id;
    }
    if (rows.length < BATCH) return;
  }
}
