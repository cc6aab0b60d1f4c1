import type { Deps } from "#app/core/deps.server.ts";
import { isBackupLate, readLastBackup } from "#app/jobs/backups.server.ts";
import { isOffSiteLate, readLastOffSite } from "#app/jobs/last-off-site.server.ts";
import { adminInstant } from "#app/model/dates.ts";

const MIB = 2 ** 20;
const sizeOf = (bytes: number) => `${Math.max(0.1, bytes / MIB).toFixed(1)} MB`;

/** The last good copies in words, here and off the machine; null there if none are wanted. */
export function backupView(deps: Pick<Deps, "db" | "env" | "now">) {
  const { env } = deps;
  const now = deps.now();
  const local = readLastBackup(deps);
  const { offSite } = env.backup;
  const sent = readLastOffSite(deps);
  return {
    local: {
      last:
        local &&
        `of ${adminInstant(local.at)}, ${sizeOf(local.bytes)}, made in ${(local.ms / 1000).toFixed(1)} s`,
      isLate: local !== null && isBackupLate(env, local.at, now),
    },
    offSite: offSite && {
      last: sent && `of ${adminInstant(sent.at)}, ${sizeOf(sent.bytes)}`,
      isLate: sent !== null && isOffSiteLate(offSite, sent.at, now),
    },
  };
}
