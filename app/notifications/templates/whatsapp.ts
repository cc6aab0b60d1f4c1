/**
 * The WhatsApp templates that the owner registers with Meta (`npm run doctor -- --templates` prints
 * them), the values of their placeholders, and Meta's rules for them.
 */
import { BRAND } from "#app/catalogue.ts";
import { formatDeadline } from "#app/model/dates.ts";
import type { WhatsAppKind } from "#app/model/messages.ts";
import { formatRupees } from "#app/model/money.ts";
import { shortened } from "#app/model/text.ts";
import { type AppointmentContext, bookingUrl } from "./content.ts";
import {
  hasOtherCaptain,
  joinSentence,
  promisedRefund,
  refundSentence,
  sessionAndBefore,
  sessionBefore,
  sessionOf,
} from "./pass.ts";

interface Place {
  fill: (context: AppointmentContext) => string;
  /** Registered with the placeholder, as Meta demands. */
  example: string;
  /** Characters; LONGEST by default. */
  most?: number;
}

/** Characters; keeps six values and the text below Meta's 1024. */
const LONGEST = 160;
const LONGEST_NAME = 60;
/** Includes the meeting link, which must not be cut. */
const LONGEST_JOINING = 300;

const PLACES = {
  name: {
    fill: (c) => c.appointment.contact.name,
    example: "Priya Raghunathan",
    most: LONGEST_NAME,
  },
  captain: {
    fill: (c) => c.appointment.counselor,
    example: "Capt. Asha Sample",
    most: LONGEST_NAME,
  },
  session: { fill: (c) => sessionOf(c.appointment), example: "Sat, 21 Nov 2026, 2:00 PM IST" },
  ended: { fill: sessionAndBefore, example: "Sat, 21 Nov 2026, 2:00 PM IST" },
  before: {
    fill: ({ appointment, data }) => {
      const before = sessionBefore(data) ?? "another day";
      if (before !== sessionOf(appointment)) return before;
      return hasOtherCaptain(appointment, data) ? "another captain" : "another time";
    },
    example: "Thu, 19 Nov 2026, 9:00 AM IST",
  },
  joining: {
    fill: (c) => joinSentence(c.appointment, c.data),
    example: "At 2:00 PM IST, open https://meet.example/asha on a phone or computer.",
    most: LONGEST_JOINING,
  },
  amount: {
    fill: (c) => formatRupees(c.data.amountPaise ?? c.appointment.price.totalPaise),
    example: "₹1,179",
  },
  cancelled: {
    fill: (c) => refundSentence(c) ?? "Your booking page shows what was paid.",
    example: "We have asked Razorpay to send ₹1,179 back to you.",
  },
  refund: { fill: promisedRefund, example: "We have asked Razorpay to send ₹1,179 back to you." },
  until: {
    fill: ({ appointment: { window, startsAt }, now }) =>
      formatDeadline(window?.payBefore ?? startsAt, now),
    example: "20 Nov 2026, 9:45 AM IST",
  },
  link: {
    fill: (c) => bookingUrl(c.site, c.appointment.id),
    example: "https://book.example/booking/k3v9m2xq7t4hn8wpz5c6y2rdab",
  },
} as const satisfies Record<string, Place>;

type PlaceName = keyof typeof PLACES;

/** With placeholders by name; in the registered text they are numbered. */
const TEXTS: Readonly<Record<WhatsAppKind, string>> = {
  booking_confirmed:
    "Hello {name}, your session with {captain} on {session} is confirmed. How to take part: {joining} To see your booking and invoice, open {link} on any device.",
  booking_rescheduled:
    "Hello {name}, your session with {captain} has moved from {before} to {session}. How to take part: {joining} If the new time does not suit you, write to us by email. To see what you can still change, open {link} on any device.",
  booking_cancelled:
    "Hello {name}, your session with {captain} on {ended} is cancelled. About your payment: {cancelled} To see your booking, open {link} on any device.",
  // Without a name: a visitor may have typed somebody else's number.
  payment_link:
    "Hello, we keep your session with {captain} on {session} for you. It is not paid yet: {amount}, GST included. Please start paying by {until}. To pay, open {link} on any device.",
  reminder_24h:
    "Hello {name}, we look forward to your session with {captain} on {session}. How to take part: {joining} If you cannot make it, write to us by email at once. To see your booking, open {link} on any device.",
  reminder_1h:
    "Hello {name}, your session with {captain} starts soon, on {session}. How to take part: {joining} To see your booking, open {link} on any device.",
  payment_refunded:
    "Hello {name}, we received {amount} from you, a second payment or a wrong amount, and are sending all of it back. About the refund: {refund} Nothing changes for your session on {session}. To see your booking, open {link} on any device.",
  late_payment_refunded:
    "Hello {name}, your payment for the session with {captain} on {session} arrived too late, so we are sending all of it back. About the refund: {refund} To see your booking, open {link} on any device.",
  refund_under_way:
    "Hello {name}, this is about your payment for the session with {captain} on {session}. Your refund: {refund} To see all amounts, open {link} on any device.",
};

