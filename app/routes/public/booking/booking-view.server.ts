/** A booking as its own page shows it: every date, time and amount already worded. */

import type { BookingPage, PaymentState } from "#app/booking/booking-page.server.ts";
import { BRAND } from "#app/catalogue.ts";
import type { Env } from "#app/core/env.server.ts";
import { documentFacts, faultOf } from "#app/documents/document-facts.ts";
import { type Appointment, isPaid, wasPaid } from "#app/model/appointment.ts";
import { gateWords } from "#app/model/catalogue.ts";
import {
  formatClock,
  formatDay,
  formatDeadline,
  formatInstant,
  formatSession,
  formatSlot,
} from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import { formatAmount, formatRupees, priceWords, rupeesOf } from "#app/model/money.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { cancelOffer, toldState } from "#app/model/refund.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { cancelReasonWords, stampWords, statusHeading } from "#app/model/wording.ts";
import { sessionTitle } from "#app/notifications/invitation.server.ts";
import type { DoneView } from "#app/routes/public/booking/change/done-notice.tsx";
import { calendarLinks } from "#app/routes/public/booking/status/calendar-links.ts";
import type { PassProps, StampTone } from "#app/routes/public/parts/boarding-pass.tsx";
import { checkoutDescription } from "#app/routes/public/parts/checkout.ts";
import { maskEmail } from "#app/routes/public/parts/mask-email.ts";
import { moneyBackView } from "#app/routes/public/parts/money-back.server.ts";
import { durationWords } from "#app/routes/public/parts/offer.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";

/** While money is on its way the page looks again after so many seconds. */
const REFRESH_SECONDS = 4;

export function bookingView(
  page: BookingPage,
  env: Env,
  at: { now: number; reason: string | null; done: string | null },
) {
  const { appointment, payment } = page;
  const { window } = appointment;
  const paid = isPaid(appointment);
  const isOver = paid && appointment.endsAt <= at.now;
  // A signed answer came back that nobody could look into: until its payment shows up, or the time
  // to pay ends, nobody is asked to pay.
  const waiting =
    (at.reason === "checking" || at.reason === "unverified") && payment.state === "payable";
  const state: PaymentState = waiting ? "checking" : payment.state;
  const total = formatRupees(appointment.price.totalPaise);
  return {
    id: appointment.id,
    // Whoever sees the page could otherwise type the address that changing the booking asks for.
    email: maskEmail(appointment.contact.email),
    status: appointment.status,
    state,
    waiting,
    total,
    isOver,
    heading: isOver
      ? "This session is over"
      : (statusHeading(appointment.status) ?? unpaidHeading(state)),
    pass: passOf(page, state, isOver, at.now),
    hosted: hostedForm(page, env),
    checkoutUrl: env.razorpay.checkoutUrl,
    payBefore: window?.payBefore ?? null,
    payBeforeWords: window && formatDeadline(window.payBefore, at.now),
    now: at.now,
    lookedAt: formatClock(at.now, "seconds"),
    session: {
      id: appointment.id,
      counselor: appointment.counselor,
      date: appointment.date,
      timeSlot: appointment.timeSlot,
      packagePrice: rupeesOf(appointment.price.basePaise),
    },
    refreshSeconds: state === "checking" ? REFRESH_SECONDS : null,
    // A booking that ended meanwhile says itself what became of it and of its money.
    notice: appointment.status === "pending_payment" ? (noticeFor(at.reason) ?? null) : null,
    done: doneOf(at.done, appointment),
    cancelReason:
      appointment.status === "cancelled"
        ? (cancelReasonWords(appointment.cancelReason) ?? null)
        : null,
    cancelNote: appointment.status === "cancelled" ? appointment.cancelNote : null,
    money: moneyBackView(page.refunds, page.sums),
    meeting: paid ? meetingView(appointment) : null,
    calendars: calendarLinks({ title: sessionTitle(appointment), ...appointment }),
    invoice: appointment.invoiceNumber !== null,
    creditNotes: page.documents.flatMap(({ number, refundId }) =>
      refundId === null ? [] : [{ number, refundId }],
    ),
    papers: page.documents.filter((document) => faultOf(document) === null).map(paperView),
    change: (paid && appointment.startsAt > at.now) || page.selfServiceUntil !== null,
    changeUntil: page.selfServiceUntil === null ? null : formatInstant(page.selfServiceUntil),
    cancelOffer: cancelOffer(page.sums),
    cutoffHours: env.selfServiceCutoffHours,
    whatsapp: env.whatsapp !== null,
  };
}

/** The facts of the PDF, for who cannot read a PDF. */
function paperView(document: PrintableDocument) {
  const facts = documentFacts(document);
  const { supplier } = facts;
  const said: [string, string | null][] = [
    ["Number", document.number],
    ["Date", facts.date],
    ["Issued by", inOneLine(supplier.name, supplier.address)],
    ["GSTIN of the issuer", supplier.gstin || null],
    [facts.partyLabel, inOneLine(document.customerName, document.customerAddress ?? "")],
    ["GSTIN", document.customerGstin],
    ["Place of supply", facts.placeOfSupply],
    ["Reverse charge", "No"],
    ["For", inOneLine(document.description)],
    ["SAC", document.sac],
    ...[...facts.amounts, facts.total].map(([label, paise]): [string, string] => [
      label,
      formatAmount(paise),
    ]),
    facts.paid,
    ["Original", facts.corrects],
  ];
  return {
    title: `${facts.name} ${document.number}`,
    said: said.filter((line): line is [string, string] => line[1] !== null),
  };
}

