/** Runs the doctor's checks by schedule; mails the owner about new faults and when all are fixed. */
import type { Deps } from "#app/core/deps.server.ts";
import { outsideKeyHashes } from "#app/core/key-hashes.server.ts";
import { CHECKS, type Check, runCheck } from "#app/doctor/checks.server.ts";
import {
  type CheckResult,
  LAST_LOOK,
  newlyWrong,
  readLastLook,
  withoutSecrets,
} from "#app/doctor/finding.server.ts";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { examineCopies } from "./backups.server.ts";

export const ALL_CHECKS: readonly Check[] = [
  ...CHECKS,
  { step: 7, name: "copies", examine: examineCopies },
];

/** After a start, the proxy, the mail server and the first backup have this long to get ready. */
const SETTLE_MS = 5 * MINUTE;
/** An interrupted run is repeated after this long. */
const RETRY_MS = HOUR;
const MOST_REPORTED = 20;
const LONGEST_WORDS = 300;

/** `longest`: the most milliseconds that one check may take. */
export function scheduledDoctor(checks = ALL_CHECKS, longest = MINUTE) {
  let startedAt: number | null = null;
  return async (deps: Deps, signal: AbortSignal): Promise<void> => {
    const now = deps.now();
    startedAt ??= now;
    const last = readLastLook(deps.db);
    const every = deps.env.doctorEveryHours * HOUR;
    // A time in the future does not count, or a clock that was set back would delay the next run.
    const isWithin = (since: number, ms: number) => now >= since && now - since < ms;
    // Findings made with other keys do not apply to the configured ones.
    const keys = outsideKeyHashes(deps.env);
    const [triedWith = ""] = keys;
    if (every === 0 || isWithin(startedAt, SETTLE_MS)) return;
    if (keys.includes(last.askedWith) && isWithin(last.at, every)) return;
    if (keys.includes(last.triedWith) && isWithin(last.triedAt, Math.min(every, RETRY_MS))) return;
    // Written first: if writing fails, outside services are not asked over and over.
    writeSetting(deps.db, LAST_LOOK, JSON.stringify({ ...last, triedAt: now, triedWith }));
    const results: CheckResult[] = [];
    const examined = { env: deps.env, source: process.env, now, provider: deps.provider };
    for (const check of checks) {
      results.push(await runCheck(check, examined, { signal, longest }));
      if (signal.aborted) return;
    }
    const unseen = results.filter(({ isWhole }) => !isWhole).map(({ name }) => name);
    const asked = { at: now, triedAt: now, askedWith: triedWith, triedWith, unseen };
    notify(deps, asked, newlyWrong(last.known, results));
  };
}

/** Stores the findings and queues their mail in one transaction. */
function notify(
  deps: Deps,
  look: Omit<ReturnType<typeof readLastLook>, "known">,
  { known, findings, isAllMended }: ReturnType<typeof newlyWrong>,
) {
  const words = (text: string) => withoutSecrets(deps.env, text).slice(0, LONGEST_WORDS);
  const reported = findings.slice(0, MOST_REPORTED).map(({ subject, says, mend = "" }) => ({
    subject,
    says: words(says),
    mend: words(mend),
  }));
  inTransaction(deps.db, (tx) => {
    writeSetting(tx, LAST_LOOK, JSON.stringify({ ...look, known }));
    if (reported.length === 0 && !isAllMended) return;
    const { at } = look;
    queueMessages(tx, deps.env, at, { type: "doctor_found", at, findings: reported });
  });
  deps.wake();
  for (const { subject, says } of reported) deps.log.warn({ subject, says }, "newly wrong");
  const wrong = Object.values(known).flat();
  deps.log.info({ wrong }, wrong.length === 0 ? "nothing is wrong" : "looked at by the doctor");
}
