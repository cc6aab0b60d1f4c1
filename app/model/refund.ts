/** Money on its way back. */
import { formatRupees } from "./money.ts";
import { isOfflinePayment } from "./offline-payment.ts";
import type { RefundState } from "./statuses.ts";

export interface Refund {
  state: RefundState;
  amountPaise: number;
  paymentId?: string;
  /** When a person marked it as paid back by hand, milliseconds UTC. */
  settledAt?: number | null;
  /** Why staff gave it back, in their words. */
  note?: string | null;
}

/** A refund's state as it is told: by hand, a person pays it back; paid back, a person has. */
export type RefundTold = RefundState | "by_hand" | "paid_back";

export function toldState({ state, paymentId, settledAt }: Refund): RefundTold {
  if (settledAt) return "paid_back";
  return paymentId && isOfflinePayment(paymentId) ? "by_hand" : state;
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
  refunds: readonly Omit<RefundOfPayment, "paymentId" | "settledAt">[],
): number {
  let accepted = 0;
  let wished = 0;
  for (const { providerRefundId, origin, state, amountPaise } of refunds) {
    if (providerRefundId === null) wished += amountPaise;
    else if (origin === "us" || state !== "failed") accepted += amountPaise;
  }
  return Math.max(0, payment.amountPaise - Math.max(accepted, payment.refundedPaise) - wished);
}

/**
 * The refunds that the customer is told of, in the order given. One that failed is left out when too
 * little of its payment is left for it: the money went back by another. So is a wish that was closed
 * because all of it had gone back.
 */
export function standingRefunds<R extends RefundOfPayment & { paymentId: string }>(
  payments: readonly MoneyIn[],
  refunds: readonly R[],
): R[] {
  return refunds.filter((refund) => {
    const { state, paymentId, amountPaise } = refund;
    if (state === "processed") return refund.providerRefundId !== null || !!refund.settledAt;
    if (state !== "failed") return true;
    const payment = payments.find((one) => one.paymentId === paymentId);
    const others = refunds.filter((one) => one.paymentId === paymentId && one !== refund);
    return payment === undefined || leftOf(payment, others) >= amountPaise;
  });
}

export interface MoneySums {
  /** Paise. */
  paidPaise: number;
  /** From the moment it is wanted. */
  backPaise: number;
  keptPaise: number;
}

interface MoneyIn {
  paymentId: string;
  amountPaise: number;
  refundedPaise: number;
  /** Null for what never became money. */
  capturedAt: number | null;
}

/** What came for a booking, what of it goes back, and what stays. */
export function sumsOf(
  payments: readonly MoneyIn[],
  refunds: readonly (RefundOfPayment & { paymentId: string })[],
): MoneySums {
  let paidPaise = 0;
  let keptPaise = 0;
  for (const payment of payments.filter(({ capturedAt }) => capturedAt !== null)) {
    paidPaise += payment.amountPaise;
    keptPaise += leftOf(
      payment,
      refunds.filter(({ paymentId }) => paymentId === payment.paymentId),
    );
  }
  return { paidPaise, backPaise: paidPaise - keptPaise, keptPaise };
}

/** What cancelling in time gives back, after "you can move the session, or". */
export function cancelOffer({ backPaise, keptPaise }: MoneySums): string {
  if (backPaise === 0) return "cancel it with a full refund";
  return keptPaise === 0
    ? "cancel it"
    : `cancel it and get the other ${formatRupees(keptPaise)} back`;
}

/** The sums as page and mails show them. */
export function sumsFacts({ paidPaise, backPaise, keptPaise }: MoneySums, words = formatRupees) {
  return [
    { label: "Paid", value: words(paidPaise) },
    { label: "Refund", value: words(backPaise) },
    { label: "Kept", value: words(keptPaise) },
  ];
}
