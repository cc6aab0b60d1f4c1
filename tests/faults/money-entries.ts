/** What stands in the books of the payment provider of money-books.ts. */
import type { ProviderOrder, ProviderRefund } from "#app/core/services.ts";

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