function inOneLine(...texts: string[]): string {
  const lines = texts.flatMap((text) => text.split("\n").map((line) => line.trim()));
  return lines.filter(Boolean).join(", ");
}

function unpaidHeading(state: PaymentState) {
  if (state === "checking") return "Your payment is being checked";
  if (state === "payable") return "Pay to confirm your session";
  if (state === "renewable") return "The time to pay has ended";
  return "This booking was not paid";
}

function passOf(
  { appointment, cancellationRefund }: BookingPage,
  state: PaymentState,
  isOver: boolean,
  now: number,
): PassProps {
  const { status, window } = appointment;
  const heldUntil = state === "payable" && window !== null ? window.payBefore : null;
  const isChecking = state === "checking";
  return {
    title: "Session pass",
    traveller: appointment.contact.name,
    captain: appointment.counselor,
    date: formatDay(appointment.date),
    departs: formatSlot(appointment.timeSlot),
    lands: formatClock(appointment.endsAt),
    start: { date: appointment.date, timeSlot: appointment.timeSlot },
    duration: durationWords(appointment.minutes),
    gate: status === "cancelled" ? "Closed" : gateWords(appointment.meeting),
    shortId: shortId(appointment.id),
    stamp: {
      text: stampWords({
        status,
        refund: cancellationRefund && toldState(cancellationRefund),
        heldUntil,
        now,
        isChecking,
        isOver,
      }),
      tone: isOver ? "plain" : toneOf(status, isChecking || heldUntil !== null),
    },
    price: {
      ...priceWords(appointment.price),
      totalLabel: isPaid(appointment) ? "Paid" : "Total",
    },
  };
}

function meetingView(appointment: Appointment) {
  const { meeting } = appointment;
  return meeting.kind === "link"
    ? meeting
    : { ...meeting, phone: readablePhone(appointment.contact.phone) };
}

function toneOf(status: Appointment["status"], isWaiting: boolean): StampTone {
  if (isPaid({ status })) return "go";
  if (status === "cancelled") return "stop";
  return isWaiting ? "waiting" : "plain";
}

/** The provider's own page, reached by a plain form: it needs no script of ours. */
function hostedForm({ appointment, payment }: BookingPage, env: Env) {
  if (payment.state !== "payable" || !payment.order?.orderId) return null;
  const { orderId, amountPaise, currency } = payment.order;
  const page = `${env.publicUrl}/booking/${appointment.id}`;
  return {
    action: `${env.razorpay.apiUrl}/v1/checkout/embedded`,
    fields: {
      key_id: env.razorpay.keyId,
      order_id: orderId,
      amount: String(amountPaise),
      currency,
      name: BRAND.name,
      description: checkoutDescription(appointment),
      "prefill[name]": appointment.contact.name,
      "prefill[email]": appointment.contact.email,
      "prefill[contact]": appointment.contact.phone,
      callback_url: `${env.publicUrl}/payments/callback?booking=${appointment.id}`,
      cancel_url: `${page}?payment=cancelled`,
    },
  };
}

/** What the customer has just done, as long as the booking still shows it. */
function doneOf(code: string | null, appointment: BookingPage["appointment"]): DoneView | null {
  const { status, date, timeSlot } = appointment;
  const session = formatSession(date, timeSlot);
  if (code === "cancelled" && status === "cancelled") {
    const text = wasPaid(appointment)
      ? "We have sent you an email about it."
      : "You had not paid, and the time is free again.";
    return { title: "Cancelled", text };
  }
  if (code !== "moved") return null;
  if (status === "rescheduled") {
    return {
      title: `Moved to ${session}`,
      text: "We have sent an email to you and to the captain. Yours updates the entry in your calendar.",
    };
  }
  if (status !== "pending_payment") return null;
  return { title: `Moved to ${session}`, text: "Please pay to confirm it." };
}

/** What the address says has just happened; anything unknown says nothing. */
const noticeFor = lookUp<string, { title: string; text: string }>({
  ready: {
    title: "One more press",
    text: "The time is kept for you. Press the pay button again, and the payment page opens.",
  },
  cancelled: {
    title: "Payment Cancelled",
    text: "Payment was cancelled. You can try again later.",
  },
  failed: {
    title: "The payment did not go through",
    text: "Your bank or app refused it, or it was interrupted. You can try again.",
  },
  unverified: {
    title: "Payment Verification Failed",
    text: "We could not verify the payment. If money has left your account, we will find it and write to you.",
  },
  amount: {
    title: "Payment Verification Failed",
    text: "The amount paid is not the price of this session. We send it back in full. Please pay again with the amount shown.",
  },
  slot_taken: {
    title: "This time is taken",
    text: "Your time to pay had ended, and the session is no longer free. Please choose another one.",
  },
  payment_window_over: {
    title: "This booking can no longer be paid",
    text: "Please book a new time.",
  },
  rate_limited: {
    title: "We cannot hold this time again yet",
    text: "Too many unpaid sessions are held from your network. Please pay for one of them, or try again later.",
  },
  provider_unavailable: {
    title: "Payment Setup Failed",
    text: "The payment provider does not answer right now. Your time is still held. Please try again in a moment.",
  },
});
