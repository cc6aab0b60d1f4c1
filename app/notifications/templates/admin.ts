/** Mails to the business address about what needs attention, without customers' names. */
import { formatClock, formatInstant } from "#app/model/dates.ts";
import type { HelpAsk } from "#app/model/help.ts";
import { shortId } from "#app/model/ids.ts";
import type { MessageKind, OwnerAlert } from "#app/model/messages.ts";
import { readablePhone } from "#app/model/phone.server.ts";
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
import { sessionOf, subjectOf } from "./pass.ts";

const ALERTS: Record<OwnerAlert, { title: string; sentences: readonly string[] }> = {
  sign_in_closed: {
    title: "Signing in was closed after wrong tries",
    sentences: [
      "Somebody tried so many wrong passwords or codes for the admin area that signing in is closed for a while. None of these tries got in. If you have a second factor, the password may be known to them: please set a new one.",
      "You may be refused too, if your browser is new to your account. A browser that you have signed in with before still works. If you have none, whoever runs the service can let you in with “npm run admin:create”.",
      "It opens again by itself within a day. A long password that you use nowhere else, and a second factor on your account page, make further tries useless.",
    ],
  },
  reset_flood: {
    title: "Many password codes were asked for",
    sentences: [
      "Somebody keeps asking for codes for a new admin password, so for a while we send no more of them. Nobody can use a code without reading your email, and your password stays as it is.",
      "Do you need a new password yourself right now? A code from the last ten minutes still works. A browser that you have signed in with before gets codes of its own. If you have none, whoever runs the service can set a new password with “npm run admin:create”.",
      "If you did not ask, there is nothing to do. Tell nobody the code.",
    ],
  },
  hold_surge: {
    title: "Unusually many unpaid bookings",
    sentences: [
      "Unpaid bookings from several networks hold more than a third of a captain's times in the next seven days. They may be fake, made to keep customers away.",
      "Until this ends, a new unpaid booking holds its time for less long, and one network can hold only a few times. Paid sessions stay as they are, and customers who have paid before book as usual.",
      "Every unpaid time is free again when its hold ends. Under “Needs you”, the admin area names the captain and links to the list, where you can cancel bookings that are plainly fake.",
    ],
  },
};

const ASKS: Record<HelpAsk, string> = { move: "Asks for a new time", refund: "Asks for a refund" };

export const TO_ADMIN = {
  ...MONEY,
  admin_backup_failed: (context) => ({
    subject: `Backup failed on ${whenOf(context)}`,
    heading: "The backup failed",
    says: "The bookings are safe, but today there is no new copy of them. Please check the disk and the backup folder. The next try is automatic.",
  }),
  admin_off_site_failed: (context) => ({
    subject: `Off-site copy failed on ${whenOf(context)}`,
    heading: "The off-site copy failed",
    says: "The bookings and the copies on the machine are safe. If the machine failed now, everything since the last off-site copy would be lost. Please check the store, its key and its bill. The next try is automatic.",
  }),
  admin_doctor: ({ data: { findings = [] } }) =>
    findings.length === 0
      ? {
          subject: "All problems are solved",
          heading: "All problems are solved",
          says: "The daily check no longer finds the problems that we wrote to you about.",
        }
      : {
          subject: `Needs a look: ${[...new Set(findings.map(({ subject }) => subject))].join(", ")}`,
          heading: findings.length === 1 ? "A new problem" : `${findings.length} new problems`,
          says: [
            `The daily check found ${findings.length === 1 ? "a new problem" : `${findings.length} new problems`}. We write about a problem once, and again only if it comes back. “npm run doctor” shows the state at any time.`,
          ],
        },
  admin_calendar_unread: (context) => ({
    subject: `${context.data.counselor ?? "A captain"}'s calendar: not read since ${whenOf(context)}`,
    heading: "A captain's calendar cannot be read",
    says: "The busy times that we know still hold, but we do not know newer ones, so a session can be booked while the captain is busy. Please check the calendar's address on the captain's schedule page.",
  }),
  admin_whatsapp_trouble: (context) => ({
    subject: `WhatsApp has not delivered since ${whenOf(context)}`,
    heading: "WhatsApp messages do not get through",
    says: "Customers still get every message by email. Please check the WhatsApp account, its token, billing and templates. What waits is sent as soon as it works again. What WhatsApp refused stands under “Needs you”, to be sent again from its booking.",
  }),
  admin_help: ({ data, appointment, now }) => {
    const [missing, caller] =
      data.side === "captain"
        ? ["Customer", "The captain, or staff for them,"]
        : ["Captain", "The customer"];
    const title = data.asks ? ASKS[data.asks] : `${missing} not here`;
    return {
      subject: appointment ? subjectOf(`${title}: `, appointment) : title,
      heading: title,
      says: [
        data.asks
          ? "The captain did not come, the customer says. Under “Needs you”, one button does what they ask for."
          : `${caller} said so at ${formatClock(data.at ?? now)} IST. ${
              data.side === "customer" && !appointment?.counselorEmail
                ? "The captain has no email address here, so nobody else has been mailed."
                : "The other side has been mailed too."
            }`,
        appointment
          ? `The customer's number is ${readablePhone(appointment.contact.phone)}, the captain's email address ${appointment.counselorEmail ?? "not known"}.`
          : "",
      ],
    };
  },
  admin_alert: (context) => {
    const { title, sentences } = ALERTS[context.data.alert ?? "sign_in_closed"];
    return { subject: `${title} on ${whenOf(context)}`, heading: title, says: sentences };
  },
} as const satisfies Partial<Record<MessageKind, (context: TemplateContext) => AdminDraft>>;

type AdminKind = keyof typeof TO_ADMIN;

export function adminMail(kind: AdminKind, context: TemplateContext): MailContent {
  const { appointment, site } = context;
  const { subject, heading, says } = TO_ADMIN[kind](context);
  const code = appointment ? ` [${shortId(appointment.id)}]` : "";
  const query = appointment ? `?q=${shortId(appointment.id)}` : "";
  const label = appointment ? "Open the booking" : "Open the admin area";
  return mailOf(site, "admin", {
    subject: `${subject}${code}`,
    heading,
    preview: (typeof says === "string" ? says : says[0]) ?? heading,
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
        refund &&
        `${amountOf({ ...context, data: { amountPaise: refund.amountPaise } })}. ${refundStateWords(refund.state)}.`,
    }),
    ...(refund && sums ? sumsFacts(sums) : []),
    ...facts({
      Booking: appointment && shortId(appointment.id),
      Session: appointment && sessionOf(appointment),
      Captain: appointment?.counselor,
      Error: error,
    }),
  ];
}
