/** Files that only their own test needs. */
import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";

let newest: Buffer | null = null;

/** Opens a file at the newest schema; a new one is a copy of what this process migrated once. */
export async function freshDb(path: string): Promise<OpenDb> {
  const isNew = !existsSync(path);
  if (isNew) {
    newest ??= await migratedBytes();
    writeFileSync(path, newest);
  }
  const db = openDb(path);
  if (isNew) beAnInstallation(db);
  forgetPowerCuts(db);
  if (!isNew) await migrate(db);
  return db;
}

/** What a migration makes for each installation alone: its secret, and the time of its making. */
function beAnInstallation(db: OpenDb): void {
  const key = randomBytes(32).toString("hex");
  db.runRaw("UPDATE setting SET value = ? WHERE key = 'contact_key'", [key]);
  db.runRaw("UPDATE kysely_migration SET timestamp = ?", [new Date().toISOString()]);
}

async function migratedBytes(): Promise<Buffer> {
  const db = openDb(":memory:");
  await migrate(db);
  const bytes = db.driver.serialize();
  db.close();
  return bytes;
}

/** Its commits do not wait for the disk. */
export function forgetPowerCuts(db: OpenDb): void {
  db.driver.pragma("synchronous = OFF");
}
