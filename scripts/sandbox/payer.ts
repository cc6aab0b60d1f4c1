import type { Clock } from "./clock.ts";
import type { Courier } from "./courier.ts";
import type { FailureDetail, Payment } from "./entities.ts";
import type { Events } from "./events.ts";
import { readCard } from "./failures.ts";
import type { Ledger, NewPayment } from "./ledger.ts";
import { checkoutSignature } from "./signature.ts";
import { amountOf, type Switches } from "./switches.ts";

export type Outcome = "captured" | "authorized" | "failed" | "late" | "created";

export interface PayWish extends NewPayment {
  outcome?: Outcome;
  reason?: string;
  /** false: this payment's events are recorded and not sent. */
  webhooks?: boolean;
  /** Sandbox seconds until a late payment is authorised. */
  afterSeconds?: number;
  otp?: string;
}

/** What the browser brings back after a success. */
export interface Proof {
  razorpay_payment_id: string;
  razorpay_order_id: string;
  razorpay_signature: string;
}

export interface ProofError extends FailureDetail {
  metadata: { payment_id: string; order_id: string };
}

export interface PayResult extends Proof {
  payment: Payment;
}

const LATE_SECONDS = 30;

/** Plays the customer and the bank: one call is one press on the payment page. */
export class Payer {
  readonly #ledger: Ledger;
  readonly #events: Events;
  readonly #courier: Courier;
  readonly #switches: Switches;
  readonly #clock: Clock;
  readonly #keySecret: string;

  constructor(
    ledger: Ledger,
    events: Events,
    courier: Courier,
    switches: Switches,
    clock: Clock,
    keySecret: string,
  ) {
    this.#ledger = ledger;
    this.#events = events;
    this.#courier = courier;
    this.#switches = switches;
    this.#clock = clock;
    this.#keySecret = keySecret;
  }

  pay(orderId: string, wish: PayWish = {}): PayResult {
    const other = this.#switches.take("payment_other_amount", orderId);
    const payment = this.#ledger.begin(orderId, {
      ...wish,
      ...(other && wish.amount === undefined ? { amount: amountOf(other) } : {}),
    });
    if (wish.webhooks === false) this.#events.mute(payment.id);
    this.#play(payment, orderId, wish);
    if (payment.captured && this.#switches.take("payment_twice", orderId)) {
      this.payAgain(orderId, wish);
    }
    return { ...this.proof(orderId, payment.id), payment: structuredClone(payment) };
  }

  /** A second captured payment on the same order, which the provider normally refuses. */
  payAgain(orderId: string, wish: PayWish = {}): Payment {
    const payment = this.#ledger.begin(orderId, { ...wish, force: true });
    if (wish.webhooks === false) this.#events.mute(payment.id);
    this.#ledger.authorize(payment);
    return payment;
  }

  proof(orderId: string, paymentId: string): Proof {
    return {
      razorpay_payment_id: paymentId,
      razorpay_order_id: orderId,
      razorpay_signature: checkoutSignature(this.#keySecret, orderId, paymentId),
    };
  }

  /** What the browser carries, as the browser switches want it; undefined: nothing. */
  carried(result: PayResult): { proof: Proof; twice: boolean } | undefined {
    const orderId = result.razorpay_order_id;
    if (this.#switches.take("callback_lost", orderId)) return undefined;
    const twice = Boolean(this.#switches.take("callback_twice", orderId));
    let proof = this.proof(orderId, result.payment.id);
    if (this.#switches.take("callback_other_order", orderId)) proof = this.#otherProof();
    if (this.#switches.take("callback_wrong_signature", orderId)) {
      proof = { ...proof, razorpay_signature: "0".repeat(64) };
    }
    return { proof, twice };
  }

  failureOf(payment: Payment): ProofError {
    return {
      code: payment.error_code ?? "BAD_REQUEST_ERROR",
      description: payment.error_description ?? "",
      source: payment.error_source ?? "NA",
      step: payment.error_step ?? "NA",
      reason: payment.error_reason ?? "NA",
      metadata: { payment_id: payment.id, order_id: payment.order_id ?? "" },
    };
  }

  /** With the switch on, the payer's answer comes after the webhooks' first attempts. */
  async webhooksFirst(orderId: string, wanted = false): Promise<void> {
    if (this.#switches.take("webhook_first", orderId) || wanted) await this.#courier.idle();
  }

  #play(payment: Payment, orderId: string, wish: PayWish): void {
    const outcome = wish.outcome ?? "captured";
    if (outcome === "created") return;
    if (outcome === "failed") {
      this.#ledger.fail(payment, wish.reason);
      return;
    }
    if (outcome === "late") {
      this.#ledger.fail(payment, wish.reason ?? "payment_timed_out");
      this.#authorizeLater(payment, wish.afterSeconds ?? LATE_SECONDS);
      return;
    }
    const refused = refusal(wish);
    if (refused) {
      this.#ledger.fail(payment, refused);
      return;
    }
    this.#succeed(payment, orderId, outcome === "authorized");
  }

  #succeed(payment: Payment, orderId: string, hold: boolean): void {
    if (this.#switches.take("payment_fails_first", orderId)) {
      this.#ledger.fail(payment);
      return;
    }
    const failedFirst = this.#switches.take("payment_failed_then_captured", orderId);
    if (failedFirst) {
      this.#ledger.fail(payment, "payment_timed_out");
      this.#authorizeLater(payment, amountOf(failedFirst));
      return;
    }
    const late = this.#switches.take("payment_captured_late", orderId);
    const stays = this.#switches.take("payment_stays_authorized", orderId);
    this.#ledger.authorize(payment, { hold: hold || Boolean(late) || Boolean(stays) });
    if (late && !stays) {
      this.#clock.after(amountOf(late) * 1000, () => {
        const paid = this.#ledger.orders.get(orderId)?.status === "paid";
        if (payment.status === "authorized" && !paid) {
          this.#ledger.capture(payment, payment.amount);
        }
      });
    }
  }

  #authorizeLater(payment: Payment, seconds: number): void {
    this.#clock.after(seconds * 1000, () => {
      if (payment.status === "failed") this.#ledger.authorize(payment);
    });
  }

  #otherProof(): Proof {
    const order = this.#ledger.createOrder({
      amount: 100,
      currency: "INR",
      receipt: null,
      notes: [],
    });
    const payment = this.#ledger.begin(order.id);
    this.#events.mute(payment.id);
    this.#ledger.authorize(payment);
    return this.proof(order.id, payment.id);
  }
}

/** Why the typed details fail, if they do. */
function refusal(wish: PayWish): string | undefined {
  if (wish.method === "card") {
    const { reason } = readCard(wish.cardNumber ?? "4100280000001007");
    if (reason) return reason;
    if (wish.otp !== undefined && !/^\d{4,10}$/.test(wish.otp.trim())) {
      return "authentication_failed";
    }
  }
  if (wish.method === "upi" && wish.vpa) {
    if (wish.vpa === "failure@razorpay") return "payment_declined";
    if (!/^[\w.-]+@[\w.-]+$/.test(wish.vpa)) return "invalid_vpa";
  }
  return undefined;
}
