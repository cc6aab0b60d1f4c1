/**
 * `npm run backup`: a verified copy of the database in BACKUP_DIR, its path printed, and with the
 * BACKUP_S3 variables set one in the store, its name printed. `-- --list` lists both places.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseEnv } from "#app/core/env.server.ts";
import { backUp } from "#app/jobs/backups.server.ts";
import { sendCopy } from "#app/jobs/off-site.server.ts";
import { listOffSite } from "#app/jobs/off-site-copies.server.ts";
import { listBackups } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";

// A backup must be possible with the rest of the configuration broken.
const { env, faults } = parseEnv({ ...process.env, NODE_ENV: "development" });
const { offSite, dir } = env.backup;
const wrong = faults.filter((fault) => fault.startsWith("BACKUP_"));
for (const fault of wrong) console.error(fault);
if (wrong.length > 0) process.exitCode = 1;
if (isList()) await list();
else await reported("The backup failed", make);

function isList(): boolean {
  try {
    const { values } = parseArgs({ options: { list: { type: "boolean" } } });
    // npm takes an option without the two dashes before it for its own.
    return Boolean(values.list ?? process.env.npm_config_list);
  } catch (error) {
    console.error(`${(error as Error).message}\nUsage: npm run backup [-- --list]`);
    return process.exit(1);
  }
}

async function list(): Promise<void> {
  for (const path of listBackups(dir)) console.log(resolve(path));
  if (!offSite) return;
  await reported("The store could not be read", async () => {
    for (const { name, bytes } of (await listOffSite(offSite)).reverse()) {
      console.log(`s3:${name}  ${bytes} bytes`);
    }
  });
}

async function make(): Promise<void> {
  if (!existsSync(env.databasePath)) {
    console.error(`DATABASE_PATH ${env.databasePath}: there is no such file.`);
    process.exitCode = 1;
    return;
  }
  const db = openDb(env.databasePath);
  const deps = { db, env, now: Date.now };
  try {
    await reported("The backup failed", async () =>
      console.log(resolve((await backUp(deps)).path)),
    );
    if (!offSite) return;
    await reported("No copy left the machine", async () =>
      console.log(`s3:${(await sendCopy(deps)).name}`),
    );
  } finally {
    db.close();
  }
}

async function reported(what: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    console.error(`${what}: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}
