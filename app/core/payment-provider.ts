/** What this product needs from a payment provider, in its own words. Money is paise. */
import type { Money } from "#app/model/money.ts";

export interface ProviderOrder extends Money {
  orderId: string;
  receipt: string | null;
  status: "created" | "attempted" | "paid";
}

export interface ProviderPayment extends Money {
  paymentId: string;
  orderId: string | null;
  /** Unknown words of the provider are kept as they are and treated as "not captured". */
  status: "created" | "authorized" | "captured" | "refunded" | "failed" | (string & {});
  refundedPaise: number;
  method: string | null;
  /** What the provider keeps for itself, null until it says so: before capture, and a while after. */
  fee: ProviderFee | null;
  /** Left out where the provider names nobody. */
  payer?: Payer;
  /** Milliseconds UTC. */
  createdAt: number;
}

/** As the customer gave it at the checkout: it belongs in no log. */
export interface Payer {
  email: string | null;
  /** With the country's code. */
  phone: string | null;
}

/** Paise. It is not given back with a refund. */
export interface ProviderFee {
  /** Without the tax on it. */
  feePaise: number;
  /** The GST on the fee. */
  feeTaxPaise: number;
}

export interface ProviderRefund {
  refundId: string;
  paymentId: string;
  amountPaise: number;
  /** Our own reference, where it was sent along. */
  receipt: string | null;
  status: "pending" | "processed" | "failed";
}

/**
 * Why a call brought no answer. `unknown`: the provider may have done it, so look it up before
 * trying again. `rate` and `down`: nothing was done, try later. `rejected`: it will never do this.
 * `config`: our keys are wrong. `busy`: the same refund is being worked on. `balance`: no money.
 */
export type ProviderFault =
  | "config"
  | "rejected"
  | "busy"
  | "balance"
  | "rate"
  | "down"
  | "unknown";

export class ProviderError extends Error {
  readonly fault: ProviderFault;
  readonly status: number;

  constructor(fault: ProviderFault, status: number, message: string) {
    super(message);
    this.name = "ProviderError";
    this.fault = fault;
    this.status = status;
  }
}

/** Every call rejects with ProviderError and with nothing else. */
export interface PaymentProvider {
  createOrder(input: {
    receipt: string;
    amountPaise: number;
    notes: Record<string, string>;
  }): Promise<ProviderOrder>;
  findOrderByReceipt(receipt: string): Promise<ProviderOrder | null>;
  listPayments(orderId: string): Promise<ProviderPayment[]>;
  /** Orders made in the time from `from` to `to` (milliseconds), all pages. */
  listOrders(from: number, to: number): Promise<ProviderOrder[]>;
  fetchPayment(paymentId: string): Promise<ProviderPayment>;
  refund(input: {
    paymentId: string;
    amountPaise: number;
    /** Our own reference, at most 40 characters. */
    receipt: string | null;
    /** At least 10 characters; the same key never makes a second refund. */
    idempotencyKey: string;
  }): Promise<ProviderRefund>;
  listRefunds(paymentId: string): Promise<ProviderRefund[]>;
  fetchRefund(refundId: string): Promise<ProviderRefund>;
}
