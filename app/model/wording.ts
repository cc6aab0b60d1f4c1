/** The one place where the states of an appointment get their words. */

import { formatDeadline } from "./dates.ts";
import type { RefundTold } from "./refund.ts";
import type { AppointmentSource, AppointmentStatus, Attendance, RefundState } from "./statuses.ts";
import { lookUp, unknownCode, wording } from "./unknown-code.ts";

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
  refund: RefundTold | null;
  /** Until when an unpaid time is held, milliseconds UTC; null when it is not. */
  heldUntil: number | null;
  /** Milliseconds UTC. */
  now: number;
  isChecking?: boolean;
  isOver?: boolean;
}

/** The stamp of a pass, on the booking's page and in mails. */
export function stampWords({ status, refund, heldUntil, now, ...is }: StampFacts): string {
  if (status === "pending_payment") {
    if (is.isChecking) return "Payment being checked";
    return heldUntil === null ? "Not paid" : `Held until ${formatDeadline(heldUntil, now)}`;
  }
  const label = customerStatusLabel(status);
  if (status === "cancelled") return refund ? `${label} \u2013 ${refundStamp(refund)}` : label;
  return is.isOver ? "Session over" : label;
}

/** Whether the session took place; `none` while nobody has said so. */
export const attendanceLabel = wording<Attendance | "none">({
  completed: "Completed",
  no_show: "No-show",
  none: "Not noted yet",
});

/** Who made the booking. */
/** Of whom nothing is known any more the name is empty. */
export function personName(name: string): string {
  return name || "Erased customer";
}

export const sourceLabel = wording<AppointmentSource>({ visitor: "Visitor", staff: "Staff" });

/** How a refund stands, said to the admin. */
export const refundStateWords = wording<RefundState>({
  wanted: "Refund wanted",
  sent: "Refund sent to the provider",
  pending: "Refund accepted, the provider is working on it",
  processed: "Refunded",
  failed: "Refund failed",
  needs_person: "Refund needs a person",
});

const refundStamp = wording<RefundTold>({
  wanted: "refund on its way",
  sent: "refund on its way",
  pending: "refund on its way",
  processed: "refund sent",
  failed: "refund delayed",
  needs_person: "refund delayed",
  by_hand: "refund on its way",
  paid_back: "paid back",
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

type OfAmount = (refund: string) => string;
const onItsWay: OfAmount = (refund) => `${refund} is on its way to the payment provider.`;
const delayed: OfAmount = (refund) =>
  `${refund} did not go through at first. We are looking into it and will write to you.`;

const refundSays = lookUp<RefundTold, OfAmount>({
  wanted: onItsWay,
  sent: onItsWay,
  pending: (refund) => `${refund} was accepted by the payment provider, who is working on it.`,
  processed: (refund) =>
    `${refund} has been sent to your bank. It usually shows there in 5 to 7 working days.`,
  failed: delayed,
  needs_person: delayed,
  by_hand: (refund) =>
    `${refund} is paid back by us, not by the payment provider. We write to you once it is done.`,
  paid_back: (refund) => `${refund} has been paid back by us.`,
});

/**
 * How a refund stands, said to the customer; `amount` is rendered. What is processed has been sent,
 * and need not have arrived.
 */
export function refundWords(state: RefundTold, amount: string): string {
  return refundSays(state)?.(`Your refund of ${amount}`) ?? unknownCode(state);
}

/** What a cancellation promises before it is made. `amount` is rendered; `whole`: all that was paid. */
export function refundPromise(amount: string, whole: boolean): string {
  const goes = whole ? `${amount} goes back to you in full` : `${amount} goes back to you`;
  return `${goes}, the way you paid. Once sent, it usually shows in your account in 5 to 7 working days.`;
}

const methodWords = lookUp({
  card: "card",
  upi: "UPI",
  netbanking: "net banking",
  wallet: "wallet",
  emi: "EMI",
  cardless_emi: "cardless EMI",
  paylater: "pay later",
  bank_transfer: "bank transfer",
  cash: "cash",
});

/** How was paid, as it stands in a sentence; a new word of the provider's stays as it is. */
export function paymentMethodWords(method: string): string {
  return methodWords(method) ?? method;
}

export const channelWords = wording({ email: "Email", whatsapp: "WhatsApp" });
