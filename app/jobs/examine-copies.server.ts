/** The copies of the database as the doctor sees them, here and off the machine. */
import type { Env } from "#app/core/env.server.ts";
import { readDatabase } from "#app/doctor/database.server.ts";
import { type Examination, type Finding, fine, look, wrong } from "#app/doctor/finding.server.ts";
import { HOUR } from "#app/model/duration.ts";
import { listBackups } from "#db/backup.server.ts";
import { findFirstUseAt } from "#db/queries/doctor.server.ts";
import { isBackupLate, readLastBackup } from "./backups.server.ts";
import { isOffSiteLate, type LastOffSite, readLastOffSite } from "./last-off-site.server.ts";

const MIB = 2 ** 20;

/** The first copies are due at the start, and tried again within an hour: by now more than one failed. */
const FIRST_LATE_MS = 2 * HOUR;

export const examineCopies: Examination = async ({ env, now }) =>
  readDatabase(env, (db) => {
    // In its first hours a file without a copy is nothing wrong.
    const missing = now - findFirstUseAt(db) > FIRST_LATE_MS ? wrong : look;
    return [
      backupFinding(env, now, readLastBackup({ db })?.at ?? null, missing),
      offSiteFinding(env, now, readLastOffSite({ db }), missing),
    ];
  }) ?? [];

type Missing = typeof look;

function backupFinding(env: Env, now: number, lastGood: number | null, missing: Missing): Finding {
  const subject = "Backups";
  const newest = listBackups(env.backup.dir).at(-1);
  if (lastGood === null || newest === undefined) {
    const of =
      lastGood === null ? "" : `; the last was made ${hoursSince(lastGood, now)} hours ago`;
    const mend =
      "npm run backup makes one now. The app makes the first within a minute of its start; its log and the admin's mail say why one failed.";
    return missing(subject, `no backup in ${env.backup.dir}${of}`, mend);
  }
  const says = `the newest good one is ${hoursSince(lastGood, now)} hours old`;
  if (!isBackupLate(env, lastGood, now)) return fine(subject, says);
  const mend = "Is the app running? Its log and the admin's mail say why a backup failed.";
  return wrong(subject, says, mend);
}

function offSiteFinding(
  { backup }: Env,
  now: number,
  last: LastOffSite | null,
  missing: Missing,
): Finding {
  const subject = "Copies off the machine";
  if (!backup.offSite) {
    const mend = "Set the BACKUP_S3 variables: a copy beside the data burns with it.";
    return look(subject, "none are sent", mend);
  }
  if (last === null) {
    const mend =
      "The app sends the first within minutes of its start with the BACKUP_S3 variables; its log and the admin's mail say why none was sent.";
    return missing(subject, "none was sent yet", mend);
  }
  const says = `the newest good one is ${hoursSince(last.at, now)} hours old, ${Math.ceil(last.bytes / MIB)} MB`;
  if (!isOffSiteLate(backup.offSite, last.at, now)) return fine(subject, says);
  return wrong(subject, says, "The app's log and the admin's mail say why none was sent since.");
}

const hoursSince = (at: number, now: number) => ((now - at) / HOUR).toFixed(1);
