/** Wire shapes of the provider. `notes` is an empty array when there are none: its back end is PHP. */
export type Notes = Record<string, string> | [];

export interface Order {
  id: string;
  entity: "order";
  amount: number;
  amount_paid: number;
  amount_due: number;
  currency: string;
  receipt: string | null;
  offer_id: null;
  status: "created" | "attempted" | "paid";
  attempts: number;
  notes: Notes;
  created_at: number;
}

export type PaymentStatus = "created" | "authorized" | "captured" | "refunded" | "failed";
export type PaymentMethod = "card" | "netbanking" | "wallet" | "upi";

export interface Card {
  id: string;
  entity: "card";
  name: string;
  last4: string;
  network: string;
  type: "credit" | "debit";
  issuer: string | null;
  international: boolean;
  emi: boolean;
  sub_type: "consumer";
  token_iin: null;
}

export interface Payment {
  id: string;
  entity: "payment";
  amount: number;
  currency: string;
  status: PaymentStatus;
  order_id: string | null;
  invoice_id: null;
  international: boolean;
  method: PaymentMethod;
  amount_refunded: number;
  refund_status: null | "partial" | "full";
  captured: boolean;
  description: string | null;
  card_id: string | null;
  card?: Card;
  bank: string | null;
  wallet: string | null;
  vpa: string | null;
  upi?: { payer_account_type: string; vpa: string; flow: string };
  email: string;
  contact: string;
  notes: Notes;
  fee: number | null;
  tax: number | null;
  error_code: string | null;
  error_description: string | null;
  error_source: string | null;
  error_step: string | null;
  error_reason: string | null;
  acquirer_data: Record<string, string | null>;
  created_at: number;
  late_authorized?: boolean;
}

export interface Refund {
  id: string;
  entity: "refund";
  amount: number;
  currency: string;
  payment_id: string;
  notes: Notes;
  receipt: string | null;
  acquirer_data: Record<string, string | null>;
  created_at: number;
  batch_id: null;
  status: "pending" | "processed" | "failed";
  speed_processed: "instant" | "normal" | null;
  speed_requested: "normal" | "optimum";
}

export type DisputeStatus = "open" | "under_review" | "action_required" | "won" | "lost" | "closed";

export interface Dispute {
  id: string;
  entity: "dispute";
  payment_id: string;
  amount: number;
  currency: string;
  amount_deducted: number;
  reason_code: string;
  respond_by: number;
  status: DisputeStatus;
  phase: "chargeback";
  created_at: number;
}

/** How an order's payments are captured; periods in minutes from the creation of the payment. */
export interface CaptureSetting {
  mode: "automatic" | "manual";
  automaticMinutes: number;
  manualMinutes: number;
}

export interface FailureDetail {
  code: string;
  description: string;
  source: string;
  step: string;
  reason: string;
}

export interface EventPayload {
  order?: Order;
  payment?: Payment;
  refund?: Refund;
  dispute?: Dispute;
}

/** One fact to be sent, as a snapshot of its moment. */
export interface LedgerEvent {
  event: string;
  payload: EventPayload;
}
