/** The words for the states of an appointment and its money. */
import { formatDeadline } from "./dates.ts";
import type { Dispute, DisputePhase, DisputeStatus } from "./dispute.ts";
import { formatRupees } from "./money.ts";
import {
  type CustomerRefundState,
  customerRefundState,
  type Refund,
  type RefundReason,
  type RefundState,
} from "./refund.ts";
import type { AppointmentSource, AppointmentStatus, Attendance, TooLate } from "./statuses.ts";
import { lookUp, unknownCode, wording } from "./unknown-code.ts";

/** In the order of a list. */
export const STATUS_LABELS: Readonly<Record<AppointmentStatus, string>> = {
  confirmed: "Confirmed",
  pending_payment: "Pending Payment",
  cancelled: "Cancelled",
  rescheduled: "Rescheduled",
};

export const statusLabel = wording(STATUS_LABELS);

interface StampFacts {
  status: AppointmentStatus;
  /** Of the cancellation; null if there is none. */
  refund: CustomerRefundState | null;
  /** Until when an unpaid time is held; null if it is not. */
  heldUntil: number | null;
  now: number;
  isChecking?: boolean;
  isOver?: boolean;
}

/** The stamp of a session pass, on the booking's page and in mails. */
export function stampWords({ status, refund, heldUntil, now, ...is }: StampFacts): string {
  if (status === "pending_payment") {
    if (is.isChecking) return "Payment being checked";
    return heldUntil === null ? "Not paid" : `Held until ${formatDeadline(heldUntil, now)}`;
  }
  const label = statusLabel(status);
  if (status === "cancelled") return refund ? `${label} \u2013 ${refundStamp(refund)}` : label;
  return is.isOver ? "Session over" : label;
}

/** `none`: not noted yet. */
export const attendanceLabel = wording<Attendance | "none">({
  completed: "Completed",
  no_show: "No-show",
  none: "Not noted yet",
});

/** The name is empty once a customer is erased. */
export function personName(name: string): string {
  return name || "Erased customer";
}

export const sourceLabel = wording<AppointmentSource>({ visitor: "Visitor", staff: "Staff" });

/** How long documents are kept. `until` holds the day: `31 Dec 2033`. */
export function keptWords(until: string): string {
  return `until 72 months after the due date of that year’s annual return (${until})`;
}

/** A refund's state, for admins. */
export const refundStateWords = wording<RefundState>({
  superseded: "The money went back another way",
  wanted: "Refund wanted",
  sent: "Refund sent to the provider",
  pending: "Refund accepted, the provider is working on it",
  processed: "Refunded",
  failed: "Refund failed",
  needs_person: "Refund needs a person",
});

const refundStamp = wording<CustomerRefundState>({
  wanted: "refund on its way",
  sent: "refund on its way",
  pending: "refund on its way",
  processed: "refund sent",
  failed: "refund delayed",
  needs_person: "refund delayed",
  by_hand: "refund on its way",
  paid_back: "paid back",
  not_made: "refund delayed",
  taken_back: "returned by the bank",
});

/** Headlines of the booking's page, and of the mail about a move. */
export const HEADINGS = {
  confirmed: "Booking Confirmed!",
  cancelled: "This session is cancelled",
  rescheduled: "Your session is rescheduled",
} as const satisfies Partial<Record<AppointmentStatus, string>>;

/** Undefined while it is unpaid. */
export const statusHeading = lookUp<keyof typeof HEADINGS, string>(HEADINGS);

const TIME_GONE =
  "Your payment arrived after the time to pay had ended, and the session was no longer free. So we cancelled the booking and refund you in full.";
const SESSION_BEGUN =
  "Your payment arrived after the session's starting time, so we cancelled the booking and refund you in full.";

/** For customers. */
export const CANCEL_REASONS = {
  by_admin: "We cancelled this session.",
  by_customer: "You cancelled this session.",
  time_gone: TIME_GONE,
  session_begun: SESSION_BEGUN,
  payment_refunded_by_provider: "The payment was refunded, so the session is cancelled.",
};

export type CancelReason = keyof typeof CANCEL_REASONS;

/** Why a payment came too late, for customers. */
export const tooLateWords = wording<TooLate>({
  time_gone: TIME_GONE,
  session_begun: SESSION_BEGUN,
  booking_cancelled:
    "Your payment arrived after this booking was cancelled, so we refund you in full.",
});

/** Undefined for an unknown reason: the customer then only reads that the session is cancelled. */
export const cancelReasonWords = lookUp(CANCEL_REASONS);

/** For admins. */
export const cancelledBy = wording<CancelReason>({
  by_admin: "Cancelled by an admin",
  by_customer: "Cancelled by the customer",
  time_gone: "Cancelled: the payment came after the time was given away",
  session_begun: "Cancelled: the payment came after the session's starting time",
  payment_refunded_by_provider: "Cancelled: the payment was refunded in the provider's dashboard",
});

const disputePhase = lookUp<DisputePhase, string>({
  fraud: "fraud report",
  retrieval: "request for information",
  chargeback: "chargeback",
  pre_arbitration: "pre-arbitration",
  arbitration: "arbitration",
});

