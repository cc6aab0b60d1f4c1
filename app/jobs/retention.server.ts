/**
 * Old rows go by schedule, as the privacy page says. A run works in small transactions and gives
 * the event loop back between them, so that no visitor waits for it.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { OWN_BOOKING_MS } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { DAY, HOUR } from "#app/model/duration.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { deleteEndedCodes, deleteExpiredSessions } from "#db/queries/admins.server.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
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

const LAST_RUN = "last_retention";
const EVERY = 6 * HOUR;
/** A repeat under one key comes within minutes; the answer it would get holds a name. */
const ANSWERS_KEPT = 2 * DAY;
/** Logs of what was done with personal data are kept for a year at least (DPDP rule 8(3)). */
const ACTIVITY_KEPT = 365 * DAY;
const BATCH = 100;

export interface Swept {
  answers: number;
  tokens: number;
  events: number;
  activity: number;
  messages: number;
  erased: number;
}

type RetentionDeps = Pick<Deps, "db" | "env" | "now" | "log">;

/** A run if one is due. */
export async function runRetention(deps: RetentionDeps, signal?: AbortSignal): Promise<void> {
  const now = deps.now();
  const last = Number(readSetting(deps.db, LAST_RUN) ?? 0);
  // A clock that was set back must not stop it for long.
  if (now - last < EVERY && now >= last) return;
  const swept = await sweep(deps, signal);
  if (signal?.aborted) return;
  writeSetting(deps.db, LAST_RUN, String(now));
  deps.log.info(swept, "old rows removed");
}

/** Removes everything that is old now. */
export async function sweep(deps: RetentionDeps, signal?: AbortSignal): Promise<Swept> {
  const { db, env } = deps;
  const now = deps.now();
  const unpaidBefore = now - env.retention.unpaidDays * DAY;
  const eventsBefore = now - env.retention.eventsDays * DAY;
  const activityBefore = Math.min(now - ACTIVITY_KEPT, eventsBefore);
  inTransaction(db, (tx) => {
    deleteExpiredSessions(tx, now);
    deleteEndedCodes(tx, now);
  });
  const all = (work: (tx: Db) => number) => inBatches(db, work, signal);
  return {
    answers: await all((tx) => deleteOldAnswers(tx, now - ANSWERS_KEPT, BATCH)),
    tokens: await all((tx) => deleteOldTokens(tx, now - OWN_BOOKING_MS, BATCH)),
    events: await all((tx) => deleteOldEvents(tx, eventsBefore, BATCH)),
    activity: await all((tx) => deleteOldActivity(tx, activityBefore, BATCH)),
    messages:
      (await all((tx) => deleteOldMessages(tx, eventsBefore, BATCH))) +
      (await all((tx) => deleteLooseMessages(tx, unpaidBefore, BATCH))),
    erased: await all((tx) => eraseUnpaid(tx, unpaidBefore, now)),
  };
}

function eraseUnpaid(tx: Db, before: number, now: number): number {
  const ids = listUnpaidToErase(tx, { before, now, limit: BATCH });
  for (const id of ids) eraseAppointment(tx, id, now);
  return ids.length;
}

async function inBatches(
  db: Db,
  work: (tx: Db) => number,
  signal: AbortSignal | undefined,
): Promise<number> {
  let total = 0;
  while (!signal?.aborted) {
    const done = inTransaction(db, work);
    total += done;
    if (done < BATCH) break;
    await nextTurn();
  }
  return total;
}
