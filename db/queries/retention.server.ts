/** What goes by schedule. Every call does a bounded number of rows and answers how many. */
import type { Db } from "#db/connection.server.ts";

/** Codes whose time is over. */
export function deleteEndedCodes(tx: Db, now: number): void {
  tx.runRaw(`DELETE FROM one_time_code WHERE expires_at <= ?`, [now]);
}

/** Stored answers of booking calls: they hold the appointment as it was answered. */
export function deleteOldAnswers(tx: Db, before: number, limit: number): number {
  return tx.runRaw(
    `DELETE FROM idempotency WHERE key IN (
       SELECT key FROM idempotency WHERE created_at < ? ORDER BY created_at LIMIT ?)`,
    [before, limit],
  );
}

/** Events are numbered as they come, so the oldest stand first; what waits for its turn stays. */
export function deleteOldEvents(tx: Db, before: number, limit: number): number {
  return tx.runRaw(
    `DELETE FROM provider_event WHERE received_at < ? AND state <> 'new' AND rowid IN (
       SELECT rowid FROM provider_event ORDER BY rowid LIMIT ?)`,
    [before, limit],
  );
}

export function deleteOldActivity(tx: Db, before: number, limit: number): number {
  return tx.runRaw(
    `DELETE FROM activity WHERE at < ? AND id IN (SELECT id FROM activity ORDER BY id LIMIT ?)`,
    [before, limit],
  );
}

/** Messages are numbered as they come, too; what waits for its next try stays. */
export function deleteOldMessages(tx: Db, before: number, limit: number): number {
  return tx.runRaw(
    `DELETE FROM message WHERE created_at < ? AND next_try_at IS NULL AND rowid IN (
       SELECT rowid FROM message ORDER BY rowid LIMIT ?)`,
    [before, limit],
  );
}

/** Messages of no appointment that wait for nothing: codes, booking links, words to the admin. */
export function deleteLooseMessages(tx: Db, before: number, limit: number): number {
  return tx.runRaw(
    `DELETE FROM message WHERE rowid IN (
       SELECT rowid FROM message
       WHERE appointment_id IS NULL AND next_try_at IS NULL AND created_at < ? LIMIT ?)`,
    [before, limit],
  );
}

const PERSONAL = `personal_data_erased_at IS NULL AND starts_at < ?
  AND NOT EXISTS (SELECT 1 FROM document d WHERE d.appointment_id = appointment.id)
  AND NOT EXISTS (SELECT 1 FROM payment p
    WHERE p.appointment_id = appointment.id AND p.captured_at IS NOT NULL)`;

/**
 * Appointments that were never paid and whose hold, or whose last change if they were cancelled,
 * ended before an instant. One that money ever came for is not among them.
 */
export function listUnpaidToErase(
  db: Db,
  { before, now, limit }: { before: number; now: number; limit: number },
): string[] {
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

/**
 * Blanks what the row says of a person; date, captain and amount stay for the figures. Without the
 * end of its hold the row is not looked at again.
 */
export function erasePerson(tx: Db, id: string, now: number): void {
  tx.runRaw(`DELETE FROM message WHERE appointment_id = ?`, [id]);
  tx.runRaw(`DELETE FROM idempotency WHERE appointment_id = ?`, [id]);
  tx.runRaw(`DELETE FROM session_time WHERE appointment_id = ?`, [id]);
  tx.runRaw(
    `UPDATE appointment SET name = '', email = '', phone = '', notes = NULL, state_code = NULL,
       client_address = NULL, pay_before = NULL, hold_until = NULL,
       personal_data_erased_at = ?, updated_at = ?, version = version + 1 WHERE id = ?`,
    [now, now, id],
  );
}
