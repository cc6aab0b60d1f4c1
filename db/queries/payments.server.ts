/** Orders, payments, refunds and the provider's events. */
import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";
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

const orders = sqlite.selectFrom("payment_order").selectAll();
const payments = sqlite.selectFrom("payment").selectAll();
const paymentsByAge = payments.orderBy("created_at").orderBy("payment_id");
const refunds = sqlite.selectFrom("refund").selectAll();
const refundsByAge = refunds.orderBy("created_at").orderBy("id");

export function findOpenOrder(db: Db, appointmentId: string): OrderRow | null {
  const open = orders.where("state", "in", literals(["creating", "open"]));
  return db.first(open.where("appointment_id", "=", appointmentId));
}

export function findOrder(db: Db, orderId: string): OrderRow | null {
  return db.first(orders.where("order_id", "=", orderId));
}

export function findOrderByReceipt(db: Db, receipt: string): OrderRow | null {
  return db.first(orders.where("receipt", "=", receipt));
}

export function insertOrder(tx: Db, row: Insertable<PaymentOrderTable>): void {
  tx.run(sqlite.insertInto("payment_order").values(row));
}

export function updateOrder(tx: Db, receipt: string, change: Updateable<PaymentOrderTable>): void {
  tx.run(sqlite.updateTable("payment_order").set(change).where("receipt", "=", receipt));
}

/** Orders whose reading is due, oldest first. */
export function listDueOrders(db: Db, now: number, limit: number): OrderRow[] {
  const due = orders.where("next_check_at", "<=", now);
  return db.all(due.orderBy("next_check_at").limit(limit));
}

export function findPayment(db: Db, paymentId: string): PaymentRow | null {
  return db.first(payments.where("payment_id", "=", paymentId));
}

export function listPaymentsOf(db: Db, appointmentId: string): PaymentRow[] {
  return db.all(paymentsByAge.where("appointment_id", "=", appointmentId));
}

/** Captured payments of orders that no appointment knows, oldest first. */
export function listUnmatchedPayments(db: Db): PaymentRow[] {
  return db.all(paymentsByAge.where("outcome", "=", literal("unmatched")));
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
  return db.all(refundsByAge.where("appointment_id", "=", appointmentId));
}

export function listRefundsOfPayment(db: Db, paymentId: string): RefundRow[] {
  return db.all(refundsByAge.where("payment_id", "=", paymentId));
}

/** Refunds that failed or wait for a person, oldest first. */
export function listRefundsForPerson(db: Db, limit: number): RefundRow[] {
  const waiting = refunds.where("state", "in", literals(["failed", "needs_person"]));
  return db.all(waiting.orderBy("created_at").limit(limit));
}

export function findRefund(db: Db, id: string): RefundRow | null {
  return db.first(refunds.where("id", "=", id));
}

export function findRefundByProviderId(db: Db, providerRefundId: string): RefundRow | null {
  return db.first(refunds.where("provider_refund_id", "=", providerRefundId));
}

/** True for the provider's id of a failed try that a newer try of our refund has replaced. */
export function isReplacedRefund(db: Db, paymentId: string, providerRefundId: string): boolean {
  const replaced = sql<string>`(SELECT value FROM json_each(replaced_ids))`;
  const ofPayment = refunds.where("payment_id", "=", paymentId);
  return db.has(ofPayment.where(sql.val(providerRefundId), "in", replaced));
}

export function insertRefund(tx: Db, row: Insertable<RefundTable>): void {
  tx.run(sqlite.insertInto("refund").values(row));
}

export function updateRefund(tx: Db, id: string, change: Updateable<RefundTable>): void {
  tx.run(sqlite.updateTable("refund").set(change).where("id", "=", id));
}

/** Takes the refund that is due longest under a lease, so that two workers do not send it at once. */
export function leaseDueRefund(db: Db, now: number, leaseMs: number): RefundRow | null {
  const due = sqlite
    .selectFrom("refund")
    .select("id")
    .where("next_try_at", "<=", now)
    .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
    .orderBy("next_try_at")
    .limit(1);
  // Read first: looking costs no write lock, and mostly nothing is due.
  if (!db.has(due)) return null;
  const leased = sqlite.updateTable("refund").set({ lease_until: now + leaseMs });
  return db.first(leased.where("id", "=", due).returningAll());
}

/** False if the event is known: it is recorded once. */
export function insertEvent(tx: Db, row: Insertable<ProviderEventTable>): boolean {
  const event = sqlite.insertInto("provider_event").values(row);
  return tx.run(event.onConflict((conflict) => conflict.column("event_id").doNothing())) === 1;
}

export function listDueEvents(db: Db, now: number, limit: number): EventRow[] {
  return db.all(
    sqlite
      .selectFrom("provider_event")
      .selectAll()
      .where("state", "=", literal("new"))
      .where("next_try_at", "<=", now)
      .orderBy("next_try_at")
      .limit(limit),
  );
}

export function updateEvent(tx: Db, eventId: string, change: Updateable<ProviderEventTable>): void {
  tx.run(sqlite.updateTable("provider_event").set(change).where("event_id", "=", eventId));
}

/** Rewrites the bodies of the provider's events about the orders and payments of an appointment. */
export function eraseProviderEvents(
  tx: Db,
  appointmentId: string,
  erase: (body: string) => string,
): void {
  const events = sqlite.selectFrom("provider_event").select(["event_id", "body"]);
  const ofPayments = events.where("payment_id", "in", (eb) =>
    eb.selectFrom("payment").select("payment_id").where("appointment_id", "=", appointmentId),
  );
  const ofOrders = events.where("order_id", "in", (eb) =>
    eb.selectFrom("payment_order").select("order_id").where("appointment_id", "=", appointmentId),
  );
  for (const { event_id, body } of tx.all(ofPayments.union(ofOrders))) {
    updateEvent(tx, event_id, { body: erase(body) });
  }
}
