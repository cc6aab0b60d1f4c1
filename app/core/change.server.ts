/** One change that a person makes. */
import type { ActivityAction, ActivityData } from "#app/model/activity.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import type { Outcome } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import type { Deps } from "./deps.server.ts";

export interface Change {
  tx: Db;
  /** Milliseconds UTC. */
  now: number;
  /** Writes the entry of the activity log. */
  log(
    action: ActivityAction,
    target: string,
    what?: { before?: ActivityData; after?: ActivityData },
  ): void;
}

/**
 * Runs `work` in one transaction, that of the caller where there is one. After a success the worker
 * takes up what was queued.
 */
export function change<T>(
  deps: Pick<Deps, "now" | "wake"> & { db: Db },
  actor: Actor,
  work: (change: Change) => Outcome<T>,
): Outcome<T> {
  const outcome = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    const log: Change["log"] = (action, target, what) =>
      logActivity(tx, { at: now, ...actorNamed(actor), action, target, ...what });
    return work({ tx, now, log });
  });
  if (outcome.ok) deps.wake();
  return outcome;
}
