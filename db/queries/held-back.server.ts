/** What an address got lately of what a stranger may cause, and what was held back. */
import type { MessageKind } from "#app/model/messages.ts";
import type { Db } from "#db/connection.server.ts";

/**
 * How many mails of a kind an address got since an instant, or is about to get; upper and lower case
 * are one address. Only the kinds that anybody may cause with an address alone are counted.
 */
export function countRecentMails(
  db: Db,
  kind: MessageKind,
  recipient: string,
  since: number,
): number {
  const { count } = db.firstRaw<{ count: number }>(
    `SELECT count(*) AS count FROM message
     WHERE kind IN ('booking_unpaid', 'booking_links') AND state <> 'held_back'
       AND kind = ? AND lower(recipient) = lower(?)
       AND (coalesce(sent_at, created_at) > ? OR next_try_at IS NOT NULL)`,
    [kind, recipient, since],
  )!;
  return count;
}

/** How many mails were held back since an instant, by kind. */
export function countHeldBack(db: Db, since: number): Map<string, number> {
  const rows = db.allRaw<{ kind: string; count: number }>(
    `SELECT kind, count(*) AS count FROM message
     WHERE state = 'held_back' AND created_at > ? AND channel = 'email' GROUP BY kind`,
    [since],
  );
  return new Map(rows.map(({ kind, count }) => [kind, count]));
}
