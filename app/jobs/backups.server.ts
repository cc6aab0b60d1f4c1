/** Backups by schedule and on demand, the last good one, and the doctor's check of all copies. */
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { about, type Examination, type Finding } from "#app/doctor/finding.server.ts";
import { readDatabase } from "#app/doctor/machine.server.ts";
import { DAY, HOUR, past } from "#app/model/dates.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Backup, listBackups, makeBackup } from "#db/backup.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { keepErasures } from "#db/erasure-list.server.ts";
import { countErasures, listErasures } from "#db/queries/erasures.server.ts";
import { findFirstUseAt } from "#db/queries/health.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { removeReplaced } from "#db/restore.server.ts";
import { type LastOffSite, readLastOffSite, sendErasures } from "./off-site-copies.server.ts";

const LAST_GOOD = "last_backup";
const LAST_TRY = "last_backup_try";
/** A failed backup is tried again after this long. */
const RETRY_MS = HOUR;

type LastBackup = Omit<Backup, "path"> & { at: number };

export function readLastBackup({ db }: Pick<Deps, "db">): LastBackup | null {
  const text = readSetting(db, LAST_GOOD);
  return text ? (JSON.parse(text) as LastBackup) : null;
}

/**
 * A versioned bucket only hides removed objects until its own rule deletes them: after two days, as
 * docs/operations.md asks for, and one more until the store does it.
 */
const HIDDEN_DAYS = 3;

/** Days until a copy is gone, both here and off the machine. */
export function copiesLiveDays({ backup }: Pick<Env, "backup">): number {
  const { keep, everyHours, offSite } = backup;
  const offSiteDays = offSite ? offSite.keepDays + HIDDEN_DAYS : 0;
  return Math.ceil(Math.max((keep * everyHours) / 24, offSiteDays));
}

/** True once two copies in a row must have failed, and the time that one takes has passed. */
export function isCopyLate({ everyHours }: { everyHours: number }, lastGood: number, now: number) {
  return now - lastGood > (2 * everyHours + 1) * HOUR;
}

/** Makes a backup if there is none or BACKUP_EVERY_HOURS have passed; mails a failure. */
export async function runScheduledBackup(deps: Deps): Promise<void> {
  const now = deps.now();
  const last = past(readLastBackup(deps)?.at, now);
  const lastTry = past(readSetting(deps.db, LAST_TRY), now);
  const hasFailed = lastTry > last;
  const { dir, everyHours } = deps.env.backup;
  // A restored database may remember a backup that is on another machine.
  if (now - last < everyHours * HOUR && listBackups(dir).length > 0) return;
  if (hasFailed && now - lastTry < RETRY_MS) return;
  writeSetting(deps.db, LAST_TRY, String(now));
  try {
    const { bytes, ms } = await backUp(deps);
    removeReplaced(deps.env.databasePath, now - copiesLiveDays(deps.env) * DAY);
    deps.log.info({ bytes, ms }, "backup made");
  } catch (error) {
    deps.log.error({ err: error }, "backup failed");
    inTransaction(deps.db, (tx) =>
      queueMessages(tx, deps.env, now, {
        type: "backup_failed",
        at: now,
        error: error instanceof Error ? error.message : String(error),
      }),
    );
    deps.wake();
  }
}

/** Writes new erasures into the lists beside the copies, here and off the machine. */
export function erasureKeeper() {
  let kept = 0;
  return async (deps: ReadDeps, signal?: AbortSignal): Promise<void> => {
    const { db, env } = deps;
    const count = countErasures(db);
    if (count !== kept) keepErasures(env.backup.dir, listErasures(db));
    kept = count;
    await sendErasures(deps, signal);
  };
}

export async function backUp(deps: ReadDeps): Promise<Backup> {
  const { dir: folder, keep } = deps.env.backup;
  const now = deps.now();
  const backup = await makeBackup(deps.db, { folder, keep, now });
  keepErasures(folder, listErasures(deps.db));
  const last: LastBackup = { at: now, bytes: backup.bytes, ms: backup.ms };
  writeSetting(deps.db, LAST_GOOD, JSON.stringify(last));
  return backup;
}

const MIB = 2 ** 20;

/** The first copies are due at the start and retried within an hour: by then two tries have failed. */
const FIRST_LATE_MS = 2 * HOUR;

export const examineCopies: Examination = async ({ env, now }) =>
  readDatabase(env, (db) => {
    // A database may have no copy in its first hours.
    const missing = now - findFirstUseAt(db) > FIRST_LATE_MS ? "wrong" : "warning";
    return [
      backupFinding(env, now, readLastBackup({ db })?.at ?? null, missing),
      offSiteFinding(env, now, readLastOffSite({ db }), missing),
    ];
  }) ?? [];

type Missing = "wrong" | "warning";

function backupFinding(env: Env, now: number, lastGood: number | null, missing: Missing): Finding {
  const backups = about("Backups");
  const newest = listBackups(env.backup.dir).at(-1);
  if (lastGood === null || newest === undefined) {
    const last =
      lastGood === null ? "" : `; the last was made ${hoursSince(lastGood, now)} hours ago`;
    return backups[missing](
      `no backup in ${env.backup.dir}${last}`,
      "npm run backup makes one now. The app makes the first within a minute of its start; its log and the admin's mail say why one failed.",
    );
  }
  const says = `the newest good one is ${hoursSince(lastGood, now)} hours old`;
  if (!isCopyLate(env.backup, lastGood, now)) return backups.fine(says);
  const mend = "Is the app running? Its log and the admin's mail say why a backup failed.";
  return backups.wrong(says, mend);
}

function offSiteFinding(
  { backup: { offSite } }: Env,
  now: number,
  last: LastOffSite | null,
  missing: Missing,
): Finding {
  const copies = about("Copies off the machine");
  if (!offSite) {
    const mend = "Set the BACKUP_S3 variables: a copy beside the data burns with it.";
    return copies.warning("none are sent", mend);
  }
  if (last === null) {
    return copies[missing](
      "none was sent yet",
      "The app sends the first within minutes of its start with the BACKUP_S3 variables; its log and the admin's mail say why none was sent.",
    );
  }
  const says = `the newest good one is ${hoursSince(last.at, now)} hours old, ${Math.ceil(last.bytes / MIB)} MB`;
  if (!isCopyLate(offSite, last.at, now)) return copies.fine(says);
  return copies.wrong(says, "The app's log and the admin's mail say why none was sent since.");
}

const hoursSince = (at: number, now: number) => Math.max(0, (now - at) / HOUR).toFixed(1);
