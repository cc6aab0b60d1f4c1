/** All SQL of messages and opt-outs. Instants are milliseconds UTC; `now` is always an argument. */
import type { Selectable } from "kysely";
import {
  type Channel,
  type Message,
  type MessageKind,
  messageDataSchema,
} from "#app/model/messages.ts";
import type { MessageState } from "#app/model/statuses.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import type { MessageTable } from "#db/tables.ts";

type MessageRow = Selectable<MessageTable>;

function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    cause: row.cause,
    kind: row.kind as MessageKind,
    channel: row.channel,
    audience: row.audience,
    recipient: row.recipient,
    appointmentId: row.appointment_id,
    data: storedJson("message.data", row.data, messageDataSchema, {}),
    state: row.state,
    attempts: row.attempts,
    lastError: row.last_error,
    transportId: row.transport_id,
    notAfter: row.not_after,
    nextTryAt: row.next_try_at,
    createdAt: row.created_at,
    sentAt: row.sent_at,
  };
}

type Given = "cause" | "kind" | "channel" | "audience" | "recipient" | "appointmentId" | "data";

export interface NewMessage extends Pick<Message, "id" | Given | "notAfter"> {
  /** Why it is kept and not sent; null if it is to be sent. */
  heldBack: string | null;
  now: number;
}

/** False if this cause already has its message for the channel and audience. */
export function insertMessage(db: Db, message: NewMessage): boolean {
  const changes = db.run(
    sqlite
      .insertInto("message")
      .values({
        id: message.id,
        cause: message.cause,
        kind: message.kind,
        channel: message.channel,
        audience: message.audience,
        recipient: message.recipient,
        appointment_id: message.appointmentId,
        data: JSON.stringify(message.data),
        state: message.heldBack === null ? "queued" : "held_back",
        next_try_at: message.heldBack === null ? message.now : null,
        last_error: message.heldBack,
        not_after: message.notAfter,
        created_at: message.now,
      })
      .onConflict((conflict) => conflict.columns(["cause", "channel", "audience"]).doNothing()),
  );
  return changes > 0;
}

/** A lease on one message: only its holder may write what became of the send. */
export interface LeasedMessage extends Message {
  /** When the lease ends, and the proof of holding it. */
  leaseUntil: number;
}

/**
 * Leases due messages, at most one for each recipient and none for a recipient with a send under
 * way, so a slow mailbox holds up only itself. Codes first: a person is waiting for one.
 */
export function takeDueMessages(
  db: Db,
  now: number,
  options: { channel: Channel; limit: number; leaseUntil: number },
): LeasedMessage[] {
  // Read first: looking costs no write lock, and mostly nothing is due.
  const due = "SELECT 1 FROM message WHERE next_try_at <= ? AND channel = ? LIMIT 1";
  if (db.firstRaw(due, [now, options.channel]) === undefined) return [];
  const rows = db.allRaw<MessageRow>(
    `UPDATE message SET lease_until = ? WHERE id IN (
       SELECT id FROM (
         SELECT id, kind, min(next_try_at) AS due FROM message
         WHERE next_try_at <= ? AND channel = ? AND recipient NOT IN (
           SELECT recipient FROM message WHERE next_try_at IS NOT NULL AND lease_until > ?)
         GROUP BY recipient
         ORDER BY kind <> 'reset_code', due LIMIT ?))
     RETURNING *`,
    [options.leaseUntil, now, options.channel, now, options.limit],
  );
  return rows.map((row) => ({ ...toMessage(row), leaseUntil: options.leaseUntil }));
}

/** False if the lease was lost: another holder, a deletion or a resend came between. */
export function extendLease(db: Db, message: LeasedMessage, leaseUntil: number): boolean {
  return (
    db.runRaw("UPDATE message SET lease_until = ? WHERE id = ? AND lease_until = ?", [
      leaseUntil,
      message.id,
      message.leaseUntil,
    ]) > 0
  );
}

/** A delivery report may have come before the answer: its higher state stays. */
export function markSent(
  db: Db,
  message: LeasedMessage,
  now: number,
  transportId: string,
): boolean {
  return (
    db.runRaw(
      `UPDATE message SET
         state = CASE WHEN state IN ('delivered', 'read') THEN state ELSE 'sent' END,
         attempts = attempts + 1, next_try_at = NULL, lease_until = NULL, last_error = NULL,
         transport_id = ?, sent_at = ?, data = json_remove(data, '$.code')
       WHERE id = ? AND lease_until = ?`,
      [transportId, now, message.id, message.leaseUntil],
    ) > 0
  );
}

