/** What the booking page shows, with dates, times and amounts as text. */
import type { BookingPage, PaymentState } from "#app/booking/booking-page.server.ts";
import type { Env } from "#app/core/env.server.ts";
import { faultOf } from "#app/documents/document-facts.ts";
import { takesPlan } from "#app/model/after-session.ts";
import {
  type Appointment,
  attendeeOf,
  changeTerms,
  cutoffOf,
  isPaid,
  wasPaid,
} from "#app/model/appointment.ts";
import {
  formatClock,
  formatDay,
  formatDeadline,
  formatSession,
  formatSlot,
  MINUTE,
} from "#app/model/dates.ts";
import { isAtHand } from "#app/model/help.ts";
import { shortId } from "#app/model/ids.ts";
import { formatRupees, priceWords, rupeesOf } from "#app/model/money.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { cancelOffer, customerRefundState } from "#app/model/refund.ts";
import { placeWords } from "#app/model/room.ts";
import { cancelReasonWords, reasonWords, stampWords, statusHeading } from "#app/model/wording.ts";
import { sessionTitle } from "#app/notifications/invitation.server.ts";
import { remindersAhead } from "#app/notifications/reminder-plan.ts";
import type { PassProps, StampTone } from "#app/routes/public/parts/boarding-pass.tsx";
import { checkoutDescription } from "#app/routes/public/parts/checkout.ts";
import type { Notice } from "#app/routes/public/parts/form-problem.tsx";
import { calendarLinks, maskEmail, moneyBackView, noticeFor, paperView } from "./booking-words.ts";

/** Notices that say that the time is held, and those that ask to pay: shown only while that is so. */
const SAY_HELD: readonly (string | null)[] = ["ready", "provider_unavailable"];
const ASK_TO_PAY: readonly (string | null)[] = ["cancelled", "failed", "amount"];

export type BookingView = ReturnType<typeof bookingView>;

const FRESH_MS = 15 * MINUTE;

export function bookingView(
  page: BookingPage,
  env: Env,
  at: { now: number; reason: string | null; done: string | null },
) {
  const { appointment, payment } = page;
  const { window, status } = appointment;
  const paid = isPaid(appointment);
  const isOver = takesPlan(appointment, at.now);
  const isNow = isAtHand(appointment, at.now);
  // The checkout reported a payment that could not be read yet: nobody is asked to pay until it is
  // found or the time to pay ends.
  const waiting =
    (at.reason === "checking" || at.reason === "unverified") && payment.state === "payable";
  const state: PaymentState = waiting ? "checking" : payment.state;
  const canPay = payment.state === "payable" || payment.state === "renewable";
  // The page was opened by an old link: the hold has ended, or a payment is being checked.
  const isLate =
    (SAY_HELD.includes(at.reason) && payment.state !== "payable") ||
    (ASK_TO_PAY.includes(at.reason) && !canPay);
  const total = formatRupees(appointment.price.totalPaise);
  return {
    id: appointment.id,
    // Masked, because the whole address is the proof that is asked for before a change.
    email: maskEmail(appointment.contact.email),
    status,
    state,
    waiting,
    total,
    isOver,
    /** The session is about to begin, or has begun. */
    isNow,
    heading: isNow
      ? `Your session: ${formatSlot(appointment.timeSlot)} IST`
      : headingOf(status, state, isOver),
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
      minutes: appointment.minutes,
      packagePrice: rupeesOf(appointment.price.basePaise),
    },
    // A paid or cancelled booking's page itself says what happened.
    notice: status === "pending_payment" && !isLate ? (noticeFor(at.reason) ?? null) : null,
    // An address with it is kept and opened again later.
    done: at.now < appointment.startsAt ? doneOf(at.done, page, canPay) : null,
    cancelReason:
      status === "cancelled" ? (cancelReasonWords(appointment.cancelReason) ?? null) : null,
    cancelNote: status === "cancelled" ? reasonWords(appointment.cancelNote) : null,
    money: moneyBackView(page, appointment),
    meeting: paid ? meetingView(appointment) : null,
    calendars: calendarLinks(sessionTitle(env, appointment), appointment),
    invoice: page.documents.some(({ kind }) => kind === "invoice"),
    creditNotes: page.documents.flatMap(({ number, refundId }) =>
      refundId === null ? [] : [{ number, refundId }],
    ),
    papers: page.documents.filter((document) => faultOf(document) === null).map(paperView),
    /** The confirmation may still be on its way; later it would look like another one. */
    isFresh: at.now - page.notifiedAt < FRESH_MS,
    reminders: paid ? remindersAhead(appointment.startsAt, page.notifiedAt, at.now) : null,
    change: changeView(page, state, env, at.now),
    whatsapp: env.whatsapp !== null && appointment.whatsapp && !page.isOptedOut,
  };
}

