/** The one place where the states of an appointment get their words. */

import { formatClock } from "./dates.ts";
import type { AppointmentStatus, RefundState } from "./statuses.ts";
import { lookUp, wording } from "./unknown-code.ts";

/** In the order in which a list of them is read. */
export const STATUS_LABELS: Readonly<Record<AppointmentStatus, string>> = {
  confirmed: "Confirmed",
  pending_payment: "Pending Payment",
  cancelled: "Cancelled",
  rescheduled: "Rescheduled",
};

export const statusLabel = wording(STATUS_LABELS);

/** What a customer reads. */
export const customerStatusLabel = wording({ ...STATUS_LABELS, rescheduled: "Moved" });

interface StampFacts {
  status: AppointmentStatus;
  /** Of the newest refund; null without one. */
  refund: RefundState | null;
  /** Until when an unpaid time is held, milliseconds UTC; null when it is not. */
  heldUntil: number | null;
  isChecking?: boolean;
  isOver?: boolean;
}

/** The stamp of a pass, on the booking's page and in mails. */
export function stampWords({ status, refund, heldUntil, ...is }: StampFacts): string {
  if (status === "pending_payment") {
    if (is.isChecking) return "Payment being checked";
    return heldUntil === null ? "Not paid" : `Held until ${formatClock(heldUntil)} IST`;
  }
  const label = customerStatusLabel(status);
  if (status === "cancelled") return refund ? `${label} \u2013 ${refundStamp(refund)}` : label;
  return is.isOver ? "Session over" : label;
}

const refundStamp = wording<RefundState>({
  wanted: "refund on its way",
  sent: "refund on its way",
  pending: "refund on its way",
  processed: "refund sent",
  failed: "refund delayed",
  needs_person: "refund delayed",
});

/** What the booking's own page says first; undefined while it waits for money. */
export const statusHeading = lookUp<Exclude<AppointmentStatus, "pending_payment">, string>({
  confirmed: "Booking Confirmed!",
  cancelled: "This session is cancelled",
  rescheduled: "Your session has moved",
});

export type CancelReason =
  | "by_admin"
  | "by_customer"
  | "time_gone"
  | "payment_refunded_by_provider";

/** As the customer reads them. */
export const CANCEL_REASONS: Readonly<Record<CancelReason, string>> = {
  by_admin: "We cancelled this session.",
  by_customer: "You cancelled this session.",
  time_gone:
    "Your payment arrived after the time was given to somebody else, so we cancelled the booking and refund you in full.",
  payment_refunded_by_provider: "The payment was refunded, so the session is cancelled.",
};

/** Undefined for a reason that is none: its customer reads only that the session is cancelled. */
export const cancelReasonWords = lookUp(CANCEL_REASONS);

/** As the admin reads them. */
export const cancelledBy = wording<CancelReason>({
  by_admin: "Cancelled by an admin",
  by_customer: "Cancelled by the customer",
  time_gone: "Cancelled: the payment came after the time was given away",
  payment_refunded_by_provider: "Cancelled: the payment was refunded in the provider's dashboard",
});

/** How a refund stands, said to the customer. `processed` means sent, not arrived. */
export const refundWords = wording<RefundState>({
  wanted: "Your refund is on its way to the payment provider.",
  sent: "Your refund is on its way to the payment provider.",
  pending: "The payment provider has accepted your refund and is working on it.",
  processed:
    "Your refund has been sent to your bank. It usually shows there in 5 to 7 working days.",
  failed: "Your refund did not go through at first. We are looking into it and will write to you.",
  needs_person:
    "Your refund did not go through at first. We are looking into it and will write to you.",
});

/** What a cancellation promises before it is made. `amount` is rendered; `whole`: all that was paid. */
export function refundPromise(amount: string, whole: boolean): string {
  const goes = whole ? `${amount} goes back to you in full` : `${amount} goes back to you`;
  return `${goes}, the way you paid. Once sent, it usually shows in your account in 5 to 7 working days.`;
}
