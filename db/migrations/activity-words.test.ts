/** A log from before is said in words, and found by them. */
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { expect, it } from "vitest";
import { migrate, openDb } from "#db/connection.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { migrations } from "./index.ts";

const NAME = "20261123T0300_activity_words";
const LINES = 5_003;

it("words every line, of more than one batch", async () => {
  const db = openDb(":memory:");
  const older = Object.entries(migrations).filter(([name]) => name < NAME);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(older) },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  for (let i = 0; i < LINES; i++) {
    db.runRaw("INSERT INTO activity (at, actor, action, target, after) VALUES (?, 'a', ?, ?, ?)", [
      ...[i, i ? "block" : "constructor", "asha 2026-11-12", i === 7 ? "no json" : null],
    ]);
  }
  expect(await migrate(db)).toContain(NAME);
  const read = (q: string) => listActivity(db, { q, page: 1, pageSize: 1 });
  expect(read("12 Nov 2026").total).toBe(LINES - 1);
  expect(read("Capt. Asha").entries).toMatchObject([{ words: "Times blocked on 12 Nov 2026" }]);
  expect(read("Unknown (constructor)").total).toBe(1);
  db.close();
});
