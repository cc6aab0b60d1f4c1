/** What goes by schedule. Every call does a bounded number of rows and answers how many. */
import { sql } from "kysely";
import { type Db, literal, sqlite } from "#db/connection.server.ts";
import { eraseActivityData } from "./activity.server.ts";
import { findAppointment, updateAppointment } from "./appointments.server.ts";
import { deleteMessagesOf } from "./messages.server.ts";
import { eraseMoneyWords, eraseProviderEvents } from "./payments.server.ts";
import { withoutPersonalData } from "./provider-event-body.ts";

/** What was done under the keys of calls and forms. */
export function deleteOldAnswers(tx: Db, before: number, limit: number): number {
  const answers = sqlite.selectFrom("idempotency").select("key").orderBy("created_at");
  const oldest = answers.where("created_at", "<", before).limit(limit);
  return tx.run(sqlite.deleteFrom("idempotency").where("key", "in", oldest));
}

/** Tokens of browsers whose cookie has ended. */
export function deleteOldTokens(tx: Db, before: number, limit: number): number {
  const tokens = sqlite.selectFrom("own_booking").select("token_hash").orderBy("given_at");
  const oldest = tokens.where("given_at", "<", before).limit(limit);
  return tx.run(sqlite.deleteFrom("own_booking").where("token_hash", "in", oldest));
}

const rowid = sql<number>`rowid`;

/** Events are numbered as they come, so the oldest stand first; what waits for its turn stays. */
export function deleteOldEvents(tx: Db, before: number, limit: number): number {
  const first = sqlite
    .selectFrom("provider_event")
    .select(rowid.as("n"))
    .orderBy(rowid)
    .limit(limit);
  const old = sqlite.deleteFrom("provider_event").where("received_at", "<", before);
  return tx.run(old.where("state", "<>", literal("new")).where(rowid, "in", first));
}

export function deleteOldActivity(tx: Db, before: number, limit: number): number {
  const first = sqlite.selectFrom("activity").select("id").orderBy("id").limit(limit);
  return tx.run(sqlite.deleteFrom("activity").where("at", "<", before).where("id", "in", first));
}

/** Messages that wait for no next try. */
const endedMessages = sqlite.deleteFrom("message").where("next_try_at", "is", null);

/** Messages are numbered as they come, too; what waits for its next try stays. */
export function deleteOldMessages(tx: Db, before: number, limit: number): number {
  const first = sqlite.selectFrom("message").select(rowid.as("n")).orderBy(rowid).limit(limit);
  return tx.run(endedMessages.where("created_at", "<", before).where(rowid, "in", first));
}

/** Messages of no appointment that wait for nothing: codes, booking links, words to the admin. */
export function deleteLooseMessages(tx: Db, before: number, limit: number): number {
  const loose = sqlite
    .selectFrom("message")
    .select(rowid.as("n"))
    .where("appointment_id", "is", null)
    .where("next_try_at", "is", null)
    .where("created_at", "<", before)
    .limit(limit);
  return tx.run(sqlite.deleteFrom("message").where(rowid, "in", loose));
}

/** Without a document, and nothing kept or on its way; the provider does not follow what it does not list. */
const PERSONAL = `personal_data_erased_at IS NULL AND starts_at < ? AND kept_paise <= 0
  AND NOT EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = appointment.id)
  AND NOT EXISTS (SELECT 1 FROM refund r JOIN payment p ON p.payment_id = r.payment_id
    WHERE p.appointment_id = appointment.id AND r.counts AND r.state <> 'processed'
      AND (r.way <> 'dashboard' OR r.provider_refund_id IS NOT NULL))`;

/**
 * Appointments that were never paid and whose hold, or whose last change if they were cancelled,
 * ended before an instant. Money that came too late for one has gone back.
 */
export function listUnpaidToErase(
  db: Db,
  { before, now, limit }: { before: number; now: number; limit: number },
): string[] {
  // By hand: the builder cannot say INDEXED BY.
  const rows = db.allRaw<{ id: string }>(
    `SELECT id FROM appointment
     INDEXED BY appointment_unpaid
     WHERE status = 'pending_payment' AND hold_until < ? AND ${PERSONAL}
     UNION ALL
     SELECT id FROM appointment WHERE status = 'cancelled' AND updated_at < ? AND ${PERSONAL}
     LIMIT ?`,
    [before, now, before, now, limit],
  );
  return rows.map((row) => row.id);
}

/** What is due of a booking's messages and stays true is sent before it is emptied, or goes unsent. */
export type Due = "sent first" | "unsent";

/** What a booking says of a person beside its own row: messages, answers, events, words, the log. */
export function eraseTraces(tx: Db, id: string, due: Due = "sent first"): void {
  deleteMessagesOf(tx, id, due === "sent first" ? findAppointment(tx, id) : null);
  for (const table of ["idempotency", "own_booking"] as const) {
    tx.run(sqlite.deleteFrom(table).where("appointment_id", "=", id));
  }
  eraseProviderEvents(tx, id, withoutPersonalData);
  eraseMoneyWords(tx, id);
  eraseActivityData(tx, id);
}

/**
 * Blanks the row too; date, captain and amount stay for the figures. Without the end of its hold it
 * is not looked at again.
 */
export function eraseAppointment(tx: Db, id: string, now: number, due?: Due): void {
  eraseTraces(tx, id, due);
  tx.run(sqlite.deleteFrom("session_time").where("appointment_id", "=", id));
  updateAppointment(tx, id, now, {
    contact: { name: "", email: "", phone: "", notes: null },
    company: null,
    stateCode: null,
    staffNote: null,
    cancelNote: null,
    window: null,
    erasedAt: now,
  });
}
