import { ALREADY_PAID, ApiError, checkId, unknownId } from "./api-error.ts";
import type { Clock } from "./clock.ts";
import type {
  CaptureSetting,
  Dispute,
  LedgerEvent,
  Notes,
  Order,
  Payment,
  PaymentMethod,
  Refund,
} from "./entities.ts";
import { failureOf } from "./failures.ts";
import { acquirerData, clearFailure, methodDetails } from "./payment-details.ts";
import { newId } from "./signature.ts";

const MINUTE = 60_000;
const THREE_DAYS_IN_MINUTES = 3 * 24 * 60;
const BANK_SILENCE = 10 * MINUTE;

export interface NewOrder {
  amount: number;
  currency: string;
  receipt: string | null;
  notes: Notes;
  capture?: CaptureSetting;
}

export interface NewPayment {
  amount?: number;
  method?: PaymentMethod;
  cardNumber?: string;
  vpa?: string;
  email?: string;
  contact?: string;
  description?: string;
  notes?: Notes;
  /** Another attempt even on a paid or authorised order. */
  force?: boolean;
  /** Pretends that the payment was begun so many minutes ago. */
  elapsedMinutes?: number;
}

export interface LedgerSnapshot {
  orders: Order[];
  payments: Payment[];
  refunds: Refund[];
  disputes: Dispute[];
  captures: [string, CaptureSetting][];
  begun: [string, number][];
  held: string[];
}

/** Orders and payments with their state machines. Every change yields events, as snapshots, through `emit`. */
export class Ledger {
  readonly orders = new Map<string, Order>();
  readonly payments = new Map<string, Payment>();
  readonly refunds = new Map<string, Refund>();
  readonly disputes = new Map<string, Dispute>();
  readonly #byOrder = new Map<string, Payment[]>();
  readonly #captures = new Map<string, CaptureSetting>();
  /** Tick of creation: capture periods are counted from here. */
  readonly #begun = new Map<string, number>();
  /** Payments that wait for a capture whatever the order's setting says. */
  readonly #held = new Set<string>();
  readonly #clock: Clock;
  readonly #emit: (events: LedgerEvent[]) => void;
  /** Called after every change. */
  onChange: () => void = () => {};
  /** Sends an uncaptured payment back; set by the refund desk. */
  returnUncaptured: (payment: Payment, batch: LedgerEvent[]) => void = () => {};

  constructor(clock: Clock, emit: (events: LedgerEvent[]) => void) {
    this.#clock = clock;
    this.#emit = emit;
  }

  createOrder(order: NewOrder): Order {
    const created: Order = {
      id: newId("order"),
      entity: "order",
      amount: order.amount,
      amount_paid: 0,
      amount_due: order.amount,
      currency: order.currency,
      receipt: order.receipt,
      offer_id: null,
      status: "created",
      attempts: 0,
      notes: order.notes,
      created_at: this.#clock.seconds(),
    };
    this.orders.set(created.id, created);
    if (order.capture) this.#captures.set(created.id, order.capture);
    this.onChange();
    return created;
  }

  requireOrder(id: string): Order {
    const order = this.orders.get(checkId("order", id));
    if (!order) throw unknownId();
    return order;
  }

  requirePayment(id: string): Payment {
    const payment = this.payments.get(checkId("pay", id));
    if (!payment) throw unknownId();
    return payment;
  }

  requireRefund(id: string): Refund {
    const refund = this.refunds.get(checkId("rfnd", id));
    if (!refund) throw unknownId();
    return refund;
  }

