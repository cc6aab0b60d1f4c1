/** What this product needs from a payment provider, in its own words. Money is paise. */
import type { Money } from "#app/model/money.ts";
import type { ProviderFault } from "#app/model/statuses.ts";
import { OutsideError } from "./outside-error.ts";

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

/** Unknown phases and statuses are kept as the provider says them. */
export interface ProviderDispute {
  disputeId: string;
  paymentId: string;
  amountPaise: number;
  /** What the provider took from us for it; 0 until it is lost, and where it does not say. */
  deductedPaise: number;
  phase: string;
  status: string;
  /** Milliseconds UTC, null where there is nothing to answer. */
  respondBy: number | null;
  /** Milliseconds UTC. */
  createdAt: number;
}

export class ProviderError extends OutsideError {
  readonly fault: ProviderFault;
  readonly status: number;

  constructor(fault: ProviderFault, status: number, message: string) {
    super(fault, message);
    this.name = "ProviderError";
    this.fault = fault;
    this.status = status;
  }
}

/**
 * Every call rejects with ProviderError and with nothing else. A list is read to its end; those of a
 * time hold what was made from `from` to `to` (milliseconds UTC).
 */
export interface PaymentProvider {
  createOrder(input: {
    receipt: string;
    amountPaise: number;
    notes: Record<string, string>;
  }): Promise<ProviderOrder>;
  findOrderByReceipt(receipt: string): Promise<ProviderOrder | null>;
  listPayments(orderId: string): Promise<ProviderPayment[]>;
  listOrders(from: number, to: number): Promise<ProviderOrder[]>;
  fetchPayment(paymentId: string): Promise<ProviderPayment>;
  listPaymentsMade(from: number, to: number): Promise<ProviderPayment[]>;
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
  listRefundsMade(from: number, to: number): Promise<ProviderRefund[]>;
  fetchDispute(disputeId: string): Promise<ProviderDispute>;
  listDisputes(from: number, to: number): Promise<ProviderDispute[]>;
}
