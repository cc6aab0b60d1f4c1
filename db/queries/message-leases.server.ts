/**
 * Which messages are being sent, and which are held back: by what an address got lately, and for a number
 * that asked for none.
 */
import { type Selectable, sql } from "kysely";
import { type Channel, type MessageKind, MOST_MAILS } from "#app/model/messages.ts";
import { whatsAppForms } from "#app/model/phone.server.ts";
import type { MessageState } from "#app/model/statuses.ts";
import { COUNT, type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import type { MessageTable } from "#db/tables.ts";
import { hasFailed, type Message, resent, toMessage } from "./messages.server.ts";
import { contactHash, contactHasher } from "./settings.server.ts";

/** A lease on one message: only its holder may write what became of the send. */
export interface LeasedMessage extends Message {
  /** When the lease ends, and the proof of holding it. */
  leaseUntil: number;
}

/**
 * Leases due messages, at most one for each recipient and none for a recipient with a send under
 * way (leased, or one of `except`), so a slow mailbox holds up only itself. Codes first: a person is
 * waiting for one.
 */
export function takeDueMessages(
  db: Db,
  now: number,
  options: { channel: Channel; limit: number; leaseUntil: number; except?: readonly string[] },
): LeasedMessage[] {
  const { channel } = options;
  const due = sqlite.selectFrom("message").select("id").where("next_try_at", "<=", now);
  // Read first: looking costs no write lock, and mostly nothing is due.
  if (!db.has(due.where("channel", "=", channel))) return [];
  // By hand: each group's id is that of its row with the smallest `next_try_at`, which only SQLite
  // promises of a column beside min().
  const rows = db.allRaw<Selectable<MessageTable>>(
    `UPDATE message SET lease_until = ? WHERE id IN (
       SELECT id FROM (
         SELECT id, kind, min(next_try_at) AS due FROM message
         WHERE next_try_at <= ? AND channel = ? AND recipient NOT IN (
           SELECT recipient FROM message WHERE next_try_at IS NOT NULL
             AND (lease_until > ? OR id IN (SELECT value FROM json_each(?))))
         GROUP BY recipient
         ORDER BY kind <> 'reset_code', due LIMIT ?))
     RETURNING *`,
    [options.leaseUntil, now, channel, now, JSON.stringify(options.except ?? []), options.limit],
  );
  return rows.map((row) => ({ ...toMessage(row), leaseUntil: options.leaseUntil }));
}

/** The message while its lease is not lost: to another holder, a deletion or a resend. */
const held = (message: LeasedMessage) =>
  sqlite
    .updateTable("message")
    .where("id", "=", message.id)
    .where("lease_until", "=", message.leaseUntil);

/** The same while no report has come of it. */
const unreported = (message: LeasedMessage) =>
  held(message).where("state", "in", literals(["queued", "retrying"]));

const ended = (lastError: string | null) =>
  ({ next_try_at: null, lease_until: null, last_error: lastError }) as const;
const oneMore = sql<number>`attempts + 1`;
const withoutCode = sql<string>`json_remove(data, '$.code')`;

/** False if the lease was lost, as all of the following. */
export function extendLease(db: Db, message: LeasedMessage, leaseUntil: number): boolean {
  return db.run(held(message).set({ lease_until: leaseUntil })) > 0;
}

/**
 * Sends what was redirected while it was in hand once more, to its new address. False if it was not, or
 * the lease was lost.
 */
export function sendToNewAddress(db: Db, message: LeasedMessage, now: number): boolean {
  const redirected = held(message).where("recipient", "<>", message.recipient);
  const start = { state: "queued", attempts: 0, next_try_at: now } as const;
  return db.run(redirected.set({ ...ended(null), ...resent, ...start })) > 0;
}

/**
 * A delivery report may have come before the answer: its higher state, or its failure, stays, and the
 * next try of one that passes. What was superseded while it was being sent is sent all the same. False
 * also if it was redirected meanwhile.
 */
export function markSent(
  db: Db,
  message: LeasedMessage,
  now: number,
  transportId: string,
): boolean {
  // Only WhatsApp names each try anew.
  const again = sql<boolean>`(channel = 'whatsapp' AND state = 'retrying'
    AND transport_id = ${transportId})`;
  const state = sql<MessageState>`CASE WHEN state IN ('delivered', 'read') OR ${hasFailed} OR ${again}
    THEN state ELSE 'sent' END`;
  const last_error = sql<string | null>`iif(${hasFailed} OR ${again}, last_error, NULL)`;
  const next_try_at = sql<number | null>`iif(${again}, next_try_at, NULL)`;
  const sent = { state, last_error, transport_id: transportId, sent_at: now, data: withoutCode };
  const there = held(message).where("recipient", "=", message.recipient);
  return db.run(there.set({ ...ended(null), ...sent, next_try_at, attempts: oneMore })) > 0;
}

export function markRetrying(
  db: Db,
  message: LeasedMessage,
  nextTryAt: number,
  lastError: string,
): boolean {
  const next = { ...ended(lastError), next_try_at: nextTryAt, attempts: oneMore };
  return db.run(unreported(message).set({ ...next, state: "retrying" })) > 0;
}

/** Parks the message where the admin sees it. A secret code is erased. */
export function markFailed(
  db: Db,
  message: LeasedMessage,
  lastError: string,
  options: { attempted: boolean },
): boolean {
  const parked = unreported(message).set({
    ...ended(lastError),
    state: "failed",
    data: withoutCode,
  });
  return db.run(options.attempted ? parked.set({ attempts: oneMore }) : parked) > 0;
}

/** After a start every message that waits for its next try is due within `spread` milliseconds. */
export function hastenRetries(db: Db, now: number, spread: number): number {
  const later = sqlite.updateTable("message").where("next_try_at", ">", now + spread);
  return db.run(later.set({ next_try_at: sql`${now} + abs(random()) % ${spread}` }));
}

/**
 * How many mails of a kind an address got since an instant, or is about to get; upper and lower case
 * are one address. Only the kinds of `MOST_MAILS` are counted.
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
      .where("kind", "in", literals([...MOST_MAILS.keys()]))
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

/** By the last word that came under any form of the number: the sender's id is stored as Meta writes it. */
export function isOptedOut(db: Db, phone: string): boolean {
  const words = sqlite.selectFrom("opt_out").select("is_out");
  const own = words.where("phone_hash", "in", whatsAppForms(phone).map(contactHasher(db)));
  return db.first(own.orderBy("at", "desc").orderBy("is_out", "desc").limit(1))?.is_out === 1;
}

/**
 * Keeps the last word of a number: STOP (`isOut`) or START, written at `at`; of two of one instant STOP.
 * False if it changes nothing, for it is known or a later one is.
 */
export function setOptOut(db: Db, phone: string, isOut: boolean, at: number): boolean {
  const word = { at, is_out: isOut ? (1 as const) : (0 as const) };
  const insert = sqlite
    .insertInto("opt_out")
    .values({ phone_hash: contactHash(db, phone), ...word });
  const isLater = sql<boolean>`(excluded.at, excluded.is_out) > (opt_out.at, opt_out.is_out)`;
  return (
    db.run(insert.onConflict((c) => c.column("phone_hash").doUpdateSet(word).where(isLater))) > 0
  );
}
