/**
 * A payment provider's books in memory: orders, payments, refunds and disputes, each with its own
 * course. Every change is given to `send`, as the provider's webhook of it.
 */
import {
  ProviderError,
  type ProviderOrder,
  type ProviderPayment,
  type ProviderRefund,
} from "#app/core/services.ts";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import { CURRENCY } from "#app/model/money.ts";

const BANK_SILENCE = 10 * MINUTE;
const UNCAPTURED_RETURN = 20 * MINUTE;
const WEEK = 7 * 24 * HOUR;

const refused = (words: string) => new ProviderError("rejected", 400, words);

export class Books {
  readonly orders: BookedOrder[] = [];
  readonly payments: BookedPayment[] = [];
  readonly refunds: BookedRefund[] = [];
  readonly disputes: BookedDispute[] = [];
  /** By hand, in paise. */
  readonly handedBack = new Map<string, number>();
  readonly #keys = new Map<string, { asked: string; refund: BookedRefund }>();
  readonly #plans: { at: number; act: () => void }[] = [];
  readonly #clock: { now: number };
  readonly #send: (webhook: Webhook) => void;
  readonly #onAsked: (refund: BookedRefund) => void;
  #serial = 0;

  /** `onAsked`: called for each refund that the app asks for. */
  constructor(
    clock: { now: number },
    send: (webhook: Webhook) => void,
    onAsked: (refund: BookedRefund) => void,
  ) {
    this.#clock = clock;
    this.#send = send;
    this.#onAsked = onAsked;
  }

  createOrder(receipt: string, amountPaise: number, bookingId: string): BookedOrder {
    const known = this.orders.find((order) => order.receipt === receipt);
    if (known) return known;
    const order: BookedOrder = {
      orderId: this.#id("order"),
      receipt,
      amountPaise,
      currency: CURRENCY,
      status: "created",
      bookingId,
      createdAt: this.#clock.now,
      isForeign: false,
    };
    this.orders.push(order);
    return order;
  }

  order = (orderId: string) => found(this.orders, (one) => one.orderId === orderId);
  payment = (paymentId: string) => found(this.payments, (one) => one.paymentId === paymentId);
  refund = (refundId: string) => found(this.refunds, (one) => one.refundId === refundId);
  dispute = (disputeId: string) => found(this.disputes, (one) => one.disputeId === disputeId);
  refundsOf = (paymentId: string) => this.refunds.filter((one) => one.paymentId === paymentId);

  /** Somebody begins to pay; without an answer of the bank it fails after ten minutes. */
  begin(orderId: string, amountPaise: number, payer: BookedPayment["payer"]): BookedPayment {
    const order = this.order(orderId);
    if (order.status === "created") order.status = "attempted";
    const payment: BookedPayment = {
      paymentId: this.#id("pay"),
      orderId,
      amountPaise,
      status: "created",
      method: "upi",
      ...{
        refundedPaise: 0,
        authorizedAt: null,
        capturedAt: null,
        payer,
        createdAt: this.#second(),
      },
    };
    this.payments.push(payment);
    this.plan(BANK_SILENCE, () => {
      if (payment.status === "created") this.fail(payment);
    });
    return payment;
  }

  fail(payment: BookedPayment): void {
    payment.status = "failed";
    this.#say("payment.failed", payment);
  }

