/**
 * Makes the sample database of `npm start` at DATABASE_PATH, which must not exist. It is made under
 * another name and renamed when whole, so a run that is cut short is made again, never continued.
 */
import { existsSync, renameSync, rmSync } from "node:fs";
import { parseEnv } from "#app/lib/env.server.ts";
import { migrate, openDb } from "#db/connection.server.ts";

const path = process.env.DATABASE_PATH ?? "";
if (path === "" || existsSync(path)) {
  console.error("DATABASE_PATH must name a file that does not exist.");
  process.exit(1);
}
const partial = `${path}.partial`;
for (const suffix of ["", "-wal", "-shm"]) rmSync(`${partial}${suffix}`, { force: true });

const { env, faults } = parseEnv({ ...process.env, DATABASE_PATH: partial });
if (faults.length > 0) {
  console.error(faults.join("\n"));
  process.exit(1);
}
const db = openDb(partial);
await migrate(db);
const seed = await loadSeed();
await seed?.seedDemo({ db, env });
// The last connection to close leaves one file without a log beside it.
db.close();
renameSync(partial, path);

interface Seed {
  seedDemo(target: { db: typeof db; env: typeof env }): void | Promise<void>;
}

async function loadSeed(): Promise<Seed | null> {
  const module = new URL("../db/seed/demo.server.ts", import.meta.url);
  return existsSync(module) ? await import(module.href) : null;
}
