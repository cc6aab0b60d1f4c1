/** Whether a message may be sent: it is still true, not held back, and its address is valid. Pure. */
import { mailboxOf } from "#app/core/env-fields.ts";
import { type Appointment, isHeld, isPaid, wasPaid } from "#app/model/appointment.ts";
import {
  type Channel,
  isMessageKind,
  type MessageData,
  type MessageKind,
  MOST_MAILS,
} from "#app/model/messages.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { statusLabel } from "#app/model/wording.ts";

interface Due {
  kind: MessageKind;
  channel: Channel;
  data: MessageData;
  notAfter: number | null;
  appointmentId: string | null;
}

/**
 * Why a message must not be sent, to complete "Not sent: …"; null if it may. `appointment` is its
 * present state, null if it was deleted or there is none.
 */
export function whyNotSent(
  message: Due,
  appointment: Appointment | null,
  now: number,
): string | null {
  if (!isMessageKind(message.kind)) return "its kind is not known.";
  if (message.notAfter !== null && now > message.notAfter) return "its moment has passed.";
  if (holdsCode(message.kind) && !message.data.code) return "its code is no longer kept.";
  if (message.appointmentId === null) return null;
  if (appointment === null) {
    // The admin is notified about money even if its booking was deleted.
    const isAboutMoney = message.kind.startsWith("admin_") && message.kind !== "admin_help";
    return isAboutMoney ? null : "the appointment was deleted.";
  }
  for (const contradiction of contradictionsOf(message.kind) ?? []) {
    const reason = contradiction(message, appointment, now);
    if (reason !== null) return reason;
  }
  return null;
}

/** True for a message with a secret code, which is sent only once. */
export function holdsCode(kind: MessageKind): boolean {
  return kind === "rating_request" || kind === "reset_code" || kind === "team_invitation";
}

type Contradiction = (message: Due, appointment: Appointment, now: number) => string | null;

const statusNow = ({ status }: Appointment) =>
  `the appointment is now: ${statusLabel(status).toLowerCase()}.`;
const notPaid: Contradiction = (_, appointment) =>
  isPaid(appointment) ? null : statusNow(appointment);
const notPending: Contradiction = (_, appointment) =>
  appointment.status === "pending_payment" ? null : statusNow(appointment);
const notCancelled: Contradiction = (_, appointment) =>
  appointment.status === "cancelled" ? null : statusNow(appointment);
const cancelled: Contradiction = (_, { status }) =>
  status === "cancelled" ? "the session was cancelled since." : null;
/** WhatsApp's text is approved word for word and says that nothing changes; the mail says what is so. */
const cancelledInWhatsApp: Contradiction = (message, ...rest) =>
  message.channel === "whatsapp" ? cancelled(message, ...rest) : null;
/** Nor can it say that the session is over. */
const overInWhatsApp: Contradiction = (message, ...rest) =>
  message.channel === "whatsapp" ? over(message, ...rest) : null;
const movedAgain: Contradiction = ({ data }, { calendarSequence, startsAt }) =>
  data.sequence === calendarSequence && data.startsAt === startsAt
    ? null
    : "the session was changed again since.";
/** For a session from another captain, which may have been passed on since. */
const passedOn: Contradiction = (message, ...rest) =>
  message.data.sequence === undefined ? null : movedAgain(message, ...rest);
const atOtherTime: Contradiction = ({ data }, { startsAt }) =>
  data.startsAt === startsAt ? null : "the session was moved since.";
const notCompleted: Contradiction = (_, { attendance }) =>
  attendance === "completed" ? null : "the session is no longer noted as completed.";
const begun: Contradiction = (_, { startsAt }, now) =>
  now >= startsAt ? "the session has already begun." : null;
/** A link, or a mail about a new session, is of use until the end: who pays late gets no other. */
const over: Contradiction = (_, { endsAt }, now) => (now >= endsAt ? "the session is over." : null);
const notHeld: Contradiction = (_, appointment, now) =>
  isHeld(appointment, now) ? null : "the time to pay has ended.";
