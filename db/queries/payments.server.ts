/** Orders, payments, refunds and the provider's events. */
import type { Insertable, Selectable, Updateable } from "kysely";
import { type Db, sqlite } from "#db/connection.server.ts";
import type {
  PaymentOrderTable,
  PaymentTable,
  ProviderEventTable,
  RefundTable,
} from "#db/tables.ts";

export type OrderRow = Selectable<PaymentOrderTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type RefundRow = Selectable<RefundTable>;
export type EventRow = Selectable<ProviderEventTable>;

export function findOpenOrder(db: Db, appointmentId: string): OrderRow | null {
  return (
    db.firstRaw<OrderRow>(
      `SELECT * FROM payment_order WHERE appointment_id = ? AND state IN ('creating', 'open')`,
      [appointmentId],
    ) ?? null
  );
}

export function findOrder(db: Db, orderId: string): OrderRow | null {
  return db.firstRaw<OrderRow>(`SELECT * FROM payment_order WHERE order_id = ?`, [orderId]) ?? null;
}

export function findOrderByReceipt(db: Db, receipt: string): OrderRow | null {
  return db.firstRaw<OrderRow>(`SELECT * FROM payment_order WHERE receipt = ?`, [receipt]) ?? null;
}

export function insertOrder(tx: Db, row: Insertable<PaymentOrderTable>): void {
  tx.run(sqlite.insertInto("payment_order").values(row));
}

export function updateOrder(tx: Db, receipt: string, change: Updateable<PaymentOrderTable>): void {
  tx.run(sqlite.updateTable("payment_order").set(change).where("receipt", "=", receipt));
}

/** Orders whose reading is due, oldest first. */
export function listDueOrders(db: Db, now: number, limit: number): OrderRow[] {
  return db.allRaw<OrderRow>(
    `SELECT * FROM payment_order WHERE next_check_at <= ? ORDER BY next_check_at LIMIT ?`,
    [now, limit],
  );
}

export function findPayment(db: Db, paymentId: string): PaymentRow | null {
  return db.firstRaw<PaymentRow>(`SELECT * FROM payment WHERE payment_id = ?`, [paymentId]) ?? null;
}

export function listPaymentsOf(db: Db, appointmentId: string): PaymentRow[] {
  return db.allRaw<PaymentRow>(
    `SELECT * FROM payment WHERE appointment_id = ? ORDER BY created_at, payment_id`,
    [appointmentId],
  );
}

/** Writes the row, or what changed of it if the payment is known. */
export function savePayment(tx: Db, row: Insertable<PaymentTable>): void {
  const { payment_id: _, created_at: __, ...change } = row;
  tx.run(
    sqlite
      .insertInto("payment")
      .values(row)
      .onConflict((conflict) => conflict.column("payment_id").doUpdateSet(change)),
  );
}

export function updatePayment(tx: Db, paymentId: string, change: Updateable<PaymentTable>): void {
  tx.run(sqlite.updateTable("payment").set(change).where("payment_id", "=", paymentId));
}

export function listRefundsOf(db: Db, appointmentId: string): RefundRow[] {
  return db.allRaw<RefundRow>(
    `SELECT * FROM refund WHERE appointment_id = ? ORDER BY created_at, id`,
    [appointmentId],
  );
}

export function listRefundsOfPayment(db: Db, paymentId: string): RefundRow[] {
  return db.allRaw<RefundRow>(`SELECT * FROM refund WHERE payment_id = ? ORDER BY created_at, id`, [
    paymentId,
  ]);
}

export function findRefund(db: Db, id: string): RefundRow | null {
  return db.firstRaw<RefundRow>(`SELECT * FROM refund WHERE id = ?`, [id]) ?? null;
}

export function findRefundByProviderId(db: Db, providerRefundId: string): RefundRow | null {
  return (
    db.firstRaw<RefundRow>(`SELECT * FROM refund WHERE provider_refund_id = ?`, [
      providerRefundId,
    ]) ?? null
  );
}

/** True for the provider's id of a failed try that a newer try of our refund has replaced. */
export function isReplacedRefund(db: Db, paymentId: string, providerRefundId: string): boolean {
  return (
    db.firstRaw(
      `SELECT 1 FROM refund r, json_each(r.replaced_ids) replaced
       WHERE r.payment_id = ? AND replaced.value = ?`,
      [paymentId, providerRefundId],
    ) !== undefined
  );
}

export function insertRefund(tx: Db, row: Insertable<RefundTable>): void {
  tx.run(sqlite.insertInto("refund").values(row));
}

export function updateRefund(tx: Db, id: string, change: Updateable<RefundTable>): void {
  tx.run(sqlite.updateTable("refund").set(change).where("id", "=", id));
}

/** Takes the refund that is due longest under a lease, so that two workers do not send it at once. */
export function leaseDueRefund(db: Db, now: number, leaseMs: number): RefundRow | null {
  const due = `SELECT id FROM refund
    WHERE next_try_at <= ? AND (lease_until IS NULL OR lease_until <= ?) ORDER BY next_try_at LIMIT 1`;
  // Read first: looking costs no write lock, and mostly nothing is due.
  if (db.firstRaw(due, [now, now]) === undefined) return null;
  return (
    db.firstRaw<RefundRow>(`UPDATE refund SET lease_until = ? WHERE id = (${due}) RETURNING *`, [
      now + leaseMs,
      now,
      now,
    ]) ?? null
  );
}

/** False if the event is known: it is recorded once. */
export function insertEvent(tx: Db, row: Insertable<ProviderEventTable>): boolean {
  return (
    tx.run(
      sqlite
        .insertInto("provider_event")
        .values(row)
        .onConflict((conflict) => conflict.column("event_id").doNothing()),
    ) === 1
  );
}

export function listDueEvents(db: Db, now: number, limit: number): EventRow[] {
  return db.allRaw<EventRow>(
    `SELECT * FROM provider_event WHERE state = 'new' AND next_try_at <= ? ORDER BY next_try_at LIMIT ?`,
    [now, limit],
  );
}

export function updateEvent(tx: Db, eventId: string, change: Updateable<ProviderEventTable>): void {
  tx.run(sqlite.updateTable("provider_event").set(change).where("event_id", "=", eventId));
}
