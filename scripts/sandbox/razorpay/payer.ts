import { createHmac } from "node:crypto";
import type { Clock } from "#scripts/sandbox/clock.ts";
import { type NewPayment, TIMED_OUT } from "./entities.ts";
import type { Ledger } from "./ledger.ts";
import type { Events } from "./webhooks.ts";

export type Outcome = "captured" | "authorized" | "failed" | "late" | "created";

export interface PayRequest extends NewPayment {
  outcome?: Outcome;
  /** false: this payment's events are recorded and not sent. */
  webhooks?: boolean;
  /** Sandbox seconds until a late payment is authorised. */
  afterSeconds?: number;
}

/** Plays the customer and the bank: one call is one button of the payment page. */
export type Pay = ReturnType<typeof makePay>;
export type PayResult = ReturnType<Pay>;
/** What the browser brings back after a success. */
export type Proof = Omit<PayResult, "payment">;

export function makePay(ledger: Ledger, events: Events, clock: Clock, keySecret: string) {
  return (orderId: string, request: PayRequest = {}) => {
    const { outcome = "captured", webhooks = true, afterSeconds = 30 } = request;
    const payment = ledger.begin(orderId, request);
    if (!webhooks) events.mute(payment.id);
    if (outcome === "failed") ledger.fail(payment);
    if (outcome === "captured" || outcome === "authorized") {
      ledger.authorize(payment, outcome === "authorized");
    }
    if (outcome === "late") {
      ledger.fail(payment, TIMED_OUT);
      clock.after(afterSeconds * 1000, () => {
        if (payment.status === "failed") ledger.authorize(payment);
      });
    }
    return {
      razorpay_payment_id: payment.id,
      razorpay_order_id: orderId,
      razorpay_signature: createHmac("sha256", keySecret)
        .update(`${orderId}|${payment.id}`)
        .digest("hex"),
      payment: structuredClone(payment),
    };
  };
}