  /** Not captured within `returnAfter` it goes back by itself. */
  authorize(payment: BookedPayment, returnAfter = UNCAPTURED_RETURN): void {
    Object.assign(payment, { status: "authorized", authorizedAt: this.#clock.now });
    this.#say("payment.authorized", payment);
    this.plan(returnAfter, () => {
      if (payment.status === "authorized") this.giveUp(payment);
    });
  }

  capture(payment: BookedPayment): void {
    Object.assign(payment, { status: "captured", capturedAt: this.#clock.now });
    this.order(payment.orderId).status = "paid";
    this.#say("payment.captured", payment);
    this.#say("order.paid", payment);
  }

  /** What was authorised and never captured is the customer's again. */
  giveUp(payment: BookedPayment): void {
    const refund = this.#makeRefund(payment, payment.amountPaise, null, "bank", "processed");
    this.#say("refund.processed", payment, { refund });
  }

  /** Under a key that is known it answers the first refund. Throws ProviderError for what is not left. */
  askRefund(asked: Pick<BookedRefund, "paymentId" | "amountPaise" | "receipt">, key: string) {
    const text = JSON.stringify(asked);
    const known = this.#keys.get(key);
    if (known && known.asked !== text) throw refused("Different request with the same key");
    if (known) return known.refund;
    const { paymentId, amountPaise, receipt } = asked;
    const refund = this.makeRefund(this.payment(paymentId), amountPaise, receipt, "app");
    this.#keys.set(key, { asked: text, refund });
    this.#onAsked(refund);
    return refund;
  }

  makeRefund(
    payment: BookedPayment,
    amountPaise: number,
    receipt: string | null,
    by: "app" | "dashboard",
    status: "pending" | "processed" = "pending",
  ): BookedRefund {
    if (payment.capturedAt === null) throw refused("The payment status should be captured");
    if (amountPaise < 100) throw refused("The amount must be at least INR 1.00.");
    if (amountPaise > this.leftOf(payment)) {
      throw refused("The total refund amount is greater than the refund payment amount");
    }
    const refund = this.#makeRefund(payment, amountPaise, receipt, by, status);
    this.#say("refund.created", payment, { refund });
    if (status === "processed") this.#say("refund.processed", payment, { refund });
    return refund;
  }

  processRefund(refund: BookedRefund): void {
    if (refund.status !== "pending") return;
    Object.assign(refund, { status: "processed", wasProcessed: true });
    this.#say("refund.processed", this.payment(refund.paymentId), { refund });
  }

  /** Also after it was processed: the bank could not pay it out. */
  failRefund(refund: BookedRefund): void {
    if (refund.status === "failed" || refund.by === "bank") return;
    const payment = this.payment(refund.paymentId);
    refund.status = "failed";
    payment.refundedPaise -= refund.amountPaise;
    payment.status = "captured";
    this.#say("refund.failed", payment, { refund });
  }

  openDispute(payment: BookedPayment, amountPaise: number, phase: DisputePhase): BookedDispute {
    const dispute: BookedDispute = {
      disputeId: this.#id("disp"),
      paymentId: payment.paymentId,
      amountPaise,
      deductedPaise: 0,
      phase,
      status: "open",
      respondBy: this.#clock.now + WEEK,
      createdAt: this.#clock.now,
      steps: [],
    };
    this.disputes.push(dispute);
    this.#step(dispute, "created");
    return dispute;
  }

  /** Lost, the bank takes what is left of the sum; what has gone back whole is closed. */
  moveDispute(dispute: BookedDispute, wanted: ProviderDispute["status"]): void {
    const left = this.owedOf(this.payment(dispute.paymentId));
    const status = wanted === "lost" && left === 0 ? "closed" : wanted;
    dispute.status = status;
    if (status === "lost") dispute.deductedPaise = Math.min(dispute.amountPaise, left);
    this.#step(dispute, status);
  }

  /** A later phase opens again what was won. */
  raiseDispute(dispute: BookedDispute, phase: DisputePhase): void {
    Object.assign(dispute, { phase, status: "open", respondBy: this.#clock.now + WEEK });
    this.#step(dispute, "created");
  }

  /** What can still go back of a payment. */
  leftOf(payment: BookedPayment): number {
    if (payment.capturedAt === null) return 0;
    return payment.amountPaise - payment.refundedPaise - this.takenOf(payment.paymentId);
  }

  /** Less what a person has handed back, which the provider does not know. */
  owedOf(payment: BookedPayment): number {
    return Math.max(0, this.leftOf(payment) - (this.handedBack.get(payment.paymentId) ?? 0));
  }

  takenOf(paymentId: string): number {
    return this.disputes
      .filter((dispute) => dispute.paymentId === paymentId && dispute.status === "lost")
      .reduce((sum, { deductedPaise }) => sum + deductedPaise, 0);
  }

  plan(after: number, act: () => void): void {
    this.#plans.push({ at: this.#clock.now + after, act });
  }

  nextPlan(): number | null {
    return this.#plans.length === 0 ? null : Math.min(...this.#plans.map(({ at }) => at));
  }

  /** Does what is planned until now. */
  act(): void {
    const due = this.#plans.filter(({ at }) => at <= this.#clock.now);
    for (const plan of due.sort((one, other) => one.at - other.at)) {
      this.#plans.splice(this.#plans.indexOf(plan), 1);
      plan.act();
    }
  }

  /** As the API answers it. The fee is known an hour after the capture. */
  paymentAnswer(payment: BookedPayment): ProviderPayment {
    const { authorizedAt: _, capturedAt, amountPaise, payer, ...rest } = payment;
    const isKnown = capturedAt !== null && this.#clock.now > capturedAt + HOUR;
    const feePaise = Math.round(amountPaise * 0.02);
    const fee = isKnown ? { feePaise, feeTaxPaise: Math.round(feePaise * 0.18) } : null;
    return { ...rest, amountPaise, currency: CURRENCY, fee, payer };
  }

  #makeRefund(
    payment: BookedPayment,
    amountPaise: number,
    receipt: string | null,
    by: BookedRefund["by"],
    status: "pending" | "processed",
  ): BookedRefund {
    const refund: BookedRefund = {
      refundId: this.#id("rfnd"),
      paymentId: payment.paymentId,
      amountPaise,
      receipt,
      status,
      by,
      wasProcessed: status === "processed",
      createdAt: this.#clock.now,
    };
    this.refunds.push(refund);
    payment.refundedPaise += amountPaise;
    if (payment.refundedPaise >= payment.amountPaise) payment.status = "refunded";
    return refund;
  }

  #step(dispute: BookedDispute, word: string): void {
    dispute.steps.push({ at: this.#clock.now, status: dispute.status });
    this.#say(`payment.dispute.${word}`, this.payment(dispute.paymentId), { dispute });
  }

  #say(name: string, payment: BookedPayment, more: Pick<Webhook, "refund" | "dispute"> = {}): void {
    this.#send(structuredClone({ name, order: this.order(payment.orderId), payment, ...more }));
  }

  #second(): number {
    return Math.floor(this.#clock.now / 1000) * 1000;
  }

  #id(prefix: string): string {
    this.#serial += 1;
    return `${prefix}_${String(this.#serial).padStart(14, "0")}`;
  }
}

/** Throws ProviderError, as for an id that the provider does not know. */
function found<T>(all: readonly T[], isIt: (one: T) => boolean): T {
  const one = all.find(isIt);
  if (!one) throw refused("The id provided does not exist");
  return one;
}

export interface BookedOrder extends Omit<ProviderOrder, "receipt"> {
  receipt: string;
  bookingId: string;
  createdAt: number;
  /** Made under other keys: every call about it is refused. */
  isForeign: boolean;
}

export interface BookedPayment {
  paymentId: string;
  orderId: string;
  amountPaise: number;
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  method: string;
  refundedPaise: number;
  authorizedAt: number | null;
  capturedAt: number | null;
  payer: { email: string; phone: string };
  createdAt: number;
}

export interface BookedRefund extends ProviderRefund {
  /** `bank`: of a payment that was never captured. */
  by: "app" | "dashboard" | "bank";
  wasProcessed: boolean;
  createdAt: number;
}

export type DisputePhase = "fraud" | "retrieval" | "chargeback" | "pre_arbitration" | "arbitration";

export interface ProviderDispute {
  disputeId: string;
  paymentId: string;
  amountPaise: number;
  deductedPaise: number;
  phase: DisputePhase;
  status: "open" | "under_review" | "won" | "lost" | "closed";
  /** Milliseconds UTC. */
  respondBy: number | null;
  createdAt: number;
}

export interface BookedDispute extends ProviderDispute {
  createdAt: number;
  steps: { at: number; status: ProviderDispute["status"] }[];
}

export interface Webhook {
  name: string;
  order: BookedOrder;
  payment: BookedPayment;
  refund?: BookedRefund;
  dispute?: BookedDispute;
}
