/** Orders, payments, refunds and the provider's events. */
import { type Insertable, sql } from "kysely";
import type { OrderState } from "#app/model/statuses.ts";
import { deleteBy, findBy, insertInto, leaseDue, UNLEASED, updateBy } from "#db/by-column.ts";
import { type Db, literal, literals, sqlite } from "#db/connection.server.ts";
import type {
  PaymentOrderTable,
  PaymentTable,
  ProviderEventTable,
  RefundTable,
} from "#db/money-tables.ts";
import { type ChangeOf, type NewOf, rowOf, type Stored } from "#db/row-fields.ts";
import { withoutPersonalData } from "./provider-event-body.ts";

export type Order = Stored<PaymentOrderTable>;
export type Payment = Stored<PaymentTable>;
/** A `Refund` of the model with all that is stored of it. */
export type StoredRefund = Stored<RefundTable>;
export type ProviderEvent = Stored<ProviderEventTable>;

const orders = sqlite.selectFrom("payment_order").selectAll();
const payments = sqlite.selectFrom("payment").selectAll();
const paymentsByAge = payments.orderBy("created_at").orderBy("payment_id");
const refunds = sqlite.selectFrom("refund").selectAll();
/** Two of one moment as they were made. */
const refundsByAge = refunds.orderBy("created_at").orderBy(sql`rowid`);

export function findOpenOrder(db: Db, appointmentId: string): Order | null {
  const open = orders.where("state", "in", literals(["creating", "open"]));
  return db.object(open.where("appointment_id", "=", appointmentId));
}

export const findOrder = findBy("payment_order", "order_id");
export const findOrderByReceipt = findBy("payment_order", "receipt");
export const insertOrder = insertInto("payment_order");

/** When it is read next, and what came of it; its state changes by `advanceOrder` alone. */
export function updateOrder(
  tx: Db,
  receipt: string,
  change: Pick<ChangeOf<PaymentOrderTable>, "nextCheckAt" | "checks" | "watchUntil" | "lastError">,
): void {
  tx.run(sqlite.updateTable("payment_order").set(rowOf(change)).where("receipt", "=", receipt));
}

/**
 * The one way an order's state changes, forward only, from the state that it has by now: found at the
 * provider it is open, unless it was closed or paid meanwhile.
 */
export function advanceOrder(
  tx: Db,
  receipt: string,
  step: { found: string } | "closed" | "paid",
): void {
  const order = sqlite.updateTable("payment_order").where("receipt", "=", receipt);
  if (step === "paid") tx.run(order.set({ state: step }));
  else if (step === "closed") tx.run(order.set({ state: step }).where("state", "<>", "paid"));
  else {
    const state = sql<OrderState>`iif(state = 'creating', 'open', state)`;
    tx.run(order.set({ order_id: step.found, state }).where("order_id", "is", null));
  }
}

export const leaseDueOrders = leaseDue("payment_order", "receipt", { due: "next_check_at" });

export const findPayment = findBy("payment", "payment_id");
export const updatePayment = updateBy("payment", "payment_id");

/** False before the first payment: the provider need not be asked for anything. */
export function hasProviderPayments(db: Db): boolean {
  return db.has(payments.where("order_id", "is not", null).limit(1));
}

export function listPaymentsOf(db: Db, appointmentId: string): Payment[] {
  return db.objects(paymentsByAge.where("appointment_id", "=", appointmentId));
}

/** Captured payments of orders that no appointment knows, oldest first. */
export function listUnmatchedPayments(db: Db): Payment[] {
  return db.objects(paymentsByAge.where("outcome", "=", literal("unmatched")));
}

/** Writes the row, or what changed of it if the payment is known. */
export function savePayment(tx: Db, payment: NewOf<PaymentTable>): void {
  const row = rowOf<Insertable<PaymentTable>>(payment);
  const { payment_id: _, created_at: __, ...change } = row;
  tx.run(
    sqlite
      .insertInto("payment")
      .values(row)
      .onConflict((conflict) => conflict.column("payment_id").doUpdateSet(change)),
  );
}

/** Of all money of the appointment, also what had left a payment before it was assigned. */
export function listRefundsOf(db: Db, appointmentId: string): StoredRefund[] {
  const own = sqlite.selectFrom("payment").where("appointment_id", "=", appointmentId);
  return db.objects(refundsByAge.where("payment_id", "in", own.select("payment_id")));
}

export function listRefundsOfPayment(db: Db, paymentId: string): StoredRefund[] {
  return db.objects(refundsByAge.where("payment_id", "=", paymentId));
}

/** What is left of a refund's payment, as `leftOf` in the model works it out, in paise. */
const LEFT = sql<number>`(SELECT p.amount_paise - p.taken_back_paise -
    (SELECT coalesce(sum(r.amount_paise), 0) FROM refund r
     WHERE r.payment_id = p.payment_id AND r.counts)
  FROM payment p WHERE p.payment_id = refund.payment_id)`;

