/** What an address got lately of what a stranger may cause, and what was held back. */
import { sql } from "kysely";
import type { MessageKind } from "#app/model/messages.ts";
import { COUNT, type Db, literal, literals, sqlite } from "#db/connection.server.ts";

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
  return db.first(
    sqlite
      .selectFrom("message")
      .select(COUNT)
      .where("kind", "in", literals(["booking_unpaid", "booking_links"]))
      .where("state", "<>", literal("held_back"))
      .where("kind", "=", kind)
      .where(sql<boolean>`lower(recipient) = lower(${recipient})`)
      .where(sql<boolean>`(coalesce(sent_at, created_at) > ${since} OR next_try_at IS NOT NULL)`),
  )!.count;
}

/** How many mails were held back since an instant, by kind. */
export function countHeldBack(db: Db, since: number): Map<string, number> {
  const heldBack = sqlite
    .selectFrom("message")
    .select(["kind", COUNT])
    .where("state", "=", literal("held_back"))
    .where("created_at", ">", since)
    .where("channel", "=", "email")
    .groupBy("kind");
  return new Map(db.all(heldBack).map(({ kind, count }) => [kind, count]));
}
