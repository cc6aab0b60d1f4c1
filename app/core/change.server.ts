/** One change that a person makes. */
import type { ActivityAction, ActivityData } from "#app/model/activity.ts";
import { type Actor, actorNamed } from "#app/model/actor.ts";
import { type Outcome, SIGN_IN_AGAIN } from "#app/model/outcome.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { logActivity } from "#db/queries/activity.server.ts";
import { findStoredSession } from "#db/queries/admins.server.ts";
import type { Deps } from "./deps.server.ts";

export interface Change {
  tx: Db;
  /** Milliseconds UTC. */
  now: number;
  /** Writes the entry of the activity log. */
  log(
    action: ActivityAction,
    target: string | null,
    what?: { before?: ActivityData; after?: ActivityData },
  ): void;
}

/**
 * Runs `work` in one transaction, that of the caller where there is one. After a success the worker
 * takes up what was queued. Refusal beside those of `work`: `unauthenticated` where the actor's
 * session, role or access ended since the request was admitted.
 */
export function change<T>(
  deps: Pick<Deps, "now" | "wake"> & { db: Db },
  actor: Actor,
  work: (change: Change) => Outcome<T>,
): Outcome<T> {
  const outcome = inTransaction(deps.db, (tx): Outcome<T> => {
    if (!isStillAdmitted(tx, actor)) return SIGN_IN_AGAIN;
    const now = deps.now();
    const log: Change["log"] = (action, target, what) =>
      logActivity(tx, { at: now, ...actorNamed(actor), action, target, ...what });
    return work({ tx, now, log });
  });
  if (outcome.ok) deps.wake();
  return outcome;
}

function isStillAdmitted(tx: Db, actor: Actor): boolean {
  if (actor.kind !== "admin" || !actor.session) return true;
  const stored = findStoredSession(tx, actor.session.tokenHash);
  if (!stored || stored.inactiveSince !== null || stored.role !== actor.role) return false;
  return stored.counselorKey === actor.session.counselorKey;
}