/** Owed and stuck; or failed in the dashboard while the money for it is still here. */
export const waitsForPerson = sql<boolean>`state IN ('failed', 'needs_person')
  AND (way <> 'dashboard' OR amount_paise <= ${LEFT})`;

/** Refunds that wait for a person, oldest first, each with its payment's currency. */
export function listRefundsForPerson(db: Db, limit: number) {
  const currency = sql<string>`(SELECT currency FROM payment WHERE payment_id = refund.payment_id)`;
  const waiting = refunds.select(currency.as("currency")).where(waitsForPerson);
  return db.objects(waiting.orderBy("created_at").limit(limit));
}

/** The provider has not accepted it, and the last try failed. */
const isHeldUp = sql<boolean>`state IN ('wanted', 'sent') AND provider_refund_id IS NULL
  AND fault IS NOT NULL`;

/** Of the money of some appointments, what is owed and waits for a person or for the provider. */
export function listStillOwed(db: Db, appointmentIds: readonly string[]): StoredRefund[] {
  const paid = sqlite.selectFrom("payment").where("appointment_id", "in", appointmentIds);
  const stuck = refundsByAge
    .where((or) => or.or([waitsForPerson, isHeldUp]))
    .where("way", "<>", literal("dashboard"));
  return db.objects(stuck.where("payment_id", "in", paid.select("payment_id")));
}

export const findRefund = findBy("refund", "id");
export const findRefundByProviderId = findBy("refund", "provider_refund_id");
export const insertRefund = insertInto("refund");
export const updateRefund = updateBy("refund", "id");
export const deleteRefund = deleteBy("refund", "id");

/** True for the provider's id of a failed try that a newer try of our refund has replaced. */
export function isReplacedRefund(db: Db, paymentId: string, providerRefundId: string): boolean {
  const replaced = sql<string>`(SELECT value FROM json_each(replaced_ids))`;
  const ofPayment = refunds.where("payment_id", "=", paymentId);
  return db.has(ofPayment.where(sql.val(providerRefundId), "in", replaced));
}

/** Staff's words and references about a booking's money may name a person. */
export function eraseMoneyWords(tx: Db, appointmentId: string): void {
  const refundsOf = sqlite.updateTable("refund").where("appointment_id", "=", appointmentId);
  tx.run(refundsOf.set({ note: null, reference: null }));
  const paymentsOf = sqlite.updateTable("payment").where("appointment_id", "=", appointmentId);
  tx.run(paymentsOf.set({ reference: null }));
}

/** Who paid, of money that came until an instant from an address or number. */
export function erasePayer(tx: Db, contact: string, until: number): void {
  const payments = sqlite.updateTable("payment").set({ payer_email: null, payer_phone: null });
  const theirs = sql<boolean>`lower(${contact}) IN (lower(payer_email), payer_phone)`;
  tx.run(payments.where(theirs).where("created_at", "<=", until));
}

export const leaseDueRefunds = leaseDue("refund", "id", {
  due: "next_try_at",
  until: "lease_until",
  which: UNLEASED,
});

/** Due at once. False if the event is known: it is recorded once. */
export function insertEvent(
  tx: Db,
  { eventId, kind, body }: Pick<ProviderEvent, "eventId" | "kind" | "body">,
  now: number,
): boolean {
  const due = { state: "new", next_try_at: now, received_at: now } as const;
  const recorded = sqlite
    .insertInto("provider_event")
    .values({ event_id: eventId, kind, body, ...due });
  return tx.run(recorded.onConflict((conflict) => conflict.column("event_id").doNothing())) === 1;
}

/** Makes an event that was given up due again, as if new; false for any other. */
export function retakeEvent(tx: Db, eventId: string, now: number): boolean {
  const fresh = { attempts: 0, lastError: null, nextTryAt: now, receivedAt: now };
  const events = sqlite.updateTable("provider_event").set(rowOf({ state: "new", ...fresh }));
  const parked = events.where("event_id", "=", eventId).where("state", "=", literal("parked"));
  return tx.run(parked) === 1;
}

export const leaseDueEvents = leaseDue("provider_event", "event_id", {
  due: "next_try_at",
  which: "state = 'new'",
});

export const updateEvent = updateBy("provider_event", "event_id");

/** What the provider's events about an appointment's orders and payments say of a person. */
export function eraseProviderEvents(tx: Db, appointmentId: string): void {
  const events = sqlite.selectFrom("provider_event").select(["event_id", "body"]);
  const ofPayments = events.where("payment_id", "in", (eb) =>
    eb.selectFrom("payment").select("payment_id").where("appointment_id", "=", appointmentId),
  );
  const ofOrders = events.where("order_id", "in", (eb) =>
    eb.selectFrom("payment_order").select("order_id").where("appointment_id", "=", appointmentId),
  );
  for (const { event_id, body } of tx.all(ofPayments.union(ofOrders))) {
    updateEvent(tx, event_id, { body: withoutPersonalData(body) });
  }
}
