/** Column types of what came in, went back, was disputed, and what the provider reported. */
import type { Generated, GeneratedAlways } from "kysely";
import type { RefundReason, RefundState, RefundWay } from "#app/model/refund.ts";
import type { OrderState, PaymentOutcome, ProviderFault } from "#app/model/statuses.ts";

export interface PaymentOrderTable {
  /** Ours, made before the provider is called: a lost answer is found again by it. */
  receipt: string;
  /** No foreign key: money outlives a deleted appointment. */
  appointment_id: string;
  order_id: string | null;
  amount_paise: number;
  currency: string;
  state: OrderState;
  created_at: number;
  /** When the reconciler reads it next; null when it is done with. */
  next_check_at: number | null;
  checks: Generated<number>;
  /** Five days after the last moment to pay; kept true by a trigger. */
  watch_until: number;
  last_error: string | null;
}

export interface PaymentTable {
  /** The provider's; of money received outside ours, as `newOfflinePaymentId` makes it. */
  payment_id: string;
  order_id: string | null;
  appointment_id: string | null;
  amount_paise: number;
  currency: string;
  /** The provider's word: authorized, captured, refunded, failed. */
  provider_status: string;
  outcome: PaymentOutcome;
  method: string | null;
  /** The provider's fee without the GST on it, and that GST; both null until it reports them. */
  fee_paise: number | null;
  fee_tax_paise: number | null;
  /** Who paid, as the provider names them, while the payment belongs to no booking. */
  payer_email: Generated<string | null>;
  payer_phone: Generated<string | null>;
  /** When the customer paid, at the provider; null for payments read before it was kept. */
  paid_at: Generated<number | null>;
  /** What the provider says has gone back, dashboard refunds included. */
  refunded_paise: Generated<number>;
  taken_back_paise: Generated<number>;
  /** What it can be found by at the bank; of money received outside, as staff entered it. */
  reference: string | null;
  /** 1 if the provider calls the card or account foreign; null while it has not said. */
  international: Generated<number | null>;
  /** Of money received outside: the date it came in. */
  received_on: string | null;
  captured_at: number | null;
  created_at: number;
  updated_at: number;
}

/** A line of the provider's settlements: what of one payment, refund or adjustment it paid out. */
export interface SettlementLineTable {
  settlement_id: string;
  /** The provider's id of the payment, refund or adjustment. */
  entity_id: string;
  /** The provider's word: payment, refund, adjustment, transfer. */
  kind: string;
  /** Of a payment or refund. */
  payment_id: string | null;
  /** Paid to the bank, fees taken off, or kept back. */
  credit_paise: number;
  debit_paise: number;
  /** Without the GST on it, and that GST. */
  fee_paise: number;
  fee_tax_paise: number;
  /** The bank's number of the transfer; null until it is known. */
  utr: string | null;
  settled_at: number;
  description: string | null;
}

export interface RefundTable {
  id: string;
  payment_id: string;
  appointment_id: string | null;
  amount_paise: number;
  state: RefundState;
  way: RefundWay;
  /** 1 if it takes from what is kept: not superseded, nor a dashboard refund that failed. */
  counts: GeneratedAlways<number>;
  reason: RefundReason;
  note: string | null;
  /** What the provider knows it by; null for a refund of before receipts were sent. */
  receipt: string | null;
  /** Null until the provider has accepted it; of the dashboard: a sum that is not listed singly. */
  provider_refund_id: string | null;
  /** When the provider took it, by its own time; after a failure, when that was heard; null until then. */
  accepted_at: number | null;
  /** JSON list of the provider's ids of failed tries that a newer one replaced. */
  replaced_ids: Generated<string>;
  /** Raised when nothing can come of the key before, or the amount changed: another request. */
  key_generation: Generated<number>;
  attempts: Generated<number>;
  next_try_at: number | null;
  lease_until: number | null;
  /** Why the last try failed, and in words. */
  fault: ProviderFault | null;
  last_error: string | null;
  /** When a person marked it as paid back by hand, and what that can be found by. Final. */
  settled_at: number | null;
  reference: string | null;
  created_at: number;
  updated_at: number;
}

/** A refund that the provider accepted and did not carry out: its money went, and came back. */
export interface FailedRefundTable {
  provider_refund_id: string;
  payment_id: string;
  amount_paise: number;
  accepted_at: number;
  failed_at: number;
}

export interface DisputeTable {
  /** The provider's; `unknown_` and the payment's for one whose id was never kept. */
  dispute_id: string;
  /** No foreign key: a dispute may be reported before its payment. */
  payment_id: string;
  phase: string;
  status: string;
  amount_paise: number;
  deducted_paise: number;
  respond_by: number | null;
  created_at: number;
  updated_at: number;
}

export interface ProviderEventTable {
  event_id: string;
  kind: string;
  body: string;
  state: "new" | "done" | "parked";
  attempts: Generated<number>;
  next_try_at: number | null;
  last_error: string | null;
  received_at: number;
  done_at: number | null;
  /** Read from the body by the database itself. */
  payment_id: GeneratedAlways<string | null>;
  order_id: GeneratedAlways<string | null>;
}

export interface MoneyTables {
  payment_order: PaymentOrderTable;
  payment: PaymentTable;
  refund: RefundTable;
  failed_refund: FailedRefundTable;
  dispute: DisputeTable;
  settlement_line: SettlementLineTable;
  provider_event: ProviderEventTable;
}
