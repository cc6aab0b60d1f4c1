/** Texts that only admins read. */
import type { RestoredCopy } from "#app/documents/issue.server.ts";
import { adminDate, adminInstant } from "#app/model/dates.ts";
import { type Dispute, isUndecided } from "#app/model/dispute.ts";
import { CURRENCY, formatAmount, formatMoney } from "#app/model/money.ts";
import type { RefundState } from "#app/model/refund.ts";
import type { MessageState, PaymentOutcome } from "#app/model/statuses.ts";
import { wording } from "#app/model/unknown-code.ts";
import { refundStateWords } from "#app/model/wording.ts";
import type { Payment } from "#db/queries/payments.server.ts";
import type { SessionView } from "./views.server.ts";

export const EXPORT_FAILED = "Failed to export appointments data.";

export const STAFF_NOTE = "Staff note, never shown to the customer";

export const paymentWords = wording<PaymentOutcome>({
  authorized: "Not captured yet",
  failed: "Failed, no money taken",
  applied: "Paid",
  assigned: "Paid (assigned by an admin)",
  second: "Second payment, sent back",
  wrong_amount: "Wrong amount, sent back",
  time_gone: "Too late, its time was taken; sent back",
  booking_cancelled: "For a cancelled booking, sent back",
  session_begun: "After the session had begun, sent back",
  unmatched: "Belongs to no booking",
  returned: "Gone back in full",
});

/** When money was paid, as in the books; of money outside the provider only the day is known. */
export function paidWhen({
  receivedOn,
  paidAt,
  capturedAt,
  createdAt,
}: Pick<Payment, "receivedOn" | "paidAt" | "capturedAt" | "createdAt">): string {
  if (receivedOn !== null) return adminDate(receivedOn);
  return adminInstant(paidAt ?? capturedAt ?? createdAt);
}

/** A warning before money goes back; null unless a dispute is undecided. */
export function refundWarning(disputes: readonly Dispute[], currency: string = CURRENCY) {
  const undecided = disputes.filter(isUndecided);
  if (undecided.length === 0) return null;
  const amountPaise = undecided.reduce((all, one) => all + one.amountPaise, 0);
  const sum = formatMoney({ amountPaise, currency }, formatAmount);
  return `The customer's bank disputes ${sum} of this payment. If the dispute is lost, what you refund now goes back twice. Please answer it in Razorpay's dashboard, and mention the refund there.`;
}

export const messageStateWords = wording<MessageState>({
  queued: "Queued",
  retrying: "Trying again",
  sent: "Sent",
  delivered: "Delivered",
  read: "Read",
  failed: "Failed",
  held_back: "Held back",
});

/** Null if the refund is to be sent; else the notice that there was nothing to try again. */
export function nothingSent({ state }: { state: RefundState }) {
  if (state === "wanted") return null;
  return { title: "Nothing Sent Again", description: `${refundStateWords(state)}.` };
}

/** What is said of a message that was to be sent again: it may have been sent or given up meanwhile. */
export function resentWords({ state }: { state: MessageState }) {
  if (state !== "queued") {
    return { title: "Nothing Sent Again", description: `${messageStateWords(state)}.` };
  }
  const description =
    "It is sent again in a moment, unless it is no longer true by then; this page will say so.";
  return { title: "Message Queued", description };
}

/** The element's id on the documents page. */
export const RESTORED_ID = "restored";

export function numbersWords({ takenAt, last }: Pick<RestoredCopy, "takenAt" | "last">): string {
  const known =
    last.length > 0 ? `numbers after ${last.join(" and ")}` : "invoices and credit notes";
  return `After the copy of ${adminInstant(takenAt)}, ${known} may have gone out`;
}

/** `AC/26-27/00001` ↔ `AC-26-27-00001`: not every proxy handles an encoded slash in a path. */
export function documentSlug(number: string): string {
  return number.replaceAll("/", "-");
}

export function documentNumber(slug: string): string {
  return slug.replace(/^(.+)-(\d\d-\d\d)-(\d+)$/, "$1/$2/$3");
}

/** Of a customer whose data is erased or deleted. */
export const NOT_TOLD = "the customer cannot be notified";

/** About a refund of money paid outside the payment provider, to who may make it or to others. */
export function byHandWords(mayRefund: boolean, { erased }: Pick<SessionView, "erased">): string {
  const who = mayRefund
    ? "you pay it back by hand, and then mark it here as paid back"
    : "an owner pays it back by hand, and marks it as paid back";
  const then = erased
    ? `; ${NOT_TOLD}.`
    : ": only then the customer gets the email with the credit note.";
  return `It was paid outside the payment provider, so ${who}${then}`;
}
