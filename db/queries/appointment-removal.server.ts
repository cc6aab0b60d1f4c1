/** What goes when an appointment is deleted. Orders, payments, refunds and documents stay. */
import type { Db } from "#db/connection.server.ts";

/** With the row go its time, its search entry and the stored answers of its booking calls. */
export function deleteAppointmentRow(tx: Db, id: string): void {
  tx.runRaw(`DELETE FROM idempotency WHERE appointment_id = ?`, [id]);
  tx.runRaw(`DELETE FROM appointment WHERE id = ?`, [id]);
}

/** Rewrites the bodies of the provider's events about the orders and payments of an appointment. */
export function eraseProviderEvents(
  tx: Db,
  appointmentId: string,
  erase: (body: string) => string,
): void {
  const events = tx.allRaw<{ event_id: string; body: string }>(
    `SELECT event_id, body FROM provider_event
     WHERE payment_id IN (SELECT payment_id FROM payment WHERE appointment_id = ?)
     UNION
     SELECT event_id, body FROM provider_event
     WHERE order_id IN (SELECT order_id FROM payment_order WHERE appointment_id = ?)`,
    [appointmentId, appointmentId],
  );
  for (const { event_id, body } of events) {
    tx.runRaw(`UPDATE provider_event SET body = ? WHERE event_id = ?`, [erase(body), event_id]);
  }
}