  paymentsOf(orderId: string): Payment[] {
    return [...(this.#byOrder.get(orderId) ?? [])];
  }

  captureSetting(orderId: string | null): CaptureSetting {
    return (
      this.#captures.get(orderId ?? "") ?? {
        mode: "automatic",
        automaticMinutes: THREE_DAYS_IN_MINUTES,
        manualMinutes: THREE_DAYS_IN_MINUTES,
      }
    );
  }

  begin(orderId: string, wish: NewPayment = {}): Payment {
    const order = this.requireOrder(orderId);
    if (!wish.force) this.#refuseAnother(order);
    const payment: Payment = {
      ...this.#blankPayment(order, wish),
      ...methodDetails(wish),
    };
    this.#remember(payment);
    this.#begun.set(payment.id, this.#clock.tick() - (wish.elapsedMinutes ?? 0) * MINUTE);
    order.attempts += 1;
    if (order.status === "created") order.status = "attempted";
    this.#watchSilence(payment);
    this.onChange();
    return payment;
  }

  /** The bank says yes. Captures by the order's setting unless `hold`. */
  authorize(payment: Payment, options: { hold?: boolean } = {}): void {
    if (payment.status !== "created" && payment.status !== "failed") {
      throw new ApiError(`A payment that is ${payment.status} cannot be authorised`);
    }
    const late = payment.status === "failed";
    payment.status = "authorized";
    if (late) payment.late_authorized = true;
    clearFailure(payment);
    payment.acquirer_data = acquirerData(payment.method);
    const batch: LedgerEvent[] = [this.event("payment.authorized", payment)];
    if (options.hold) this.#held.add(payment.id);
    this.#settle(payment, batch, late);
    this.#publish(batch);
  }

  fail(payment: Payment, reason = "payment_failed"): void {
    if (payment.status !== "created" && payment.status !== "failed") {
      throw new ApiError(`A payment that is ${payment.status} cannot fail`);
    }
    const detail = failureOf(reason);
    payment.status = "failed";
    payment.error_code = detail.code;
    payment.error_description = detail.description;
    payment.error_source = detail.source;
    payment.error_step = detail.step;
    payment.error_reason = detail.reason;
    this.#publish([this.event("payment.failed", payment)]);
  }

  /** The manual capture call. */
  capture(payment: Payment, amount: number): Payment {
    if (payment.captured || payment.status === "refunded") {
      throw new ApiError("This payment has already been captured");
    }
    if (payment.status !== "authorized") {
      throw new ApiError(
        "Only payments which have been authorized and not yet captured can be captured",
      );
    }
    if (amount !== payment.amount) {
      throw new ApiError("Capture amount must be equal to the amount authorized", {
        field: "amount",
      });
    }
    if (this.orders.get(payment.order_id ?? "")?.status === "paid")
      throw new ApiError(ALREADY_PAID);
    const batch: LedgerEvent[] = [];
    this.captureNow(payment, batch);
    this.#publish(batch);
    return payment;
  }

  captureNow(payment: Payment, batch: LedgerEvent[]): void {
    payment.status = "captured";
    payment.captured = true;
    payment.fee = Math.round(payment.amount * 0.02 * 1.18);
    payment.tax = Math.round((payment.fee * 18) / 118);
    this.#held.delete(payment.id);
    batch.push(this.event("payment.captured", payment));
    const order = this.orders.get(payment.order_id ?? "");
    if (!order) return;
    const wasPaid = order.status === "paid";
    order.amount_paid = Math.min(order.amount, order.amount_paid + payment.amount);
    order.amount_due = order.amount - order.amount_paid;
    if (order.amount_due === 0 && !wasPaid) {
      order.status = "paid";
      batch.push(this.event("order.paid", payment));
    }
  }

  /** An event of this payment's present state. */
  event(name: string, payment: Payment, refund?: Refund, dispute?: Dispute): LedgerEvent {
    const order = name === "order.paid" ? this.orders.get(payment.order_id ?? "") : undefined;
    return structuredClone({
      event: name,
      payload: {
        ...(refund ? { refund } : {}),
        payment,
        ...(order ? { order } : {}),
        ...(dispute ? { dispute } : {}),
      },
    });
  }

  #publish(batch: LedgerEvent[]): void {
    this.onChange();
    if (batch.length > 0) this.#emit(batch);
  }

  publish(batch: LedgerEvent[]): void {
    this.#publish(batch);
  }