const disputeStatus = wording<DisputeStatus>({
  open: "Disputed: the customer's bank asks for the money back",
  under_review: "Disputed: the bank looks at our evidence",
  won: "Dispute won, the bank takes nothing",
  lost: "Dispute lost, the bank took the money back",
  closed: "Dispute closed",
});

/** A dispute's state, for admins; without the phase if that was not stored. */
export function disputeWords({ phase, status }: Pick<Dispute, "phase" | "status">): string {
  const words = disputeStatus(status as DisputeStatus);
  return phase === "" ? words : `${words} (${disputePhase(phase) ?? unknownCode(phase)})`;
}

/** The money of a refund, within a sentence; `amount` as text. */
export function refundedMoney(reason: RefundReason, amount: string): string {
  if (reason === "second") return `your second payment of ${amount}`;
  return reason === "wrong_amount" ? `your payment of ${amount}, which was not the price,` : amount;
}

type OfMoney = (money: string) => string;
const requested: OfMoney = (money) => `We have asked Razorpay to send ${money} back to you.`;
const delayed: OfMoney = (money) =>
  `The refund of ${money} did not go through at first. We are looking into it and will write to you.`;

const refundSays = lookUp<CustomerRefundState, OfMoney>({
  wanted: requested,
  sent: requested,
  pending: (money) => `Razorpay is sending ${money} back to you.`,
  processed: (money) =>
    `Razorpay has sent ${money} to your bank. It usually shows there in 5 to 7 working days.`,
  failed: delayed,
  needs_person: delayed,
  by_hand: (money) =>
    `We will pay ${money} back to you ourselves, not through Razorpay. We will write to you once it is done.`,
  paid_back: (money) => `We have paid ${money} back to you.`,
  not_made: (money) =>
    `The refund of ${money} did not go through. Please write to us if you expect it.`,
  taken_back: (money) => `Your bank has returned ${money} to you, so we send nothing more.`,
});

/** For customers; `money` as `refundedMoney` words it. "Processed" means sent, not arrived. */
export function refundWords(state: CustomerRefundState, money: string): string {
  return refundSays(state)?.(money) ?? unknownCode(state);
}

export function refundLine(
  refund: Pick<Refund, "state" | "way" | "reason" | "amountPaise" | "isOther">,
): string {
  const amount = formatRupees(refund.amountPaise);
  const money = refund.isOther
    ? `your other payment of ${amount}, which we did not take,`
    : refundedMoney(refund.reason, amount);
  return refundWords(customerRefundState(refund), money);
}

/** Of a payment that may still come; `amount` as text. */
export function underWayWords(amount: string): string {
  return `A payment of ${amount} is still being checked.`;
}

/** The same for whom its booking is cancelled. */
export function goesBackWords(paise: number): string {
  return `${underWayWords(formatRupees(paise))} If it arrives, all of it goes back and we write to you.`;
}

/** Why a cancellation keeps money; `isRest`: some of it went back all the same. */
export function tooLateToRefund(isRest: boolean): string {
  const refund = isRest ? "further refund" : "refund";
  return `There is no ${refund}, because the session was cancelled after the refund deadline.`;
}

/** The reason that staff gave, as a sentence. */
export function reasonWords(reason: string | null | undefined): string | null {
  return reason ? `Reason: ${reason}${/[.!?…।]$/u.test(reason) ? "" : "."}` : null;
}

/**
 * What a cancellation promises. `amount` is text; `whole`: everything that was paid; `byHand`: it was
 * paid outside the payment provider.
 */
export function refundPromise(
  amount: string,
  { whole, byHand }: { whole: boolean; byHand: boolean },
): string {
  const goes = whole ? `${amount} goes back to you in full` : `${amount} goes back to you`;
  if (byHand) {
    return `${goes}. We pay it back ourselves, not through Razorpay, and write to you once it is done.`;
  }
  return `${goes}, the way you paid. Once sent, it usually shows in your account in 5 to 7 working days.`;
}

const methodWords = lookUp({
  upi: "UPI",
  netbanking: "net banking",
  emi: "EMI",
  cardless_emi: "cardless EMI",
  paylater: "pay later",
  bank_transfer: "bank transfer",
  by_hand: "by hand",
});

/** How it was paid, within a sentence; any other word stays as it is. */
export function paymentMethodWords(method: string): string {
  return methodWords(method) ?? method;
}

/** The same in a column or a list. */
export function paymentMethodLabel(method: string): string {
  const words = paymentMethodWords(method);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const channelWords = wording({ email: "Email", whatsapp: "WhatsApp" });

export type Offline = keyof typeof OFFLINE_WORDS;

const OFFLINE = "You are offline. What you typed stays here until the network is back.";

/** Shown where the visitor clicked. */
export const OFFLINE_WORDS = {
  offline: OFFLINE,
  waiting: `${OFFLINE} Your booking goes on by itself then.`,
  unanswered:
    "Our server does not answer right now. Nothing is lost: your booking goes on by itself once it does.",
};
