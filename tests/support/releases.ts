/** Files as former releases left them: each release's schema, with rows that its own code wrote. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { type Db, type OpenDb, openDb } from "#db/connection.server.ts";
import { migrations } from "#db/migrations/index.ts";
import { forgetPowerCuts } from "./fresh-db.ts";

const FOLDER = join(import.meta.dirname, "../fixtures/releases");

export const RELEASES = readdirSync(FOLDER).sort();

/** Of every table, view, index and trigger; the same whatever the order they were made in. */
export function schemaOf(db: Db): string {
  const made = db.allRaw<{ name: string; sql: string | null }>(
    `SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'kysely%'
     AND name NOT LIKE 'sqlite%' ORDER BY name`,
  );
  return made.map(({ name, sql }) => `${name}: ${sql?.replace(/\s+/g, " ")}`).join("\n");
}

export const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** Tables that triggers fill, and those that migrating itself keeps. */
export const isDerived = (table: string) =>
  /^(kysely|sqlite|appointment_tally$|customer$|offer_version$)|_search/.test(table);

export function tablesOf(db: Db): string[] {
  const tables = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid";
  return db.allRaw<{ name: string }>(tables).map(({ name }) => name);
}

/** Throws where the migrations no longer make the schema that the release had. */
export async function openRelease(name: string, path: string): Promise<OpenDb> {
  const text = readFileSync(join(FOLDER, name), "utf8");
  const [, last = "", hash] = /^-- (\w+) (\w{64})\n/.exec(text) ?? [];
  const db = openDb(path);
  forgetPowerCuts(db);
  const known = Object.entries(migrations).filter(([migration]) => migration <= last);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: db.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(known) },
  });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
  if (hashOf(schemaOf(db)) !== hash) {
    throw new Error(`${name}: the migrations up to ${last} make another schema than it had.`);
  }
  db.driver.pragma("foreign_keys = OFF");
  for (const table of tablesOf(db)) if (!isDerived(table)) db.runRaw(`DELETE FROM "${table}"`);
  db.driver.exec(text);
  db.driver.pragma("foreign_keys = ON");
  return db;
}
