/** Mails to the business address about what needs attention, without customers' names. */
import type { Appointment } from "#app/model/appointment.ts";
import { formatClock, formatInstant } from "#app/model/dates.ts";
import type { HelpAsk } from "#app/model/help.ts";
import { shortId } from "#app/model/ids.ts";
import type { GivingUp, MessageKind, OwnerAlert } from "#app/model/messages.ts";
import { CURRENCY, formatMoney } from "#app/model/money.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { type RefundWay, sumsFacts } from "#app/model/refund.ts";
import { isTooLate, type TooLate } from "#app/model/statuses.ts";
import { telLink } from "#app/model/tel-link.ts";
import { wording } from "#app/model/unknown-code.ts";
import { disputeWords, refundStateWords } from "#app/model/wording.ts";
import { button, type Fact, type MailContent, mailOf, type TemplateContext } from "./content.ts";
import { type AdminDraft, amountOf, DISPUTES, staysBooked } from "./disputes.ts";
import { sessionOf, subjectOf } from "./pass.ts";

const lateHeading = wording<TooLate>({
  time_gone: "A payment came after its time had been given away",
  booking_cancelled: "A payment came for a cancelled booking",
  session_begun: "A payment came after its session had begun",
});

const REFUND_NEEDS: Record<RefundWay, (context: TemplateContext) => AdminDraft> = {
  provider: (context) => ({
    subject: `Refund needs you: ${amountOf(context)}`,
    heading: "A refund did not go through",
    says: "Please see why. Often the balance at Razorpay is too low. Then choose “Try the refund again” beside it in the admin area. The same refund is never made twice.",
  }),
  by_hand: (context) => ({
    subject: `Please pay back by hand: ${amountOf(context)}`,
    heading: "Please pay a refund back by hand",
    says: "The money did not come through Razorpay, so it cannot go back through it. Please pay it back yourself, then mark it as paid back in the admin area. The customer gets the credit note only then.",
  }),
  dashboard: (context) => ({
    subject: `Dashboard refund failed: ${amountOf(context)}`,
    heading: "A refund made in Razorpay's dashboard failed",
    says: "The money is still here. If that refund replaced one that we owe, ours is sent again automatically. If it did not, nothing more is sent. Please refund the booking if the customer should get the money.",
  }),
};

const GIVEN_UP: Record<GivingUp, AdminDraft> = {
  event: {
    subject: "Please check Razorpay: a message was not processed",
    heading: "A message from Razorpay could not be processed",
    says: "It is about a payment, a refund or a dispute, and it will not be tried again. Please compare Razorpay's dashboard for the days before this email with the admin area.",
  },
  order: {
    subject: "Please check whether an order was paid",
    heading: "An order could not be read from Razorpay",
    says: "We tried for days and will not try again. Please look up the order with this reference in Razorpay's dashboard. If it was paid and the admin area does not show it, please send the money back there.",
  },
};

const ALERTS: Record<OwnerAlert, Omit<AdminDraft, "subject">> = {
  sign_in_closed: {
    heading: "Signing in was closed after wrong tries",
    says: [
      "Somebody tried so many wrong passwords or codes for the admin area that signing in is closed for a while. None of these tries got in. If you have a second factor, the password may be known to them: please set a new one.",
      "You may be refused too, if your browser is new to your account. A browser that you have signed in with before still works. If you have none, whoever runs the service can let you in with “npm run admin:create”.",
      "It opens again by itself within a day. A long password that you use nowhere else, and a second factor on your account page, make further tries useless.",
    ],
  },
  reset_flood: {
    heading: "Many password codes were asked for",
    says: [
      "Somebody keeps asking for codes for a new admin password, so for a while we send no more of them. Nobody can use a code without reading your email, and your password stays as it is.",
      "Do you need a new password yourself right now? A code from the last ten minutes still works. A browser that you have signed in with before gets codes of its own. If you have none, whoever runs the service can set a new password with “npm run admin:create”.",
      "If you did not ask, there is nothing to do. Tell nobody the code.",
    ],
  },
  hold_surge: {
    heading: "Unusually many unpaid bookings",
    says: [
      "Unpaid bookings from several networks hold more than a third of a captain's times in the next seven days. They may be fake, made to keep customers away.",
      "Until this ends, a new unpaid booking holds its time for less long, and one network can hold only a few times. Paid sessions stay as they are, and customers who have paid before book as usual.",
      "Every unpaid time is free again when its hold ends. Under “Needs you”, the admin area names the captain and links to the list, where you can cancel bookings that are plainly fake.",
    ],
  },
};

const ASKS: Record<HelpAsk, string> = { move: "Asks for a new time", refund: "Asks for a refund" };