const heldAgain: Contradiction = (_, appointment, now) =>
  isHeld(appointment, now) ? "the time is kept again while the customer pays." : null;

/** What makes a queued message untrue, checked in this order. Kinds that are not listed stay true. */
const contradictionsOf = lookUp<string, readonly Contradiction[]>({
  booking_confirmed: [notPaid, overInWhatsApp],
  booking_rescheduled: [cancelled, movedAgain, begun],
  booking_cancelled: [notCancelled],
  payment_refunded: [cancelledInWhatsApp, overInWhatsApp],
  late_payment_refunded: [notCancelled],
  joining_changed: [notPaid, movedAgain, over],
  payment_link: [notPending, notHeld],
  guardian_asked: [notPaid, begun],
  booking_unpaid: [notPending, heldAgain, begun],
  reminder_24h: [notPaid, atOtherTime, begun],
  reminder_1h: [notPaid, atOtherTime, begun],
  rating_request: [notCompleted],
  help_customer: [notPaid, atOtherTime],
  help_counselor: [notPaid, atOtherTime],
  admin_help: [notPaid, atOtherTime],
  counselor_new: [notPaid, passedOn, over],
  counselor_corrected: [notPaid, begun],
  counselor_joining_changed: [notPaid, movedAgain, over],
  counselor_moved: [notPaid, movedAgain, begun],
  counselor_cancelled: [notCancelled],
  counselor_reminder: [notPaid, atOtherTime, begun],
});

// Anybody can make an unpaid booking with somebody else's address and phone number, so some
// messages are held back.

export interface Occasion {
  kind: MessageKind;
  channel: Channel;
  /** About a booking that was never paid. */
  unpaid: boolean;
  /** Caused on the booking's own page. */
  bySelfService: boolean;
  optedOut: boolean;
  /** Mails of this kind that were sent to the address within the window, or are queued. */
  recent: number;
}

/** Why a message is held back, in the admin's words; null if it may be sent. */
export function whyHeldBack(occasion: Occasion): string | null {
  const { kind, channel, unpaid, bySelfService, optedOut, recent } = occasion;
  if (optedOut) return "Held back: the customer wants no WhatsApp messages.";
  // Staff send payment links to people whom they have talked to.
  if (unpaid && channel === "whatsapp" && kind !== "payment_link") {
    return "Held back: no WhatsApp message goes out about a booking that is not paid.";
  }
  if (unpaid && bySelfService) {
    return "Held back: the booking is not paid, and it was changed on its own page.";
  }
  const most = MOST_MAILS.get(kind);
  if (most === undefined || recent < most) return null;
  return `Held back: this address got ${most} such mail${most === 1 ? "" : "s"} within 24 hours.`;
}

/**
 * Like `whyHeldBack`, for a message that staff resend: only WhatsApp is held back, while the booking
 * is unpaid, or if the number or the booking's customer has opted out.
 */
export function whyNotSentAgain(
  { kind, channel }: Pick<Due, "kind" | "channel">,
  appointment: Appointment | null,
  optedOut: boolean,
): string | null {
  const unpaid = appointment !== null && !wasPaid(appointment);
  const refused = channel === "whatsapp" && appointment?.whatsapp === false;
  const about = { kind, channel, unpaid, bySelfService: false, recent: 0 };
  return whyHeldBack({ ...about, optedOut: optedOut || refused });
}

/** Razorpay's placeholder for a payment without an address. */
const NOBODY = "void@razorpay.com";

/** True for a single plain address: no display name, whitespace or control characters. */
export function isMailAddress(text: string): boolean {
  return (
    /^[^\s\p{Cc}@<>,;:"\\]+@[^\s\p{Cc}@<>,;:"\\]+$/u.test(text) && text.toLowerCase() !== NOBODY
  );
}

/** True for a phone number with its country code; without one it could be a stranger's. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(text);
}

/** Reads MAIL_FROM. */
export function parseMailbox(text: string, fallbackName: string) {
  const { name, address } = mailboxOf(text) ?? { name: "", address: text.trim() };
  return { name: name || fallbackName, address };
}
