/** Tells the owner by mail what may need a look, at most once an hour for each kind. */
import type { Env } from "#app/core/env.server.ts";
import { HOUR } from "#app/model/duration.ts";
import type { OwnerAlert } from "#app/model/messages.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { wasOwnerAlerted } from "#db/queries/messages.server.ts";
import { queueMessages } from "./queue.server.ts";

/**
 * Queues the alert's mail unless one was queued within the hour before `now` (milliseconds UTC);
 * true if it did: wake the worker then, after the commit. Joins the caller's transaction, or makes
 * one. Cheap to call at every event of a flood: within the hour it only reads.
 */
export function alertOwner(db: Db, env: Env, now: number, alert: OwnerAlert): boolean {
  const isNews = () => !wasOwnerAlerted(db, alert, now - HOUR + 1, now);
  if (!isNews()) return false;
  return inTransaction(db, (tx) => {
    if (!isNews()) return false;
    queueMessages(tx, env, now, { type: "owner_alert", alert, at: now });
    return true;
  });
}
