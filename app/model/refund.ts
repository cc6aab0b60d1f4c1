/** Refunds: their states, what counts, and the sums of a booking's money. Pure. */
import { FULL_REFUND } from "./appointment.ts";
import { formatRupees } from "./money.ts";
import type { ProviderFault, TooLate } from "./statuses.ts";

/** `superseded`: returned another way, from the dashboard or by the customer's bank. */
export type RefundState =
  | "wanted"
  | "sent"
  | "pending"
  | "processed"
  | "failed"
  | "needs_person"
  | "superseded";

/** Who moves the money: the provider for us, a person, or somebody in the provider's dashboard. */
export type RefundWay = "provider" | "by_hand" | "dashboard";

/** Why money is refunded; `by_staff`: without cancelling. */
export type RefundReason =
  | TooLate
  | "second"
  | "wrong_amount"
  | "cancelled"
  | "unmatched"
  | "by_staff"
  | "dashboard";

export interface Refund {
  state: RefundState;
  way: RefundWay;
  reason: RefundReason;
  amountPaise: number;
  /** 1 if it reduces what is kept, else 0; computed by the database (`refund.counts`). */
  counts: number;
  /** The reason that staff gave. */
  note?: string | null;
  /** Of a payment that never became money, beside one that did; set by `ofOthers`. */
  isOther?: boolean;
}

/** A refund's state as the customer reads it. */
export type CustomerRefundState =
  | Exclude<RefundState, "superseded">
  | "by_hand"
  | "paid_back"
  | "not_made"
  | "taken_back";

export function customerRefundState({
  state,
  way,
}: Pick<Refund, "state" | "way">): CustomerRefundState {
  if (way === "by_hand") return state === "processed" ? "paid_back" : "by_hand";
  if (state === "superseded") return "taken_back";
  return state === "failed" && way === "dashboard" ? "not_made" : state;
}

/** True if the provider has certainly not paid it and will not under its present key. */
export function isNothingDone(refund: {
  state: RefundState;
  fault: ProviderFault | null;
}): boolean {
  return refund.state === "failed" || refund.fault === "rejected" || refund.fault === "balance";
}

/** True if it waits for a person. */
export function isStuck({ state, way }: Pick<Refund, "state" | "way">): boolean {
  return way !== "dashboard" && (state === "failed" || state === "needs_person");
}

/** True if staff can have it sent again: stuck, or made and failed in the dashboard. */
export function mayRetry({ state, way }: Pick<Refund, "state" | "way">): boolean {
  if (way === "dashboard") return state === "failed";
  return way === "provider" && isStuck({ state, way });
}

type Counted = Pick<Refund, "amountPaise" | "counts">;

interface Captured {
  amountPaise: number;
  takenBackPaise: number;
}

function sumOf(refunds: readonly { amountPaise: number }[]): number {
  return refunds.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
}

/** What of a payment can still be refunded, in paise; negative if too much was returned outside. */
export function leftOf(payment: Captured, refunds: readonly Counted[]): number {
  const back = sumOf(refunds.filter(({ counts }) => counts));
  return payment.amountPaise - payment.takenBackPaise - back;
}

/** Returned from the dashboard or by a bank without replacing a refund of ours, in paise. */
export function returnedOutside(
  payment: Captured,
  refunds: readonly Pick<Refund, "amountPaise" | "counts" | "way" | "state">[],
): number {
  const superseded = sumOf(refunds.filter(({ state }) => state === "superseded"));
  const inTheirPlace = sumOf(refunds.filter(({ way, counts }) => way === "dashboard" && counts));
  return Math.max(0, inTheirPlace + payment.takenBackPaise - superseded);
}

/** The refund that a message is about; if it was superseded, the newest one that replaced it. */
export function standingFor<R extends Refund & { paymentId: string }>(
  refund: R,
  refunds: readonly R[],
): R {
  if (refund.state !== "superseded") return refund;
  const others = refunds.filter(({ paymentId }) => paymentId === refund.paymentId);
  return others.findLast(({ way, counts }) => way === "dashboard" && counts) ?? refund;
}

/**
 * The refund of a booking's cancellation, or the newest one that replaced it, among those given in
 * order; null if nothing is refunded for it. A second payment's refund is not one.
 */
export function refundOfCancellation<R extends Refund & { paymentId: string }>(
  refunds: readonly R[],
): R | null {
  const own = refunds.filter(({ reason }) => CANCELLED.includes(reason));
  const first = own.find(({ counts }) => counts) ?? own[0];
  const standing = first && standingFor(first, refunds);
  return standing?.counts ? standing : null;
}

const CANCELLED: readonly RefundReason[] = ["cancelled", "time_gone", "session_begun"];

/** What the customer sees: a superseded refund is shown by the one that replaced it. */
export function shownRefunds<R extends Pick<Refund, "state">>(refunds: readonly R[]): R[] {
  return refunds.filter(({ state }) => state !== "superseded");
}

export const TAKEN_BACK = "Taken back by the bank";

export type MoneySums = ReturnType<typeof sumsOf>;

type MoneyIn = Captured & {
  paymentId: string;
  /** Null if it never became money. */
  capturedAt: number | null;
};

/**
 * What was paid for a booking, what of it was refunded (from the moment it is wanted) or taken back by
 * the customer's bank after a lost dispute, and what is kept; in paise.
 */
export function sumsOf(
  payments: readonly MoneyIn[],
  refunds: readonly (Counted & { paymentId: string })[],
) {
  const captured = payments.filter(({ capturedAt }) => capturedAt !== null);
  const ids = new Set(captured.map(({ paymentId }) => paymentId));
  const paidPaise = sumOf(captured);
  const backPaise = sumOf(refunds.filter((one) => one.counts && ids.has(one.paymentId)));
  const takenPaise = captured.reduce((sum, { takenBackPaise }) => sum + takenBackPaise, 0);
  return { paidPaise, backPaise, takenPaise, keptPaise: paidPaise - backPaise - takenPaise };
}

/** Marks the refunds of payments that never became money, beside one that did. */
export function ofOthers<R extends { paymentId: string }>(
  refunds: readonly R[],
  payments: readonly Pick<MoneyIn, "paymentId" | "capturedAt">[],
) {
  const captured = payments.filter(({ capturedAt }) => capturedAt !== null);
  const ids = captured.map(({ paymentId }) => paymentId);
  return refunds.map((one) => ({
    ...one,
    isOther: ids.length > 0 && !ids.includes(one.paymentId),
  }));
}

/** What cancelling in time gives back, after "you can move the session, or". */
export function cancelOffer({ paidPaise, keptPaise }: MoneySums): string {
  if (keptPaise === paidPaise) return FULL_REFUND;
  return keptPaise <= 0
    ? "cancel it"
    : `cancel it and get the other ${formatRupees(keptPaise)} back`;
}

/** The sums as page and mails show them. */
export function sumsFacts(sums: MoneySums, words = formatRupees) {
  return [
    { label: "Paid", value: words(sums.paidPaise) },
    { label: "Refund", value: words(sums.backPaise) },
    ...(sums.takenPaise > 0 ? [{ label: TAKEN_BACK, value: words(sums.takenPaise) }] : []),
    { label: "Kept", value: words(sums.keptPaise) },
  ];
}