/** What the customer can still change; null if the page shows nothing about changes. */
function changeView(
  { appointment, ...page }: BookingPage,
  state: PaymentState,
  env: Env,
  now: number,
) {
  const { startsAt } = appointment;
  const isOpen = page.selfServiceUntil !== null;
  const isShown = isOpen || state === "paid" || state === "payable" || state === "renewable";
  if (!isShown || startsAt <= now) return null;
  const cutoffHours = cutoffOf(appointment, env.selfServiceCutoffHours);
  const terms = { startsAt, now, cutoffHours, cancelOffer: cancelOffer(page.sums) };
  return { isOpen, mayMove: page.mayMove, terms: { ...terms, words: changeTerms(terms) } };
}

function headingOf(status: Appointment["status"], state: PaymentState, isOver: boolean) {
  return isOver ? "This session is over" : (statusHeading(status) ?? unpaidHeading(state));
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
    name: attendeeOf(appointment),
    captain: appointment.counselor,
    date: formatDay(appointment.date),
    starts: formatSlot(appointment.timeSlot),
    ends: formatClock(appointment.endsAt),
    startsAt: appointment.startsAt,
    duration: `${appointment.minutes} minutes`,
    place: status === "cancelled" ? "None" : placeWords(appointment.meeting),
    shortId: shortId(appointment.id),
    stamp: {
      text: stampWords({
        status,
        refund: cancellationRefund && customerRefundState(cancellationRefund),
        heldUntil,
        now,
        isChecking,
        isOver,
      }),
      tone: isOver ? "plain" : toneOf(status, isChecking || heldUntil !== null),
    },
    price: {
      ...priceWords(appointment.price),
      totalLabel: isPaid({ status }) ? "Paid" : "Total",
    },
  };
}

function meetingView(appointment: Appointment) {
  const { meeting } = appointment;
  return meeting.kind !== "call"
    ? meeting
    : { ...meeting, phone: readablePhone(appointment.contact.phone) };
}

function toneOf(status: Appointment["status"], isWaiting: boolean): StampTone {
  if (isPaid({ status })) return "go";
  if (status === "cancelled") return "stop";
  return isWaiting ? "waiting" : "plain";
}

/** The address of the provider's hosted checkout, opened by posting a form. */
export function hostedPage({ razorpay }: Pick<Env, "razorpay">): string {
  return `${razorpay.apiUrl}/v1/checkout/embedded`;
}

/** The form that opens the hosted checkout, for browsers without scripts. */
function hostedForm({ appointment, payment }: BookingPage, env: Env) {
  const { state } = payment;
  if ((state !== "payable" && state !== "renewable") || !payment.order?.orderId) return null;
  const { orderId, amountPaise, currency } = payment.order;
  const page = `${env.publicUrl}/booking/${appointment.id}`;
  return {
    // If the hold has ended, `/pay` first holds the time again.
    action: state === "payable" ? hostedPage(env) : `${page}/pay?order=${orderId}`,
    fields: {
      key_id: env.razorpay.keyId,
      order_id: orderId,
      amount: String(amountPaise),
      currency,
      name: env.brand.name,
      description: checkoutDescription(appointment),
      "prefill[name]": appointment.contact.name,
      "prefill[email]": appointment.contact.email,
      "prefill[contact]": appointment.contact.phone,
      callback_url: `${env.publicUrl}/payments/callback?booking=${appointment.id}`,
      cancel_url: `${page}?payment=cancelled`,
    },
  };
}

/** What the customer has just done; null if the code is unknown or the booking's state contradicts it. */
function doneOf(
  code: string | null,
  { appointment, underWayPaise }: BookingPage,
  canPay: boolean,
): Notice | null {
  const { status } = appointment;
  if (code === "cancelled" && status === "cancelled") {
    const unpaid = underWayPaise > 0 ? "The" : "You had not paid, and the";
    const text = wasPaid(appointment)
      ? "We have sent you an email about it."
      : `${unpaid} time is free again.`;
    return { title: "Cancelled", text };
  }
  if (code === "answered" && isPaid(appointment)) {
    const text = "The captain reads your answers. You can change them until the session begins.";
    return { title: "Saved", text };
  }
  const isMoved = status === "rescheduled" || (status === "pending_payment" && canPay);
  if (code !== "moved" || !isMoved) return null;
  return {
    title: `Moved to ${formatSession(appointment.date, appointment.timeSlot)}`,
    text:
      status === "rescheduled"
        ? "We have sent an email to you and to the captain. Yours updates the entry in your calendar."
        : "Please pay to confirm it.",
  };
}