  snapshot(): LedgerSnapshot {
    return {
      orders: [...this.orders.values()],
      payments: [...this.payments.values()],
      refunds: [...this.refunds.values()],
      disputes: [...this.disputes.values()],
      captures: [...this.#captures],
      begun: [...this.#begun],
      held: [...this.#held],
    };
  }

  restore(saved: LedgerSnapshot): void {
    for (const order of saved.orders) this.orders.set(order.id, order);
    for (const payment of saved.payments) this.#remember(payment);
    for (const refund of saved.refunds) this.refunds.set(refund.id, refund);
    for (const dispute of saved.disputes) this.disputes.set(dispute.id, dispute);
    for (const [id, setting] of saved.captures) this.#captures.set(id, setting);
    for (const [id, tick] of saved.begun) this.#begun.set(id, tick);
    for (const id of saved.held) this.#held.add(id);
    for (const payment of this.payments.values()) {
      if (payment.status === "created") this.#watchSilence(payment);
      if (payment.status === "authorized") this.#watchHold(payment);
    }
  }

  clear(): void {
    const maps = [this.orders, this.payments, this.refunds, this.disputes];
    for (const map of [...maps, this.#captures, this.#begun]) map.clear();
    this.#byOrder.clear();
    this.#held.clear();
    this.onChange();
  }

  #remember(payment: Payment): void {
    this.payments.set(payment.id, payment);
    const orderId = payment.order_id ?? "";
    this.#byOrder.set(orderId, [...this.paymentsOf(orderId), payment]);
  }

  #refuseAnother(order: Order): void {
    if (order.status === "paid") throw new ApiError(ALREADY_PAID);
    if (this.paymentsOf(order.id).some((payment) => payment.status === "authorized")) {
      throw new ApiError("Another payment of this order is authorized and awaits its capture");
    }
  }

  /** By the order's capture setting; a late payment of a paid order goes straight back. */
  #settle(payment: Payment, batch: LedgerEvent[], late: boolean): void {
    const order = this.orders.get(payment.order_id ?? "");
    if (!order || (late && order.status === "paid")) {
      this.returnUncaptured(payment, batch);
      return;
    }
    const setting = this.captureSetting(order.id);
    const minutes = (this.#clock.tick() - (this.#begun.get(payment.id) ?? 0)) / MINUTE;
    const held = this.#held.has(payment.id);
    if (setting.mode === "automatic" && !held && minutes <= setting.automaticMinutes) {
      this.captureNow(payment, batch);
    } else if (minutes > setting.manualMinutes) {
      this.returnUncaptured(payment, batch);
    } else {
      this.#watchHold(payment);
    }
  }

  #watchHold(payment: Payment): void {
    const { manualMinutes } = this.captureSetting(payment.order_id);
    const due = (this.#begun.get(payment.id) ?? this.#clock.tick()) + manualMinutes * MINUTE;
    this.#clock.at(due, () => {
      if (payment.status !== "authorized") return;
      const batch: LedgerEvent[] = [];
      this.returnUncaptured(payment, batch);
      this.#publish(batch);
    });
  }

  #watchSilence(payment: Payment): void {
    const due = (this.#begun.get(payment.id) ?? this.#clock.tick()) + BANK_SILENCE;
    this.#clock.at(Math.max(due, this.#clock.tick() + MINUTE), () => {
      if (payment.status === "created") this.fail(payment, "payment_timed_out");
    });
  }

  #blankPayment(order: Order, wish: NewPayment): Payment {
    return {
      id: newId("pay"),
      entity: "payment",
      amount: wish.amount ?? order.amount,
      currency: order.currency,
      status: "created",
      order_id: order.id,
      invoice_id: null,
      international: false,
      method: wish.method ?? "upi",
      amount_refunded: 0,
      refund_status: null,
      captured: false,
      description: wish.description ?? null,
      card_id: null,
      bank: null,
      wallet: null,
      vpa: null,
      email: wish.email || "void@razorpay.com",
      contact: wish.contact || "+919000090000",
      notes: wish.notes ?? order.notes,
      fee: null,
      tax: null,
      error_code: null,
      error_description: null,
      error_source: null,
      error_step: null,
      error_reason: null,
      acquirer_data: {},
      created_at: this.#clock.seconds(),
    };
  }
}
