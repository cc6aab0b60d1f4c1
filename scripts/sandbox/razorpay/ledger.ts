import { randomInt } from "node:crypto";
import type { Clock } from "#scripts/sandbox/clock.ts";
import {
  type Dispute,
  FAILED,
  type LedgerEvent,
  type NewPayment,
  NO_FAILURE,
  newOrder,
  newPayment,
  type Order,
  type Payment,
  type Refund,
  TIMED_OUT,
} from "./entities.ts";
import {
  ALREADY_PAID,
  ApiError,
  type CaptureSetting,
  found,
  type NewOrder,
  refuseIf,
} from "./input.ts";

const MINUTE = 60_000;
const BANK_SILENCE = 10 * MINUTE;
/** Three days. */
const STANDARD_CAPTURE = { isManual: false, automaticMinutes: 4320, manualMinutes: 4320 };

/** Orders and payments with their state machines. Every change yields events, as snapshots, through `emit`. */
export class Ledger {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly #captures = new Map<string, CaptureSetting>();
  /** Tick of creation: capture periods are counted from here. */
  readonly #begun = new Map<string, number>();
  readonly #maps: Record<string, Map<string, unknown>> = {
    orders: this.orders,
    payments: this.payments,
    refunds: this.refunds,
    disputes: this.disputes,
    captures: this.#captures,
    begun: this.#begun,
  };
  readonly #clock: Clock;
  readonly #emit: (events: LedgerEvent[]) => void;
  /** Called after every change. */
  onChange: () => void = () => {};
  /** Sends an uncaptured payment back; set by the refund desk. */
  returnUncaptured: (payment: Payment) => LedgerEvent[] = () => [];

  constructor(clock: Clock, emit: (events: LedgerEvent[]) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  createOrder(wanted: NewOrder): Order {
    const order = newOrder(wanted, this.#clock.seconds());
    this.orders.set(order.id, order);
    if (wanted.payment) this.#captures.set(order.id, wanted.payment);
    this.onChange();
    return order;
  }

  requireOrder = (id: string) => found(this.orders, "order", id);
  requirePayment = (id: string) => found(this.payments, "pay", id);
  requireRefund = (id: string) => found(this.refunds, "rfnd", id);
  requireDispute = (id: string) => found(this.disputes, "disp", id);
  paymentsOf = (id: string) => [...this.payments.values()].filter((p) => p.order_id === id);
  refundsOf = (id: string) => [...this.refunds.values()].filter((r) => r.payment_id === id);

  begin(orderId: string, request: NewPayment): Payment {
    const order = this.requireOrder(orderId);
    if (!request.force && order.status === "paid") throw new ApiError(ALREADY_PAID);
    if (!request.force && this.paymentsOf(orderId).some(({ status }) => status === "authorized")) {
      throw new ApiError("Another payment of this order is authorized and awaits its capture");
    }
    const payment = newPayment(order, request, this.#clock.seconds());
    this.payments.set(payment.id, payment);
    this.#begun.set(payment.id, this.#clock.tick());
    order.attempts += 1;
    if (order.status === "created") order.status = "attempted";
    this.#watchSilence(payment);
    this.onChange();
    return payment;
  }

  /** The bank says yes. Captures by the order's setting unless `hold`. */
  authorize(payment: Payment, hold = false): void {
    const late = payment.status === "failed";
    Object.assign(payment, NO_FAILURE, { status: "authorized" });
    if (late) payment.late_authorized = true;
    payment.acquirer_data = { rrn: String(randomInt(1e11, 1e12)) };
    const authorized = this.event("payment.authorized", payment);
    this.publish([authorized, ...this.#settle(payment, late, hold)]);
  }

  fail(payment: Payment, failure = FAILED): void {
    Object.assign(payment, failure, { status: "failed" });
    this.publish([this.event("payment.failed", payment)]);
  }

  /** The manual capture call. */
  capture(payment: Payment, amount: number): Payment {
    const done = payment.captured || payment.status === "refunded";
    refuseIf(done, "This payment has already been captured");
    const words = "Only payments which have been authorized and not yet captured can be captured";
    refuseIf(payment.status !== "authorized", words);
    const other = amount !== payment.amount;
    refuseIf(other, "Capture amount must be equal to the amount authorized", "amount");
    if (this.orders.get(payment.order_id)?.status === "paid") throw new ApiError(ALREADY_PAID);
    this.publish(this.#captureNow(payment));
    return payment;
  }

  /** An event of this payment's present state. */
  event(event: string, payment: Payment, more: { refund?: Refund; dispute?: Dispute } = {}) {
    const { refund, dispute } = more;
    const order = event === "order.paid" ? this.orders.get(payment.order_id) : undefined;
    const present = Object.entries({ refund, payment, order, dispute }).filter(([, one]) => one);
    const payload = Object.fromEntries(present) as unknown as LedgerEvent["payload"];
    return structuredClone({ event, payload });
  }

  publish(events: LedgerEvent[]): void {
    this.onChange();
    if (events.length > 0) this.#emit(events);
  }

  /** What a state file keeps: the entries of each map. */
  state(): Record<string, [string, unknown][]> {
    return Object.fromEntries(Object.entries(this.#maps).map(([name, map]) => [name, [...map]]));
  }

  restore(state: ReturnType<Ledger["state"]>): void {
    for (const [name, map] of Object.entries(this.#maps)) {
      for (const [id, value] of state[name] ?? []) map.set(id, value);
    }
    for (const payment of this.payments.values()) {
      if (payment.status === "created") this.#watchSilence(payment);
      if (payment.status === "authorized") this.#watchHold(payment);
    }
  }

  clear(): void {
    for (const map of Object.values(this.#maps)) map.clear();
    this.onChange();
  }

  #captureNow(payment: Payment): LedgerEvent[] {
    payment.status = "captured";
    payment.captured = true;
    payment.fee = Math.round(payment.amount * 0.02 * 1.18);
    payment.tax = Math.round((payment.fee * 18) / 118);
    const captured = this.event("payment.captured", payment);
    const order = this.orders.get(payment.order_id);
    if (!order || order.status === "paid") return [captured];
    order.amount_paid = Math.min(order.amount, order.amount_paid + payment.amount);
    order.amount_due = order.amount - order.amount_paid;
    if (order.amount_due > 0) return [captured];
    order.status = "paid";
    return [captured, this.event("order.paid", payment)];
  }

  #begunAt = ({ id }: Payment) => this.#begun.get(id) ?? this.#clock.tick();
  #captureOf = ({ order_id: id }: Payment) => this.#captures.get(id) ?? STANDARD_CAPTURE;

  /** By the order's capture setting; a late payment of a paid order goes straight back. */
  #settle(payment: Payment, late: boolean, hold: boolean): LedgerEvent[] {
    const { isManual, automaticMinutes, manualMinutes } = this.#captureOf(payment);
    const minutes = (this.#clock.tick() - this.#begunAt(payment)) / MINUTE;
    const paid = this.orders.get(payment.order_id)?.status === "paid";
    if ((late && paid) || minutes > manualMinutes) return this.returnUncaptured(payment);
    if (!isManual && !hold && minutes <= automaticMinutes) return this.#captureNow(payment);
    this.#watchHold(payment);
    return [];
  }

  #watchHold(payment: Payment): void {
    const due = this.#begunAt(payment) + this.#captureOf(payment).manualMinutes * MINUTE;
    this.#clock.at(due, () => {
      if (payment.status === "authorized") this.publish(this.returnUncaptured(payment));
    });
  }

  #watchSilence(payment: Payment): void {
    this.#clock.at(this.#begunAt(payment) + BANK_SILENCE, () => {
      if (payment.status === "created") this.fail(payment, TIMED_OUT);
    });
  }
}