export const TO_ADMIN = {
  admin_late_refund: (context) => ({
    subject: about("Refund, paid late", context),
    heading: lateHeading(isTooLate(context.data.reason) ? context.data.reason : "time_gone"),
    says: `The booking is cancelled, and we are sending the money back. ${notifiedWords(context)} There is nothing to do unless the refund fails. You will get an email then.`,
  }),
  admin_wrong_amount: (context) => ({
    subject: about("Wrong amount paid", context),
    heading: "We are sending a payment of a wrong amount back",
    says: `The amount is not the price of the booking, so the payment does not count. We are sending it back. ${notifiedWords(context)} Please look at the payment, because this should not happen in normal use.`,
  }),
  admin_refund_needs_person: (context) => REFUND_NEEDS[context.data.way ?? "provider"](context),
  admin_unmatched_payment: (context) => ({
    subject: `Payment without a booking: ${amountOf(context)}`,
    heading: "A payment belongs to no booking",
    says: "Its booking may have been deleted, or is missing from a restored backup. Please refund the payment or assign it to a booking in the list of unmatched payments.",
  }),
  admin_dispute: (context) => {
    const { phase = "", status = "" } = context.data;
    const known = DISPUTES(status)?.(context);
    if (known) return { ...known, heading: disputeWords({ phase, status }) };
    return {
      subject: `Dispute of ${amountOf(context)}: please look`,
      heading: "A customer's bank disputes a payment",
      says: `A customer's bank disputes ${amountOf(context)}. Razorpay's dashboard shows what to answer, and until when.`,
    };
  },
  admin_given_up: ({ data }) => GIVEN_UP[data.queue ?? "order"],
  admin_provider_refund: (context) => ({
    subject: `Refunded in Razorpay: ${amountOf(context)}`,
    heading: "A refund was made in Razorpay's dashboard",
    says: context.appointment
      ? [
          `Somebody refunded ${amountOf(context)} there, and it counts here too. ${notifiedWords(context)}`,
          ...staysBooked(context),
        ]
      : `Somebody refunded ${amountOf(context)} there. It belongs to no booking that is still here.`,
  }),
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
  admin_doctor: ({ data: { findings = [] } }) => {
    if (findings.length === 0) {
      return {
        subject: "All problems are solved",
        heading: "All problems are solved",
        says: "The daily check no longer finds the problems that we wrote to you about.",
      };
    }
    const problems = findings.length === 1 ? "a new problem" : `${findings.length} new problems`;
    const items = findings.map(({ subject, says, mend }) => `${subject}: ${says}. ${mend}`);
    return {
      subject: `Needs a look: ${[...new Set(findings.map(({ subject }) => subject))].join(", ")}`,
      heading: findings.length === 1 ? "A new problem" : problems,
      says: [
        `The daily check found ${problems}. We write about a problem once, and again only if it comes back. “npm run doctor” shows the state at any time.`,
        { type: "list", items },
      ],
    };
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
  admin_help: ({ data: { side, asks, at }, appointment, now }) => {
    const isOfCaptain = side === "captain";
    const missing = isOfCaptain ? "Customer not here" : "Captain not here";
    const title = asks ? ASKS[asks] : missing;
    const caller = isOfCaptain ? "The captain, or staff for them," : "The customer";
    const mailed =
      side === "customer" && !appointment?.counselorEmail
        ? "The captain has no email address here, so nobody else has been mailed."
        : "The other side has been mailed too.";
    return {
      subject: about(title, { appointment }),
      heading: title,
      says: [
        asks
          ? "The captain did not come, the customer says. Under “Needs you”, one button does what they ask for."
          : `${caller} said so at ${formatClock(at ?? now)} IST. ${mailed}`,
        appointment && { type: "facts", facts: sidesOf(appointment) },
      ],
    };
  },
  admin_alert: (context) => {
    const draft = ALERTS[context.data.alert ?? "sign_in_closed"];
    return { ...draft, subject: `${draft.heading} on ${whenOf(context)}` };
  },
} as const satisfies Partial<Record<MessageKind, (context: TemplateContext) => AdminDraft>>;

export function adminMail(kind: keyof typeof TO_ADMIN, context: TemplateContext): MailContent {
  const { appointment, site } = context;
  const { subject, heading, says } = TO_ADMIN[kind](context);
  const facts = factsOf(context);
  const admin = `${site.publicUrl}/admin`;
  const id = appointment && shortId(appointment.id);
  const open = id
    ? button("Open the booking", `${admin}?q=${id}`)
    : button("Open the admin area", admin);
  return mailOf(site, "admin", {
    subject: id ? `${subject} [${id}]` : subject,
    heading,
    preview: typeof says === "string" ? says : says[0],
    says: [says, facts.length > 0 && { type: "facts", facts }, open],
  });
}

/** Whom to reach at the hour: both sides of a session. */
function sidesOf({ contact, counselorEmail }: Appointment): Fact[] {
  const { phone } = contact;
  const captain = "Captain's email address";
  return [
    { label: "Customer's number", value: readablePhone(phone), url: telLink(phone) },
    counselorEmail
      ? { label: captain, value: counselorEmail, url: `mailto:${counselorEmail}` }
      : { label: captain, value: "not known" },
  ];
}

function whenOf({ data, now }: TemplateContext): string {
  return formatInstant(data.at ?? now);
}

function factsOf(context: TemplateContext): Fact[] {
  const { data, appointment, refund, sums, currency = CURRENCY } = context;
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
        refund && `${formatMoney({ ...refund, currency })}. ${refundStateWords(refund.state)}.`,
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

function notifiedWords({ appointment }: TemplateContext): string {
  return appointment?.contact.email === ""
    ? "The customer is erased, so nobody is notified."
    : "The customer has been notified.";
}

function about(what: string, { appointment }: Pick<TemplateContext, "appointment">): string {
  return appointment ? subjectOf(`${what}: `, appointment) : what;
}
