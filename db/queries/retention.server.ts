/** Scheduled deletion. Every call handles a bounded number of rows and returns how many. */
import { sql } from "kysely";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { NO_ROOM } from "#app/model/room.ts";
import { type Db, sqlite } from "#db/connection.server.ts";
import { eraseActivityData } from "./activity.server.ts";
import { deleteAppointmentRow, findAppointment, updateAppointment } from "./appointments.server.ts";
import { releaseTime } from "./hours.server.ts";
import { deleteMessagesOf, deleteMessagesTo } from "./messages.server.ts";
import { eraseMoneyWords, eraseProviderEvents } from "./payments.server.ts";
import { eraseRating } from "./ratings.server.ts";

/** By hand: the builder has no short form for the first rows of a table. */
function deleting(rows: string) {
  return (tx: Db, before: number, limit: number): number =>
    tx.runRaw(`DELETE FROM ${rows}`, [before, limit]);
}

/** Stored answers for idempotency keys of calls and forms. */
export const deleteOldAnswers = deleting(
  `idempotency WHERE key IN
   (SELECT key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
);

/** Tokens of browsers whose cookie has ended. */
export const deleteOldTokens = deleting(
  `own_booking WHERE token_hash IN
   (SELECT token_hash FROM own_booking WHERE given_at < ? ORDER BY given_at LIMIT ?)`,
);

export const deleteOldActivity = deleting(
  "activity WHERE at < ? AND id IN (SELECT id FROM activity ORDER BY id LIMIT ?)",
);

/**
 * Events and messages are numbered as they come, so the oldest are first. Waiting ones stay, and test
 * mails, which show that a first step is done.
 */
export const deleteOldEvents = deleting(
  `provider_event WHERE received_at < ? AND state <> 'new'
   AND rowid IN (SELECT rowid FROM provider_event ORDER BY rowid LIMIT ?)`,
);

export const deleteOldMessages = deleting(
  `message WHERE next_try_at IS NULL AND created_at < ?
   AND rowid IN (SELECT rowid FROM message WHERE kind <> 'test_mail' ORDER BY rowid LIMIT ?)`,
);

/** Messages without an appointment that do not wait: codes, booking links, mails to the owner. */
export const deleteLooseMessages = deleting(
  `message WHERE rowid IN (SELECT rowid FROM message
   WHERE appointment_id IS NULL AND kind <> 'test_mail' AND next_try_at IS NULL
     AND created_at < ? LIMIT ?)`,
);

/** Without a document, and without money that is kept or on its way back. */
const PERSONAL = `personal_data_erased_at IS NULL AND kept_paise <= 0
  AND NOT EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = appointment.id)
  AND NOT EXISTS (SELECT 1 FROM refund r JOIN payment p ON p.payment_id = r.payment_id
    WHERE p.appointment_id = appointment.id AND r.counts AND r.state <> 'processed'
      AND (r.way <> 'dashboard' OR r.provider_refund_id IS NOT NULL))`;

/**
 * Appointments that were never paid and whose hold, or whose last change if they were cancelled,
 * ended before an instant. Money that came too late for one has gone back.
 */
export function listUnpaidToErase(db: Db, before: number, limit: number): string[] {
  // By hand: the builder cannot say INDEXED BY.
  const rows = db.allRaw<{ id: string }>(
    `SELECT id FROM appointment
     INDEXED BY appointment_unpaid
     WHERE status = 'pending_payment' AND hold_until < ? AND ${PERSONAL}
     UNION ALL
     SELECT id FROM appointment WHERE status = 'cancelled' AND updated_at < ? AND ${PERSONAL}
     LIMIT ?`,
    [before, before, limit],
  );
  return rows.map((row) => row.id);
}

/** What is due of a booking's messages and stays true is sent before it is emptied, or goes unsent. */
export type Due = "sent first" | "unsent";

const TRACES = [
  "idempotency",
  "own_booking",
  "guardian",
  "preparation",
  "plan",
  "help_call",
] as const;

/** What a booking says of a person beside its own row: messages, answers, events, words, the log. */
export function eraseTraces(tx: Db, id: string, due: Due = "sent first"): void {
  deleteMessagesOf(tx, id, due === "sent first" ? findAppointment(tx, id) : null);
  for (const table of TRACES) {
    tx.run(sqlite.deleteFrom(table).where("appointment_id", "=", id));
  }
  eraseProviderEvents(tx, id);
  eraseRating(tx, id);
  eraseMoneyWords(tx, id);
  eraseActivityData(tx, id);
}

/** Deletes the mails that listed one of these bookings, whatever address they went to. */
export function deleteMailedLinks(tx: Db, appointmentIds: readonly string[]): void {
  const listed = sql`SELECT 1 FROM json_each(data, '$.appointmentIds')
    WHERE value IN (${sql.join(appointmentIds)})`;
  const loose = sqlite.deleteFrom("message").where("appointment_id", "is", null);
  tx.run(loose.where(sql<boolean>`EXISTS (${listed})`));
}

/**
 * Deletes a booking with its traces. The ledger stays; rows about money stay without personal data,
 * and refunds under way continue.
 */
export function removeAppointment(
  tx: Db,
  appointment: Appointment,
  now: number,
  until = now,
  due?: Due,
): void {
  const { id, contact, endsAt } = appointment;
  // The messages still to be sent are about a session that will not take place.
  const tookPlace = isPaid(appointment) && endsAt <= until;
  if (!tookPlace) updateAppointment(tx, id, now, { status: "cancelled" });
  eraseTraces(tx, id, due);
  deleteMessagesTo(tx, contact.email, until, "of no booking");
  deleteMailedLinks(tx, [id]);
  deleteAppointmentRow(tx, id);
}

/**
 * Blanks the row too; date, captain and amount stay for the figures. Without the end of its hold it
 * is not looked at again. A session that was not over at `until` is cancelled.
 */
export function eraseAppointment(tx: Db, id: string, now: number, until = now, due?: Due): void {
  const { status, endsAt } = findAppointment(tx, id)!;
  // Late money must not confirm a session of nobody.
  const isOpen = status !== "cancelled" && endsAt > until;
  if (isOpen) updateAppointment(tx, id, now, { status: "cancelled", cancelReason: "by_admin" });
  eraseTraces(tx, id, due);
  releaseTime(tx, id);
  updateAppointment(tx, id, now, {
    contact: { name: "", email: "", phone: "", notes: null },
    student: null,
    company: null,
    stateCode: null,
    staffNote: null,
    cancelNote: null,
    window: null,
    ...NO_ROOM,
    erasedAt: now,
  });
}
