/**
 * Wire shapes of the provider, as far as the sandbox reads or changes them; what never changes is added when they
 * are made. `notes` is an empty array when there are none: its back end is PHP.
 */
export type Notes = Record<string, string> | [];

interface Entity {
  id: string;
  amount: number;
  currency: string;
  created_at: number;
}

export interface Order extends Entity {
  amount_paid: number;
  amount_due: number;
  receipt: string | null;
  status: "created" | "attempted" | "paid";
  attempts: number;
  notes: Notes;
}

export type PaymentMethod = "card" | "netbanking" | "wallet" | "upi";

export interface Payment extends Entity, Failure {
  status: "created" | "authorized" | "captured" | "refunded" | "failed";
  order_id: string;
  method: PaymentMethod;
  amount_refunded: number;
  refund_status: null | "partial" | "full";
  captured: boolean;
  email: string;
  notes: Notes;
  fee: number | null;
  tax: number | null;
  acquirer_data: Record<string, string | null>;
  late_authorized?: boolean;
}

export interface Refund extends Entity {
  payment_id: string;
  receipt: string | null;
  acquirer_data: Record<string, string | null>;
  status: "pending" | "processed" | "failed";
  speed_processed: "normal" | null;
}

export interface Dispute extends Entity {
  payment_id: string;
  phase: "fraud" | "retrieval" | "chargeback" | "pre_arbitration" | "arbitration";
  status: "open" | "under_review" | "won" | "lost" | "closed";
  amount_deducted: number;
  respond_by: number;
}

/** One fact to be sent, as a snapshot of its moment. */
export interface LedgerEvent {
  event: string;
  payload: { refund?: Refund; payment: Payment; order?: Order; dispute?: Dispute };
}

const failureOf = (
  error_code: string | null,
  error_description: string | null,
  error_source: string | null,
  error_step: string | null,
  error_reason: string | null,
) => ({ error_code, error_description, error_source, error_step, error_reason });

type Failure = ReturnType<typeof failureOf>;

const CODE = "BAD_REQUEST_ERROR";
const DECLINED =
  "Your payment could not be completed as the bank declined it. Please try another method.";
const LATE = "Your payment was not completed on time. Please try again.";

export const NO_FAILURE = failureOf(null, null, null, null, null);
export const FAILED = failureOf(CODE, DECLINED, "bank", "payment_authorization", "payment_failed");
export const TIMED_OUT = failureOf(
  CODE,
  LATE,
  "customer",
  "payment_authentication",
  "payment_timed_out",
);
