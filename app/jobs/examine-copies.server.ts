/** The copies of the database as the doctor sees them, here and off the machine. */
import type { Env } from "#app/core/env.server.ts";
import { readDatabase } from "#app/doctor/database.server.ts";
import { type Examination, type Finding, fine, look, wrong } from "#app/doctor/finding.server.ts";
import { HOUR } from "#app/model/duration.ts";
import { listBackups } from "#db/backup.server.ts";
import { isBackupLate, readLastBackup } from "./backups.server.ts";
import { isOffSiteLate, type LastOffSite, readLastOffSite } from "./off-site.server.ts";

const MIB = 2 ** 20;

export const examineCopies: Examination = async ({ env, now }) =>
  readDatabase(env, (db) => [
    backupFinding(env, now, readLastBackup({ db })?.at ?? null),
    offSiteFinding(env, now, readLastOffSite({ db })),
  ]) ?? [];

function backupFinding(env: Env, now: number, lastGood: number | null): Finding {
  const subject = "Backups";
  const newest = listBackups(env.backup.dir).at(-1);
  if (lastGood === null || newest === undefined) {
    const mend =
      "The app makes the first within a minute of its start; npm run backup makes one now.";
    return look(subject, `no backup in ${env.backup.dir}`, mend);
  }
  const says = `the newest good one is ${hoursSince(lastGood, now)} hours old`;
  if (!isBackupLate(env, lastGood, now)) return fine(subject, says);
  const mend = "Is the app running? Its log and the admin's mail say why a backup failed.";
  return wrong(subject, says, mend);
}

function offSiteFinding({ backup }: Env, now: number, last: LastOffSite | null): Finding {
  const subject = "Copies off the machine";
  if (!backup.offSite) {
    const mend = "Set the BACKUP_S3 variables: a copy beside the data burns with it.";
    return look(subject, "none are sent", mend);
  }
  if (last === null) {
    const mend = "The app sends the first within minutes of its start.";
    return look(subject, "none was sent yet", mend);
  }
  const says = `the newest good one is ${hoursSince(last.at, now)} hours old, ${Math.ceil(last.bytes / MIB)} MB`;
  if (!isOffSiteLate(backup.offSite, last.at, now)) return fine(subject, says);
  return wrong(subject, says, "The app's log and the admin's mail say why none was sent since.");
}

const hoursSince = (at: number, now: number) => ((now - at) / HOUR).toFixed(1);