export function markRetrying(
  db: Db,
  message: LeasedMessage,
  nextTryAt: number,
  lastError: string,
): boolean {
  return (
    db.runRaw(
      `UPDATE message SET state = 'retrying', attempts = attempts + 1, next_try_at = ?,
         lease_until = NULL, last_error = ?
       WHERE id = ? AND lease_until = ? AND state IN ('queued', 'retrying')`,
      [nextTryAt, lastError, message.id, message.leaseUntil],
    ) > 0
  );
}

/** Parks the message where the admin sees it. A secret code is erased. */
export function markFailed(
  db: Db,
  message: LeasedMessage,
  lastError: string,
  options: { attempted: boolean },
): boolean {
  return (
    db.runRaw(
      `UPDATE message SET state = 'failed', attempts = attempts + ?, next_try_at = NULL,
         lease_until = NULL, last_error = ?, data = json_remove(data, '$.code')
       WHERE id = ? AND lease_until = ? AND state IN ('queued', 'retrying')`,
      [options.attempted ? 1 : 0, lastError, message.id, message.leaseUntil],
    ) > 0
  );
}

/** After a start every message that waits for its next try is due within `spread` milliseconds. */
export function hastenRetries(db: Db, now: number, spread: number): number {
  return db.runRaw(`UPDATE message SET next_try_at = ? + abs(random()) % ? WHERE next_try_at > ?`, [
    now,
    spread,
    now + spread,
  ]);
}

export function findMessage(db: Db, id: string): Message | null {
  const row = db.first(sqlite.selectFrom("message").selectAll().where("id", "=", id));
  return row ? toMessage(row) : null;
}

/** Newest last, as the admin reads the appointment's history. */
export function listMessages(db: Db, appointmentId: string): Message[] {
  return db
    .all(
      sqlite
        .selectFrom("message")
        .selectAll()
        .where("appointment_id", "=", appointmentId)
        .orderBy("created_at")
        .orderBy("channel"),
    )
    .map(toMessage);
}

/** Messages parked for a person, newest first. */
export function listFailedMessages(db: Db, limit: number): Message[] {
  return db
    .all(
      sqlite
        .selectFrom("message")
        .selectAll()
        .where("state", "=", "failed")
        .orderBy("created_at", "desc")
        .limit(limit),
    )
    .map(toMessage);
}

/**
 * Puts a message back to the start, for the address its customer has now. False if it does not
 * exist or is being sent at this moment.
 */
export function requeueMessage(db: Db, id: string, now: number): boolean {
  return (
    db.runRaw(
      `UPDATE message SET state = 'queued', attempts = 0, next_try_at = ?, lease_until = NULL,
         last_error = NULL, sent_at = NULL,
         data = json_set(data, '$.resend', coalesce(json_extract(data, '$.resend'), 0) + 1),
         recipient = coalesce(
           (SELECT CASE message.channel WHEN 'email' THEN a.email ELSE a.phone END
            FROM appointment a
            WHERE a.id = message.appointment_id AND message.audience = 'customer'),
           recipient)
       WHERE id = ? AND (lease_until IS NULL OR lease_until <= ?)`,
      [now, id, now],
    ) > 0
  );
}

/** Unsent messages of a corrected contact go to the new address or number. */
export function redirectCustomerMessages(
  db: Db,
  appointmentId: string,
  channel: Channel,
  recipient: string,
): number {
  return db.runRaw(
    `UPDATE message SET recipient = ? WHERE appointment_id = ? AND channel = ?
       AND audience = 'customer' AND next_try_at IS NOT NULL`,
    [recipient, appointmentId, channel],
  );
}

/** An unsent confirmation gives way to the one that the corrected contact causes. */
export function supersedeConfirmation(db: Db, appointmentId: string, channel: Channel): number {
  return db.runRaw(
    `UPDATE message SET state = 'failed', next_try_at = NULL,
       last_error = 'Not sent: the contact was corrected, and a new confirmation went out.'
     WHERE appointment_id = ? AND channel = ? AND kind = 'booking_confirmed'
       AND next_try_at IS NOT NULL`,
    [appointmentId, channel],
  );
}

/** Deletes every message of an appointment and the booking links sent to its address. */
export function deleteMessagesOfAppointment(db: Db, appointmentId: string, email: string): number {
  return db.runRaw(
    `DELETE FROM message WHERE appointment_id = ?
       OR (kind = 'booking_links' AND recipient = ? COLLATE NOCASE)`,
    [appointmentId, email],
  );
}

