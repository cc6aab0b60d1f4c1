/** The provider's entities as they begin, with every field that its answers have. */
import { newId } from "#scripts/sandbox/random.ts";
import type { NewOrder, NewRefund } from "./input.ts";

/** Seconds. */
export const WEEK = 7 * 24 * 3600;

/** An empty array when there are none: its back end is PHP. */
type Notes = Record<string, string> | [];

export type Order = ReturnType<typeof newOrder>;
export type Payment = ReturnType<typeof newPayment> & { late_authorized?: boolean };
export type Refund = ReturnType<typeof newRefund>;
export type Dispute = ReturnType<typeof newDispute>;

export type PaymentMethod = "card" | "netbanking" | "wallet" | "upi";

export interface NewPayment {
  amount?: number | undefined;
  method?: PaymentMethod;
  email?: string;
  contact?: string;
  description?: string;
  /** Another attempt even on a paid or authorised order. */
  force?: boolean;
}

/** One fact to be sent, as a snapshot of its moment. */
export interface LedgerEvent {
  event: string;
  payload: { refund?: Refund; payment: Payment; order?: Order; dispute?: Dispute };
}

export const NO_FAILURE = {
  error_code: null,
  error_description: null,
  error_source: null,
  error_step: null,
  error_reason: null,
};

type Failure = Record<keyof typeof NO_FAILURE, string | null>;

export const FAILED: Failure = {
  error_code: "BAD_REQUEST_ERROR",
  error_description:
    "Your payment could not be completed as the bank declined it. Please try another method.",
  error_source: "bank",
  error_step: "payment_authorization",
  error_reason: "payment_failed",
};

export const TIMED_OUT: Failure = {
  error_code: "BAD_REQUEST_ERROR",
  error_description: "Your payment was not completed on time. Please try again.",
  error_source: "customer",
  error_step: "payment_authentication",
  error_reason: "payment_timed_out",
};

export function newOrder({ amount, currency, receipt, notes }: NewOrder, created_at: number) {
  return {
    id: newId("order"),
    entity: "order",
    offer_id: null,
    amount,
    currency,
    receipt: receipt || null,
    notes: (notes ?? []) as Notes,
    amount_paid: 0,
    amount_due: amount,
    status: "created" as "created" | "attempted" | "paid",
    attempts: 0,
    created_at,
  };
}

export function newPayment(order: Order, wanted: NewPayment, created_at: number) {
  const { method = "upi", email, contact, description = null } = wanted;
  return {
    id: newId("pay"),
    entity: "payment",
    invoice_id: null,
    international: false,
    description,
    card_id: method === "card" ? newId("card") : null,
    bank: method === "netbanking" ? "HDFC" : null,
    wallet: method === "wallet" ? "payzapp" : null,
    vpa: method === "upi" ? "success@razorpay" : null,
    amount: wanted.amount ?? order.amount,
    currency: order.currency,
    status: "created" as "created" | "authorized" | "captured" | "refunded" | "failed",
    order_id: order.id,
    method,
    amount_refunded: 0,
    refund_status: null as null | "partial" | "full",
    captured: false,
    email: email || "void@razorpay.com",
    contact: contact || "+919000090000",
    notes: order.notes,
    fee: null as number | null,
    tax: null as number | null,
    ...(NO_FAILURE as Failure),
    acquirer_data: {},
    created_at,
  };
}

export function newRefund(
  payment: Payment,
  { speed = "normal", notes, receipt = null, ...wanted }: NewRefund & { amount: number },
  isPending: boolean,
  created_at: number,
) {
  return {
    id: newId("rfnd"),
    entity: "refund",
    amount: wanted.amount,
    currency: payment.currency,
    payment_id: payment.id,
    batch_id: null,
    notes: (notes ?? []) as Notes,
    receipt,
    acquirer_data: { arn: null },
    created_at,
    status: (isPending ? "pending" : "processed") as "pending" | "processed" | "failed",
    speed_requested: speed,
    speed_processed: isPending ? null : "normal",
  };
}

export function newDispute(payment: Payment, created_at: number) {
  return {
    id: newId("disp"),
    entity: "dispute",
    reason_code: "goods_or_services_not_received",
    status: "open" as "open" | "under_review" | "won" | "lost" | "closed",
    phase: "chargeback" as "fraud" | "retrieval" | "chargeback" | "pre_arbitration" | "arbitration",
    amount_deducted: 0,
    respond_by: created_at + WEEK,
    payment_id: payment.id,
    amount: payment.amount,
    currency: payment.currency,
    created_at,
  };
}
