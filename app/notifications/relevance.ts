/** Whether a message may be sent: still true, not held back, to an address it may go to. Pure. */
import { type Appointment, isHeld, isPaid, wasPaid } from "#app/model/appointment.ts";
import {
  type Channel,
  isMessageKind,
  type Message,
  type MessageKind,
} from "#app/model/messages.ts";
import { statusLabel } from "#app/model/wording.ts";

type Due = Pick<Message, "kind" | "data" | "notAfter" | "appointmentId">;

/**
 * Why a message must not be sent any more, as the end of "Not sent: …", or null. `now` is
 * milliseconds UTC; `appointment` is its present state, null if it was deleted or there is none.
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
    return isAboutMoney(message.kind) ? null : "the appointment was deleted.";
  }
  return contradiction(message, appointment, now);
}

/** A secret that is sent once; whoever needs one again gets a new one. */
export function holdsCode(kind: Message["kind"]): boolean {
  return kind === "reset_code" || kind === "team_invitation";
}

function isAboutMoney(kind: Message["kind"]): boolean {
  return kind.startsWith("admin_");
}

function contradiction(message: Due, appointment: Appointment, now: number): string | null {
  const { kind, data } = message;
  const status = statusLabel(appointment.status).toLowerCase();
  const unpaid = isPaid(appointment) ? null : `the appointment is now: ${status}.`;
  switch (kind) {
    case "booking_confirmed":
      return unpaid;
    case "counselor_new":
      // A session that came from another captain may have been passed on since.
      return unpaid ?? (data.sequence === undefined ? null : movedAgain(data, appointment));
    case "booking_rescheduled":
      if (appointment.status === "cancelled") return "the session was cancelled since.";
      return movedAgain(data, appointment) ?? begun(appointment, now);
    case "counselor_corrected":
      return unpaid ?? begun(appointment, now);
    case "joining_changed":
    case "counselor_joining_changed":
    case "counselor_moved":
      return unpaid ?? movedAgain(data, appointment) ?? begun(appointment, now);
    case "booking_cancelled":
    case "counselor_cancelled":
    case "late_payment_refunded":
      return appointment.status === "cancelled" ? null : `the appointment is now: ${status}.`;
    case "payment_link":
      if (appointment.status !== "pending_payment") return `the appointment is now: ${status}.`;
      return isHeld(appointment, now) ? null : "the time to pay has ended.";
    case "booking_unpaid":
      if (appointment.status !== "pending_payment") return `the appointment is now: ${status}.`;
      if (isHeld(appointment, now)) return "the time is kept again while the customer pays.";
      return begun(appointment, now);
    case "reminder_24h":
    case "reminder_1h":
    case "counselor_reminder":
      if (unpaid !== null) return unpaid;
      if (data.startsAt !== appointment.startsAt) return "the session was moved since.";
      return begun(appointment, now);
    default:
      return null;
  }
}

function movedAgain(data: Due["data"], appointment: Appointment): string | null {
  const same =
    data.sequence === appointment.calendarSequence && data.startsAt === appointment.startsAt;
  return same ? null : "the session was changed again since.";
}

function begun(appointment: Appointment, now: number): string | null {
  return now >= appointment.startsAt ? "the session has already begun." : null;
}

// Anybody can make an unpaid booking with somebody else's address and phone number, so some
// messages are held back.

/** Mails that anybody can cause by typing an address, within HELD_BACK_WINDOW. */
const MOST_IN_WINDOW: ReadonlyMap<MessageKind, number> = new Map([
  ["booking_unpaid", 1],
  ["booking_links", 3],
]);

export interface Occasion {
  kind: MessageKind;
  channel: Channel;
  /** About a booking that was never paid. */
  unpaid: boolean;
  /** Caused on the booking's own page. */
  bySelfService: boolean;
  /** The number has opted out. */
  optedOut: boolean;
  /** Mails of this kind that the address got within the window, or will get. */
  recent: number;
}

/** Why a message is held back, as the admin reads it; null if it may be sent. */
export function whyHeldBack(occasion: Occasion): string | null {
  const { kind, channel, unpaid, bySelfService, optedOut, recent } = occasion;
  if (optedOut) return "Held back: the customer wants no WhatsApp messages.";
  if (unpaid && channel === "whatsapp") {
    return "Held back: no WhatsApp message goes out about a booking that is not paid.";
  }
  if (unpaid && bySelfService) {
    return "Held back: the booking is not paid, and it was changed on its own page.";
  }
  const most = MOST_IN_WINDOW.get(kind);
  if (most === undefined || recent < most) return null;
  return `Held back: this address got ${most} such mail${most === 1 ? "" : "s"} within 24 hours.`;
}

/**
 * If staff send a message again, only WhatsApp is held back: until the booking is paid, and from a
 * number that has opted out.
 */
export function whyNotSentAgain(
  { kind, channel }: Pick<Message, "kind" | "channel">,
  appointment: Appointment | null,
  optedOut: boolean,
): string | null {
  const unpaid = appointment !== null && !wasPaid(appointment);
  return whyHeldBack({ kind, channel, unpaid, bySelfService: false, optedOut, recent: 0 });
}

/** The provider's placeholder if it collected no address. */
const NOBODY = "void@razorpay.com";

/** True for one plain address without display name, blanks or control characters. */
export function isMailAddress(text: string): boolean {
  return (
    /^[^\s\p{Cc}@<>,;:"\\]+@[^\s\p{Cc}@<>,;:"\\]+$/u.test(text) && text.toLowerCase() !== NOBODY
  );
}

/** Anything else could reach a stranger. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{7,14}$/.test(text);
}

export interface Mailbox {
  name: string;
  address: string;
}

/** `Name <a@b>` or `a@b`, the forms of MAIL_FROM. */
export function parseMailbox(text: string, fallbackName: string): Mailbox {
  const match = /^\s*"?([^"<]*?)"?\s*<([^<>]+)>\s*$/.exec(text);
  if (!match) return { name: fallbackName, address: text.trim() };
  return { name: match[1] || fallbackName, address: (match[2] ?? "").trim() };
}