/** What a delivery report may change: `id` by the transport's id, or by ours while none is known. */
export function findMessageForReport(
  db: Db,
  transportId: string,
  ownId: string | null,
): Message | null {
  const row =
    db.first(
      sqlite.selectFrom("message").selectAll().where("transport_id", "=", transportId).limit(1),
    ) ??
    (ownId === null
      ? undefined
      : db.first(
          sqlite
            .selectFrom("message")
            .selectAll()
            .where("id", "=", ownId)
            .where("channel", "=", "whatsapp")
            .where("transport_id", "is", null),
        ));
  return row ? toMessage(row) : null;
}

/** Writes a delivery report. The lease stays: a send whose answer is still on its way ends itself. */
export function markReported(
  db: Db,
  id: string,
  report: { state: MessageState; transportId: string; at: number; error: string | null },
): void {
  db.runRaw(
    `UPDATE message SET state = ?, transport_id = ?, last_error = ?, next_try_at = NULL,
       sent_at = coalesce(sent_at, ?) WHERE id = ?`,
    [report.state, report.transportId, report.error, report.at, id],
  );
}

export function isOptedOut(db: Db, phone: string): boolean {
  return (
    db.first(sqlite.selectFrom("opt_out").select("phone").where("phone", "=", phone)) !== undefined
  );
}

export function insertOptOut(db: Db, phone: string, now: number): void {
  db.run(
    sqlite
      .insertInto("opt_out")
      .values({ phone, at: now })
      .onConflict((conflict) => conflict.column("phone").doNothing()),
  );
}

export function deleteOptOut(db: Db, phone: string): void {
  db.run(sqlite.deleteFrom("opt_out").where("phone", "=", phone));
}

export interface MessageCounts {
  waiting: number;
  failed: number;
  /** Age of the oldest waiting message in milliseconds; 0 with none. */
  oldestAge: number;
}

export function countMessages(db: Db, now: number): MessageCounts {
  const waiting = db.firstRaw<{ count: number; oldest: number | null }>(
    `SELECT count(*) AS count, min(created_at) AS oldest FROM message
     WHERE next_try_at IS NOT NULL`,
  );
  const failed = db.firstRaw<{ count: number }>(
    "SELECT count(*) AS count FROM message WHERE state = 'failed'",
  );
  return {
    waiting: waiting?.count ?? 0,
    failed: failed?.count ?? 0,
    oldestAge: waiting?.oldest == null ? 0 : Math.max(0, now - waiting.oldest),
  };
}

/**
 * Paid sessions that start within `before` but not within `until` milliseconds and have no
 * reminder of that kind yet. One booked, moved or confirmed again less than `margin` before the
 * reminder's moment gets none: the customer has just been told.
 */
export function listAppointmentsToRemind(
  db: Db,
  now: number,
  rule: { hours: 24 | 1; before: number; until: number; margin: number },
): string[] {
  return db
    .allRaw<{ id: string }>(
      `SELECT a.id FROM appointment a
       WHERE a.status IN ('confirmed', 'rescheduled') AND a.starts_at > ? AND a.starts_at <= ?
         AND a.created_at <= a.starts_at - ?
         AND NOT EXISTS (SELECT 1 FROM message m
           WHERE m.cause = 'reminder_' || ? || 'h:' || a.id || ':' || a.starts_at)
         AND NOT EXISTS (SELECT 1 FROM message m
           WHERE m.appointment_id = a.id AND m.audience = 'customer'
             AND m.kind IN ('booking_confirmed', 'booking_rescheduled')
             AND m.created_at > a.starts_at - ?)
       ORDER BY a.starts_at LIMIT 100`,
      [
        now + rule.until,
        now + rule.before,
        rule.before + rule.margin,
        String(rule.hours),
        rule.before + rule.margin,
      ],
    )
    .map((row) => row.id);
}

/**
 * Bookings whose hold ended after `since` unpaid, whose session is still ahead, that were not yet
 * written to. One with an authorised payment is left alone: its money is being checked.
 */
export function listUnpaidToTell(db: Db, now: number, since: number): string[] {
  return db
    .allRaw<{ id: string }>(
      `SELECT a.id FROM appointment a
       WHERE a.status = 'pending_payment' AND a.hold_until <= ? AND a.hold_until > ?
         AND a.starts_at > ? AND a.personal_data_erased_at IS NULL
         AND NOT EXISTS (SELECT 1 FROM message m WHERE m.cause = 'unpaid:' || a.id)
         AND NOT EXISTS (SELECT 1 FROM payment p
           WHERE p.appointment_id = a.id AND p.outcome = 'authorized')
       ORDER BY a.hold_until LIMIT 100`,
      [now, since, now],
    )
    .map((row) => row.id);
}
