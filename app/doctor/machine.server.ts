/** Checks of the machine: disk space, write access, memory, and the state of the database. */
import { accessSync, constants, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { totalmem } from "node:os";
import { dirname, join, resolve } from "node:path";
import { firstPasswordFault } from "#app/auth/manage-admins.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { makePrivateFolder } from "#db/copy-files.ts";
import { countAdmins, hasSecondFactor } from "#db/queries/admins.server.ts";
import { readQueues } from "#db/queries/health.server.ts";
import { about, type Examination, type Finding, reasonOf } from "./finding.server.ts";

const MIB = 2 ** 20;
const LEAST_FREE = 100 * MIB;
/** A disk this full is reported, unless at least MUCH_FREE bytes are free. */
const FULL_PERCENT = 80;
const MUCH_FREE = 20 * 1024 * MIB;
const LEAST_MEMORY = 400 * MIB;

export const examineDisk: Examination = async ({ env, source }) => {
  const folders = {
    DATABASE_PATH: dirname(resolve(env.databasePath)),
    BACKUP_DIR: resolve(env.backup.dir),
  };
  const size = existsSync(env.databasePath) ? statSync(env.databasePath).size : 0;
  // The database may grow by half, and a backup is written beside the ones that are kept.
  const needed = LEAST_FREE + 2 * size;
  const findings: Finding[] = [];
  for (const [name, folder] of Object.entries(folders)) {
    const { fine, wrong } = about(`Disk (${name})`);
    try {
      tryToWrite(folder);
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === "ENOSPC";
      const mend = isFull ? MAKE_ROOM : `Make ${folder} a folder that this account may write to.`;
      findings.push(wrong(`cannot be written: ${reasonOf(error)}`, mend));
      continue;
    }
    const { bavail, bfree, blocks, bsize } = await statfs(folder);
    const free = bavail * bsize;
    const percent = Math.ceil((100 * (blocks - bfree)) / (blocks - bfree + bavail));
    const says = `${Math.round(free / MIB)} MB free, ${percent} % used`;
    if (source.FLY_APP_NAME && !folder.startsWith("/data")) {
      const mend = `Set ${name} to a path under /data, the volume; all else is lost at a restart.`;
      findings.push(wrong(`${folder} is not on the volume`, mend));
    } else if (free < needed || (percent > FULL_PERCENT && free < MUCH_FREE)) {
      findings.push(wrong(says, MAKE_ROOM));
    } else findings.push(fine(says));
  }
  return findings;
};

const MAKE_ROOM = "Remove what is not needed, or extend the volume (fly volumes extend).";

function tryToWrite(folder: string): void {
  makePrivateFolder(folder);
  accessSync(folder, constants.W_OK);
  const probe = join(folder, `.doctor-${process.pid}`);
  try {
    writeFileSync(probe, "x");
  } finally {
    rmSync(probe, { force: true });
  }
}

export const examineMemory: Examination = async () => {
  const { fine, warning } = about("Memory");
  const says = `${Math.round(totalmem() / MIB)} MB`;
  if (totalmem() >= LEAST_MEMORY) return fine(says);
  return warning(says, "Give the machine 512 MB at least, as fly.toml does.");
};

/** Whether the database opens, its admin accounts, and how much waits for a person. */
export const examineDatabase: Examination = async ({ env }) => {
  const { fine, warning, wrong } = about("Database");
  if (!existsSync(env.databasePath)) {
    const mend = "The first start makes it at DATABASE_PATH.";
    return [warning("there is none yet", mend), ...(await examineFirstAdmin(env))];
  }
  let db: OpenDb;
  try {
    db = openDb(env.databasePath, { readonly: true });
  } catch (error) {
    return wrong(reasonOf(error), "Check DATABASE_PATH, or restore a backup.");
  }
  try {
    const findings = [fine("it opens")];
    if (countAdmins(db) === 0) findings.push(...(await examineFirstAdmin(env)));
    if (!hasSecondFactor(db)) {
      const mend = "Turn it on under /admin/account: a password alone can be phished.";
      findings.push(ADMIN_ACCOUNT.warning("nobody has a second factor", mend));
    }
    const { waiting } = readQueues(db);
    for (const { kind, count } of waiting.filter((one) => one.count > 0)) {
      const mend = "The admin area shows it, with what can be done.";
      const says = `${count} × ${kind.replace("_", " ")}`;
      findings.push(about("Waiting for a person").warning(says, mend));
    }
    return findings;
  } catch (error) {
    const mend = "Start the app once, so that it brings the file to its newest form.";
    return wrong(reasonOf(error), mend);
  } finally {
    db.close();
  }
};

const ADMIN_ACCOUNT = about("Admin account");

/** Without an account, the server creates one from these variables at its start, or does not start. */
async function examineFirstAdmin(env: Env): Promise<Finding[]> {
  const { firstAdmin } = env;
  if (firstAdmin === null) {
    const mend = "Set ADMIN_USERNAME, ADMIN_PASSWORD and ADMIN_EMAIL, or npm run admin:create.";
    return [ADMIN_ACCOUNT.wrong("there is none", mend)];
  }
  const weakness = await firstPasswordFault(firstAdmin, env);
  if (weakness === null) return [];
  const mend = "Choose several words of your own.";
  return [ADMIN_ACCOUNT.wrong(`ADMIN_PASSWORD ${weakness}`, mend)];
}

/** Null without a database of this version, which `examineDatabase` reports. */
export function readDatabase<T>(
  { databasePath }: Pick<Env, "databasePath">,
  read: (db: OpenDb) => T,
): T | null {
  if (!existsSync(databasePath)) return null;
  try {
    using db = openDb(databasePath, { readonly: true });
    return read(db);
  } catch {
    return null;
  }
}
