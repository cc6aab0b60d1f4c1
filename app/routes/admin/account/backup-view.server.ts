import type { Deps } from "#app/core/deps.server.ts";
import { isBackupLate, readLastBackup } from "#app/jobs/backups.server.ts";
import { adminInstant } from "#app/model/dates.ts";

const MIB = 2 ** 20;

/** The last good backup in words: when, how large, how long it took. */
export function backupView(deps: Pick<Deps, "db" | "env" | "now">) {
  const last = readLastBackup(deps);
  if (last === null) return { last: null, isLate: false };
  const size = `${Math.max(0.1, last.bytes / MIB).toFixed(1)} MB`;
  const seconds = `${(last.ms / 1000).toFixed(1)} s`;
  return {
    last: `${adminInstant(last.at)}, ${size}, made in ${seconds}`,
    isLate: isBackupLate(deps.env, last.at, deps.now()),
  };
}
