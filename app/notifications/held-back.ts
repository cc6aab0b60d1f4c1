/**
 * Which messages are due and still not sent. Anybody can make a booking and not pay it, with the
 * address and phone number of somebody else. Pure.
 */
import { type Appointment, wasPaid } from "#app/model/appointment.ts";
import type { Channel, Message, MessageKind } from "#app/model/messages.ts";

/** How many mails anybody can cause by typing an address, within HELD_BACK_WINDOW. */
const MOST_IN_WINDOW: ReadonlyMap<MessageKind, number> = new Map([
  ["booking_unpaid", 1],
  ["booking_links", 3],
]);

export interface Occasion {
  kind: MessageKind;
  channel: Channel;
  /** It is about a booking that was never paid. */
  unpaid: boolean;
  /** The booking's own page caused it. */
  bySelfService: boolean;
  /** The number asked for no more messages. */
  optedOut: boolean;
  /** Mails of this kind that the address got within the window, or is about to get. */
  recent: number;
}

/** Why a message is kept and not sent, as the admin reads it; null if it may go. */
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
 * Staff send a message again on purpose: only WhatsApp waits until the booking is paid, and never goes
 * to a number that asked for no more.
 */
export function whyNotSentAgain(
  { kind, channel }: Pick<Message, "kind" | "channel">,
  appointment: Appointment | null,
  optedOut: boolean,
): string | null {
  const unpaid = appointment !== null && !wasPaid(appointment);
  return whyHeldBack({ kind, channel, unpaid, bySelfService: false, optedOut, recent: 0 });
}