/**
 * How long WhatsApp tries to deliver, the time-to-live of a template: 30 days, and for Utility at least
 * 30 seconds and at most 12 hours where it is set. Set for what a few hours make useless.
 */
const VALIDITY: ReadonlyMap<WhatsAppKind, string> = new Map([
  ["payment_link", "12 hours"],
  ["reminder_24h", "12 hours"],
  ["reminder_1h", "1 hour"],
]);

const endOf = (brand: string) => ` – ${brand}\n\nReply STOP for no more messages here.`;

const PLACE = /\{(\w+)\}/g;

function placesOf(kind: WhatsAppKind): Place[] {
  return [...TEXTS[kind].matchAll(PLACE)].map(([, name]) => PLACES[name as PlaceName]);
}

/** A text to register, with an example for each placeholder, and its validity period. */
export function whatsAppTemplate(
  kind: WhatsAppKind,
  brand: string = BRAND.name,
): { body: string; examples: string[]; validity: string } {
  let count = 0;
  const body = TEXTS[kind].replace(PLACE, () => {
    count += 1;
    return `{{${count}}}`;
  });
  return {
    body: `${body}${endOf(brand)}`,
    examples: placesOf(kind).map(({ example }) => example),
    validity: VALIDITY.get(kind) ?? "30 days",
  };
}

export const WHATSAPP_KINDS = Object.keys(TEXTS) as WhatsAppKind[];

/** The values of a template's placeholders in order, in a form that Meta accepts. */
export function whatsAppParameters(kind: WhatsAppKind, context: AppointmentContext): string[] {
  return placesOf(kind).map(({ fill, most }) => {
    const text = fill(context).replace(/\s+/gu, " ").trim();
    return shortened(text || "-", most ?? LONGEST);
  });
}

export function isWhatsAppKind(kind: string): kind is WhatsAppKind {
  return Object.hasOwn(TEXTS, kind);
}

// Meta's rules for the body of a template: no placeholder at either end or beside another, numbers
// from 1 without a gap, at most 1024 characters, and not "too many variables for its length", which
// means at least 2n + 1 words around n placeholders.

const MOST_CHARACTERS = 1024;
const NUMBERED_PLACE = /\{\{(\d+)\}\}/g;
const WORD = /[\p{L}\p{N}]/u;

/** The rules that a text breaks, one sentence each; empty if it can be submitted. */
export function templateFaults(body: string): string[] {
  const faults: string[] = [];
  const numbers = [...body.matchAll(NUMBERED_PLACE)].map(([, number]) => Number(number));
  const between = body.split(/\{\{\d+\}\}/);
  if (body.length > MOST_CHARACTERS)
    faults.push(`It is longer than ${MOST_CHARACTERS} characters.`);
  if (/[{}]/.test(between.join("")))
    faults.push("A place is not written as {{1}}, {{2}} and so on.");
  if (numbers.length === 0) return faults;
  if (!WORD.test(between[0] ?? "")) faults.push("It begins with a place.");
  if (!WORD.test(between.at(-1) ?? "")) faults.push("It ends with a place.");
  for (const [i, text] of between.slice(1, -1).entries()) {
    if (!WORD.test(text)) faults.push(`No word stands between places ${i + 1} and ${i + 2}.`);
  }
  if (numbers.some((number, i) => number !== i + 1)) {
    faults.push("Its places are not numbered in order.");
  }
  const words = between
    .join(" ")
    .split(/\s+/)
    .filter((part) => WORD.test(part)).length;
  const fewest = 2 * numbers.length + 1;
  if (words < fewest) {
    faults.push(`${numbers.length} places want at least ${fewest} words; it has ${words}.`);
  }
  return faults;
}

/** True for a valid registered name: prefix and kind. */
export function isTemplateName(name: string): boolean {
  return /^[a-z0-9_]{1,512}$/.test(name);
}
