/** Money on its way back. */
import type { RefundState } from "./statuses.ts";

export interface Refund {
  state: RefundState;
  amountPaise: number;
}

interface RefundOfPayment extends Refund {
  /** `us`: wanted by this program; `provider`: made in the provider's dashboard. */
  origin: "us" | "provider";
  /** Null until the provider has accepted it. */
  providerRefundId: string | null;
}

/**
 * What is left of a payment. The provider's sum of what went back and the refunds that it knows tell
 * of the same money; a wish it has not accepted yet comes on top.
 */
export function leftOf(
  payment: { amountPaise: number; refundedPaise: number },
  refunds: readonly RefundOfPayment[],
): number {
  let accepted = 0;
  let wished = 0;
  for (const { providerRefundId, origin, state, amountPaise } of refunds) {
    if (providerRefundId === null) wished += amountPaise;
    else if (origin === "us" || state !== "failed") accepted += amountPaise;
  }
  return Math.max(0, payment.amountPaise - Math.max(accepted, payment.refundedPaise) - wished);
}
