/** The mails to the business address: what needs a look, and where. No customer's name. */

import { formatInstant } from "#app/model/dates.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageKind, OwnerAlert } from "#app/model/messages.ts";
import { formatAmount } from "#app/model/money.ts";
import { sumsFacts } from "#app/model/refund.ts";
import { refundStateWords } from "#app/model/wording.ts";
import { type AdminDraft, amountOf, MONEY } from "./admin-money.ts";
import {
  button,
  type Fact,
  type MailContent,
  mailOf,
  type Part,
  type TemplateContext,
} from "./content.ts";
import { sessionOf } from "./pass.ts";

const ALERTS: Record<OwnerAlert, { title: string; sentences: readonly string[] }> = {
  sign_in_closed: {
    title: "Signing in was closed after wrong passwords",
    sentences: [
      "Somebody typed wrong passwords for the admin area, so often that signing in is closed for a while. None of them was right.",
      "You may be refused too, in a browser that is new to your account. A browser you have signed in with before still works; else whoever runs the service can let you in with “npm run admin:create”.",
      "It opens again by itself, within a day at the latest. A long password that you use nowhere else, and a second factor on your account page, make further tries useless.",
    ],
  },
  reset_flood: {
    title: "Many codes for a new password were asked for",
    sentences: [
      "Somebody keeps asking for codes for a new admin password, so for a while no more of them are sent. Without reading your mail nobody can use a code, and your password stays as it is.",
      "Do you need a new password yourself just now? A code asked for in the last ten minutes still holds. A browser you have signed in with before gets codes of its own; else whoever runs the service can set a new password with “npm run admin:create”.",
      "If you did not ask, there is nothing to do. Tell nobody a code.",
    ],
  },
  hold_surge: {
    title: "Unusually many unpaid bookings",
    sentences: [
      "Unpaid bookings from several networks hold more than a third of a captain's times of the next seven days. They may be made up to keep customers away.",
      "While it lasts, a new unpaid booking keeps its time for a shorter while, and one network can hold only a few times. Paid sessions stay as they are, and whoever has paid before books as ever.",
      "Every unpaid time is free again when its hold ends. Under “Needs you” the admin area names the captain and leads to the list, where you can cancel what is plainly made up.",
    ],
  },
};

export const TO_ADMIN = {
  ...MONEY,
  admin_backup_failed: (context) => ({
    subject: `Backup failed on ${whenOf(context)}`,
    heading: "The backup failed",
    says: [
      "The bookings are safe, but today there is no new copy of them. Please look at the disk and the backup folder; the next try comes by itself.",
    ],
  }),
  admin_off_site_failed: (context) => ({
    subject: `No copy left the machine on ${whenOf(context)}`,
    heading: "The copy did not leave the machine",
    says: [
      "The bookings are safe, and so are the copies beside them. But were the machine lost now, what came since the last copy that left it would be lost too. Please look at the store, its key and what it charges; the next try comes by itself.",
    ],
  }),
  admin_doctor: ({ data: { findings = [] } }) =>
    findings.length === 0
      ? {
          subject: "Nothing is wrong any more",
          heading: "Nothing is wrong any more",
          says: ["The daily look at the service finds none of what you had mail about."],
        }
      : {
          subject: `Needs a look: ${[...new Set(findings.map(({ subject }) => subject))].join(", ")}`,
          heading: "Something is newly wrong",
          says: [
            "The service looks at itself and at what it depends on by schedule, and found what was not wrong before. You hear of it again only if it goes away and comes back; “npm run doctor” tells at any time.",
          ],
        },
  admin_calendar_unread: (context) => ({
    subject: `${context.data.counselor ?? "A captain"}'s calendar has not been read since ${whenOf(context)}`,
    heading: "A captain's calendar cannot be read",
    says: [
      "The busy times read before still hold, but newer ones are not known: a session can be booked where the captain is busy. Please look at the calendar's address on the captain's schedule page.",
    ],
  }),
  admin_whatsapp_trouble: (context) => ({
    subject: `WhatsApp has not delivered since ${whenOf(context)}`,
    heading: "WhatsApp messages do not get through",
    says: [
      "Customers still get every message by email. Please look at the WhatsApp account, its token, billing and templates. Messages that wait are sent as soon as it works again.",
    ],
  }),
  admin_alert: (context) => {
    const { title, sentences } = ALERTS[context.data.alert ?? "sign_in_closed"];
    return { subject: `${title} on ${whenOf(context)}`, heading: title, says: sentences };
  },
} as const satisfies Partial<Record<MessageKind, (context: TemplateContext) => AdminDraft>>;

type AdminKind = keyof typeof TO_ADMIN;

export function adminMail(kind: AdminKind, context: TemplateContext): MailContent {
  const { appointment, site } = context;
  const { subject, heading, says } = TO_ADMIN[kind](context);
  const begins = appointment ? `Booking ${shortId(appointment.id)} – ` : "";
  const query = appointment ? `?q=${shortId(appointment.id)}` : "";
  const label = appointment ? "Open the booking" : "Open the admin area";
  return mailOf(site, "admin", {
    subject: `${begins}${subject}`,
    heading,
    preview: says[0] ?? heading,
    says: [says, detailsOf(kind, context), button(label, `${site.publicUrl}/admin${query}`)],
  });
}

function detailsOf(kind: AdminKind, context: TemplateContext): Part {
  if (kind === "admin_alert") return null;
  if (kind !== "admin_doctor") return { type: "facts", facts: factsOf(context) };
  const { findings = [] } = context.data;
  const items = findings.map(({ subject, says, mend }) => `${subject}: ${says}. ${mend}`);
  return items.length > 0 && { type: "list", items };
}

function whenOf({ data, now }: TemplateContext): string {
  return formatInstant(data.at ?? now);
}

function factsOf(context: TemplateContext): Fact[] {
  const { data, appointment, refund, sums } = context;
  const { paymentId, disputeId, key, error, amountPaise } = data;
  const facts = (rows: Record<string, string | null | undefined>): Fact[] =>
    Object.entries(rows).flatMap(([label, value]) => (value ? [{ label, value }] : []));
  return [
    ...facts({
      Amount: amountPaise === undefined ? null : amountOf(context),
      Payment: paymentId,
      Dispute: disputeId,
      Reference: key,
      "This refund":
        refund && `${formatAmount(refund.amountPaise)}. ${refundStateWords(refund.state)}`,
    }),
    ...(refund && sums ? sumsFacts(sums, formatAmount) : []),
    ...facts({
      Booking: appointment && shortId(appointment.id),
      Session: appointment && sessionOf(appointment),
      Captain: appointment?.counselor,
      Error: error,
    }),
  ];
}
