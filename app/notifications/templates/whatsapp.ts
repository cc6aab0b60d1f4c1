/**
 * The WhatsApp templates, as the owner registers them with Meta (category utility, language of
 * WHATSAPP_LANGUAGE, name = WHATSAPP_TEMPLATE_PREFIX + kind), and what fills their places.
 * Meta refuses a text that begins or ends with a place, and a parameter with a newline, a tab or
 * more than four blanks in a row.
 */

import { BRAND } from "#app/catalogue.ts";
import { formatSession } from "#app/model/dates.ts";
import type { WhatsAppKind } from "#app/model/messages.ts";
import { formatRupees } from "#app/model/money.ts";
import { CANCEL_REASONS, customerStatusLabel } from "#app/model/wording.ts";
import { type AppointmentContext, bookingUrl } from "./context.ts";
import { joinSentence, refundSentence, sessionOf } from "./pass.ts";

interface WhatsAppTemplate {
  /** The body to register; {{1}}, {{2}} … are the places. */
  body: string;
  parameters: (context: AppointmentContext) => string[];
}

const END = "\n\nReply STOP for no more messages here.";

export const WHATSAPP_TEMPLATES: Readonly<Record<WhatsAppKind, WhatsAppTemplate>> = {
  booking_confirmed: {
    body: `Hello {{1}}, your session with {{2}} is confirmed: {{3}}. {{4}} Your booking and invoice: {{5}} – ${BRAND.name}${END}`,
    parameters: aboutSession,
  },
  booking_rescheduled: {
    body: `Hello {{1}}, your session with {{2}} has moved from {{3}} to {{4}}. {{5}} Your booking: {{6}} – ${BRAND.name}${END}`,
    parameters: (c) => [
      ...who(c),
      c.data.previousDate && c.data.previousTimeSlot
        ? formatSession(c.data.previousDate, c.data.previousTimeSlot)
        : "its old time",
      sessionOf(c.appointment),
      joinSentence(c.appointment),
      link(c),
    ],
  },
  booking_cancelled: {
    body: `Hello {{1}}, your session with {{2}} on {{3}} is cancelled. {{4}} Your booking: {{5}} – ${BRAND.name}${END}`,
    parameters: (c) => [
      ...who(c),
      sessionOf(c.appointment),
      refundSentence(c) ?? "Your booking page shows the payment.",
      link(c),
    ],
  },
  reminder_24h: {
    body: `Hello {{1}}, a reminder of your session with {{2}}: {{3}}. {{4}} Your booking: {{5}} – ${BRAND.name}${END}`,
    parameters: aboutSession,
  },
  reminder_1h: {
    body: `Hello {{1}}, your session with {{2}} starts soon: {{3}}. {{4}} Your booking: {{5}} – ${BRAND.name}${END}`,
    parameters: aboutSession,
  },
  payment_refunded: {
    body: `Hello {{1}}, we are sending back your payment of {{2}}, because it was a second one or not the right amount. {{3}} {{4}} Your booking: {{5}} – ${BRAND.name}${END}`,
    parameters: (c) => [
      c.appointment.contact.name,
      formatRupees(c.data.amountPaise ?? c.appointment.price.totalPaise),
      refundSentence({ ...c, data: { ...c.data, refundWanted: true } }) ?? "",
      `Your session: ${sessionOf(c.appointment)}, ${customerStatusLabel(c.appointment.status).toLowerCase()}.`,
      link(c),
    ],
  },
  late_payment_refunded: {
    body: `Hello {{1}}, about your session with {{2}} on {{3}}: {{4}} {{5}} Your booking: {{6}} – ${BRAND.name}${END}`,
    parameters: (c) => [
      ...who(c),
      sessionOf(c.appointment),
      CANCEL_REASONS.time_gone,
      refundSentence({ ...c, data: { ...c.data, refundWanted: true } }) ?? "",
      link(c),
    ],
  },
};

/** The longest parameter; six of them and the fixed text stay under Meta's 1024 characters. */
const LONGEST = 160;

/** The parameters of a template's places, in order and free of what Meta refuses. */
export function whatsAppParameters(kind: WhatsAppKind, context: AppointmentContext): string[] {
  return WHATSAPP_TEMPLATES[kind].parameters(context).map(cleanParameter);
}

export function isWhatsAppKind(kind: string): kind is WhatsAppKind {
  return Object.hasOwn(WHATSAPP_TEMPLATES, kind);
}

function cleanParameter(text: string): string {
  const line = text.replace(/\s+/gu, " ").trim() || "-";
  const characters = [...line];
  return characters.length <= LONGEST ? line : `${characters.slice(0, LONGEST - 1).join("")}…`;
}

function aboutSession(c: AppointmentContext): string[] {
  return [...who(c), sessionOf(c.appointment), joinSentence(c.appointment), link(c)];
}

function who({ appointment }: AppointmentContext): [string, string] {
  return [appointment.contact.name, appointment.counselor];
}

function link({ site, appointment }: AppointmentContext): string {
  return bookingUrl(site, appointment.id);
}
