/** `npm run backup`: a verified copy of the database in BACKUP_DIR; prints its path. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "#app/core/env.server.ts";
import { backUp } from "#app/jobs/backups.server.ts";
import { openDb } from "#db/connection.server.ts";

// Only the paths are needed: a backup must be possible with the rest of the configuration broken.
const { env } = parseEnv({ ...process.env, NODE_ENV: "development" });
if (!existsSync(env.databasePath)) {
  console.error(`DATABASE_PATH ${env.databasePath}: there is no such file.`);
  process.exit(1);
}
const db = openDb(env.databasePath);
try {
  const { path } = await backUp({ db, env, now: Date.now });
  console.log(resolve(path));
} catch (error) {
  console.error(`The backup failed: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
} finally {
  db.close();
}
