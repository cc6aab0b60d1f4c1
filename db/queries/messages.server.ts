/** What is sent, was sent, or waits. */
import { type Selectable, sql } from "kysely";
import type { Appointment } from "#app/model/appointment.ts";
import { type MessageKind, messageDataSchema, type OwnerAlert } from "#app/model/messages.ts";
import type { MessageState } from "#app/model/statuses.ts";
import { storedJson } from "#app/model/stored-json.ts";
import { type Db, literals, sqlite } from "#db/connection.server.ts";
import { toFields } from "#db/row-fields.ts";
import type { MessageTable } from "#db/tables.ts";

export const messages = sqlite.selectFrom("message").selectAll();

export function toMessage(row: Selectable<MessageTable>) {
  const { kind, data, leaseUntil: _, ...same } = toFields(row);
  const read = storedJson("message.data", data, messageDataSchema, {});
  return { ...same, kind: kind as MessageKind, data: read };
}

export type Message = ReturnType<typeof toMessage>;

type Given = "cause" | "kind" | "channel" | "audience" | "recipient" | "appointmentId" | "data";

export interface NewMessage extends Pick<Message, "id" | Given | "notAfter"> {
  /** Why it is kept and not sent; null if it is to be sent. */
  heldBack: string | null;
  now: number;
}

/** Does nothing if this cause already has its message for the channel and audience. */
export function insertMessage(db: Db, message: NewMessage): void {
  const { appointmentId, data, notAfter, heldBack, now, ...named } = message;
  const toSend = { state: "queued", next_try_at: now } as const;
  const kept = { state: "held_back", next_try_at: null, last_error: heldBack } as const;
  const row = {
    ...named,
    ...(heldBack === null ? toSend : kept),
    appointment_id: appointmentId,
    data: JSON.stringify(data),
    not_after: notAfter,
    created_at: now,
  };
  const insert = sqlite.insertInto("message").values(row);
  const known = ["cause", "channel", "audience"] as const;
  db.run(insert.onConflict((conflict) => conflict.columns(known).doNothing()));
}

export function findMessage(db: Db, id: string): Message | null {
  const row = db.first(messages.where("id", "=", id));
  return row && toMessage(row);
}

/** Newest last, as the admin reads the appointment's history. */
export function listMessages(db: Db, appointmentId: string): Message[] {
  const ofAppointment = messages.where("appointment_id", "=", appointmentId);
  return db.all(ofAppointment.orderBy("created_at").orderBy("channel")).map(toMessage);
}

/** It could not be sent; not those kept back on purpose, as the reminder of a cancelled session. */
export const hasFailed = sql<boolean>`(state = 'failed'
  AND coalesce(last_error, '') NOT LIKE 'Not sent:%')`;
export const failedMessages = messages.where(hasFailed);

/** Messages of appointments that were queued since an instant and could not be sent, newest first. */
export function listFailedMessages(db: Db, since: number, limit: number): Message[] {
  const failed = failedMessages
    .where("appointment_id", "is not", null)
    .where("created_at", ">=", since);
  return db.all(failed.orderBy("created_at", "desc").limit(limit)).map(toMessage);
}

/** The captain who has the session now; only its end may be another's, who gave it away. */
const address = sql<string>`(SELECT CASE
    WHEN message.audience = 'customer'
      THEN CASE message.channel WHEN 'email' THEN a.email ELSE a.phone END
    WHEN message.audience = 'counselor' AND message.kind <> 'counselor_cancelled'
      THEN (SELECT c.email FROM counselor c WHERE c.key = a.counselor_key) END
  FROM appointment a WHERE a.id = message.appointment_id)`;

const resends = sql<number>`coalesce(json_extract(data, '$.resend'), 0)`;

/** Another send of what was sent, to the address of today. */
export const resent = {
  data: sql<string>`json_set(data, '$.resend', ${resends} + 1)`,
  recipient: sql<string>`coalesce(nullif(${address}, ''), recipient)`,
};

/**
 * Puts a message back to the start, for the address that its customer, captain or the business has now.
 * False if it does not exist or is being sent at this moment.
 */
export function requeueMessage(
  db: Db,
  id: string,
  now: number,
  businessEmail: string | null,
): boolean {
  const { data, recipient: theirs } = resent;
  const recipient = sql<string>`iif(kind LIKE 'admin%', coalesce(${businessEmail}, recipient), ${theirs})`;
  const row = sqlite.updateTable("message").where("id", "=", id);
  const free = row.where((eb) =>
    eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]),
  );
  const start = { state: "queued", attempts: 0, next_try_at: now, last_error: null } as const;
  return db.run(free.set({ ...start, lease_until: null, sent_at: null, data, recipient })) > 0;
}

