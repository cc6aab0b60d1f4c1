/**
 * Deletes old rows by schedule, as the privacy page promises. A run works in small transactions, with
 * requests served between them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { OWN_BOOKING_MS } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { FAILURE_AGE } from "#app/core/failures.server.ts";
import { DAY, HOUR, past } from "#app/model/dates.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { thinActivity } from "#db/queries/activity.server.ts";
import { deleteEndedCodes, deleteExpiredSessions } from "#db/queries/admins.server.ts";
import { deleteFailures } from "#db/queries/health.server.ts";
import {
  deleteLooseMessages,
  deleteOldActivity,
  deleteOldAnswers,
  deleteOldEvents,
  deleteOldMessages,
  deleteOldTokens,
  eraseAppointment,
  listUnpaidToErase,
} from "#db/queries/retention.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";

const LAST_RUN = "last_retention";
const EVERY = 6 * HOUR;
/** How long idempotency keys are kept; retries come within minutes. */
const ANSWERS_KEPT = 2 * DAY;
/** Logs of what was done with personal data are kept for a year at least (DPDP rule 8(3)). */
const ACTIVITY_KEPT = 365 * DAY;
/** For long entries, which list the times of hundreds of dates before and after a change. */
const LONG_ACTIVITY_KEPT = 30 * DAY;
const BATCH = 100;
/** For rows in the search index, which is slow to change. */
const SEARCHED_BATCH = 10;

type RetentionDeps = Pick<Deps, "db" | "env" | "now" | "log">;

/** Deletes old rows if a run is due. */
export async function runRetention(deps: RetentionDeps, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  if (now - past(readSetting(deps.db, LAST_RUN), now) < EVERY) return;
  const swept = await sweep(deps, signal);
  if (signal?.aborted) return;
  writeSetting(deps.db, LAST_RUN, String(now));
  deps.log.info(swept, "old rows removed");
}

/** Deletes every row that has reached its age limit; returns how many of each kind. */
export async function sweep(deps: RetentionDeps, signal?: AbortSignal) {
  const { db, env } = deps;
  const now = deps.now();
  const unpaidBefore = now - env.retentionUnpaidDays * DAY;
  const eventsBefore = now - env.retentionEventsDays * DAY;
  const activityBefore = Math.min(now - ACTIVITY_KEPT, eventsBefore);
  inTransaction(db, (tx) => {
    deleteExpiredSessions(tx, now);
    deleteEndedCodes(tx, now);
    deleteFailures(tx, now - FAILURE_AGE);
  });
  const all = async (batch: Batch, before: number, limit = BATCH) => {
    let total = 0;
    while (!signal?.aborted) {
      const done = inTransaction(db, (tx) => batch(tx, before, limit));
      total += done;
      if (done < limit) break;
      await nextTurn();
    }
    return total;
  };
  const eraseUnpaid: Batch = (tx, before, limit) => {
    const ids = listUnpaidToErase(tx, before, limit);
    for (const id of ids) eraseAppointment(tx, id, now);
    return ids.length;
  };
  return {
    answers: await all(deleteOldAnswers, now - ANSWERS_KEPT),
    tokens: await all(deleteOldTokens, now - OWN_BOOKING_MS),
    events: await all(deleteOldEvents, eventsBefore),
    activity:
      (await all(deleteOldActivity, activityBefore, SEARCHED_BATCH)) +
      (await all(thinActivity, now - LONG_ACTIVITY_KEPT, SEARCHED_BATCH)),
    messages:
      (await all(deleteOldMessages, eventsBefore)) + (await all(deleteLooseMessages, unpaidBefore)),
    erased: await all(eraseUnpaid, unpaidBefore, SEARCHED_BATCH),
  };
}

/** Returns how many rows it handled, at most `limit`. */
type Batch = (tx: Db, before: number, limit: number) => number;
