/** What a migration does to rows that stand in the file already. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import { expect, it } from "vitest";
import * as firstSchema from "#db/migrations/20261120T1000_first_schema.ts";
import * as adminArea from "#db/migrations/20261120T1500_admin_area.ts";
import * as codesByBrowser from "#db/migrations/20261121T2320_codes_by_browser.ts";
import { openDb } from "./connection.server.ts";

it("mailed codes that are under way stay good, and rows that only counted tries go", async () => {
  const folder = mkdtempSync(join(tmpdir(), "migrations-"));
  const db = openDb(join(folder, "test.db"));
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: db.driver }) });
  await firstSchema.up(kysely);
  await adminArea.up(kysely);
  db.runRaw(
    `INSERT INTO admin (id, username, email, password_hash, created_at, updated_at)
     VALUES ('a', 'asha', 'asha@captains.example', 'x', 1, 1)`,
  );
  db.runRaw(
    `INSERT INTO one_time_code VALUES
     ('known', 'a', 'hash', 3, 100, 700), ('unknown', NULL, NULL, 1, 100, 700),
     ('never asked for', NULL, NULL, 4, 0, 700)`,
  );
  await codesByBrowser.up(kysely);
  const kept = { device: "", requested_at: 100, expires_at: 700 };
  expect(db.allRaw("SELECT * FROM one_time_code ORDER BY email_key")).toEqual([
    { ...kept, email_key: "known", admin_id: "a", code_hash: "hash", tries: 3 },
    { ...kept, email_key: "unknown", admin_id: null, code_hash: null, tries: 1 },
  ]);
  // They still end with their account.
  db.runRaw("DELETE FROM admin");
  expect(db.allRaw("SELECT email_key FROM one_time_code")).toEqual([{ email_key: "unknown" }]);
  db.close();
  rmSync(folder, { recursive: true });
});