/** True still when the appointment is gone: what it says has happened. */
const OUTLIVING: readonly MessageKind[] = [
  "booking_cancelled",
  "counselor_cancelled",
  "payment_refunded",
  "late_payment_refunded",
  "refund_under_way",
];

const outliving = messages
  .where("next_try_at", "is not", null)
  .where("kind", "in", literals(OUTLIVING));

/** What its customer or captain is still to be sent, once the appointment is gone too. */
export function listOutliving(db: Db, appointmentId: string): Message[] {
  return db.all(outliving.where("appointment_id", "=", appointmentId)).map(toMessage);
}

const hasNone = sql<boolean>`json_extract(data, '$.appointment') IS NULL`;

/**
 * Deletes an appointment's messages, but for those still to be sent to the admin. With a snapshot of
 * it, those that are due and stay true are sent first; a trigger then deletes each.
 */
export function deleteMessagesOf(tx: Db, appointmentId: string, left: Appointment | null): void {
  const own = sqlite.deleteFrom("message").where("appointment_id", "=", appointmentId);
  if (left) {
    const those = outliving.clearSelect().select("id").where("appointment_id", "=", appointmentId);
    const json = JSON.stringify({ ...left, staffNote: null });
    const data = sql<string>`json_set(data, '$.appointment', json(${json}))`;
    tx.run(sqlite.updateTable("message").set({ data }).where("id", "in", those));
  }
  const isDueToAdmin = sql<boolean>`(audience = 'admin' AND next_try_at IS NOT NULL)`;
  tx.run(own.where(sql<boolean>`NOT ${isDueToAdmin}`).$if(left !== null, (q) => q.where(hasNone)));
}

/** Deletes what was queued until an instant for a customer's address or number. */
export function deleteMessagesTo(
  tx: Db,
  contact: string,
  until: number,
  which: "of any booking" | "but outliving" | "of no booking",
): void {
  const toCustomer = sqlite.deleteFrom("message").where("audience", "=", "customer");
  const those = toCustomer
    .where(sql<boolean>`lower(recipient) = lower(${contact})`)
    .where("created_at", "<=", until);
  if (which === "of any booking") tx.run(those);
  else if (which === "but outliving") tx.run(those.where(hasNone));
  else tx.run(those.where("appointment_id", "is", null));
}

/**
 * What a delivery report may change: by the transport's id, or by that of our send (the message's, and
 * `.` and the resend if it was one) until its answer is known.
 */
export function findMessageForReport(
  db: Db,
  transportId: string,
  sendId: string | null,
): Message | null {
  const [id, resend = "0"] = (sendId ?? "").split(".");
  const unanswered = messages
    .where("channel", "=", "whatsapp")
    .where((eb) => eb.or([eb("transport_id", "is", null), eb("next_try_at", "is not", null)]));
  const row =
    db.first(messages.where("transport_id", "=", transportId)) ??
    db.first(unanswered.where("id", "=", id!).where(resends, "=", Number(resend)));
  return row && toMessage(row);
}

/**
 * Writes a delivery report; with `nextTryAt` the message is sent again then. The lease stays: a send whose
 * answer is still on its way ends itself.
 */
export function markReported(
  db: Db,
  id: string,
  report: {
    state: MessageState;
    transportId: string;
    at: number;
    error: string | null;
    nextTryAt: number | null;
  },
): void {
  const { state, transportId, error, at, nextTryAt } = report;
  const reported = { transport_id: transportId, last_error: error, next_try_at: nextTryAt };
  const next = nextTryAt === null ? { state } : { state: "retrying" as const, ...resent };
  const message = sqlite.updateTable("message").where("id", "=", id);
  db.run(message.set({ ...reported, ...next, sent_at: sql`coalesce(sent_at, ${at})` }));
}

/** True if the admin was notified that a refund did not go through by itself. */
export function wasPersonAsked(db: Db, refundId: string): boolean {
  const asked = `refund_needs_person:${refundId}:`;
  const causes = sqlite.selectFrom("message").select("cause");
  return db.has(causes.where("cause", ">=", asked).where("cause", "<", `${asked}:`));
}

/** Sorts by its instant, so that the unique index over causes finds those of a span. */
export function ownerAlertCause(alert: OwnerAlert, at: number): string {
  return `owner_alert:${alert}:${String(at).padStart(15, "0")}`;
}

/** True if the alert was queued within the span, both ends inclusive. */
export function wasOwnerAlerted(db: Db, alert: OwnerAlert, from: number, to: number): boolean {
  const causes = sqlite.selectFrom("message").select("cause");
  const since = causes.where("cause", ">=", ownerAlertCause(alert, from));
  return db.has(since.where("cause", "<=", ownerAlertCause(alert, to)));
}
