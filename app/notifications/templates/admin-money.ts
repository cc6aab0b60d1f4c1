/** Mails to the business address about money. */
import { isPaid } from "#app/model/appointment.ts";
import { dateInIndia, formatDate, formatInstant } from "#app/model/dates.ts";
import type { DisputeStatus } from "#app/model/dispute.ts";
import type { GivingUp, MessageKind } from "#app/model/messages.ts";
import { CURRENCY, formatMoney } from "#app/model/money.ts";
import type { RefundWay } from "#app/model/refund.ts";
import { isTooLate, type TooLate } from "#app/model/statuses.ts";
import { lookUp, wording } from "#app/model/unknown-code.ts";
import { disputeWords } from "#app/model/wording.ts";
import type { TemplateContext } from "./content.ts";
import { subjectOf } from "./pass.ts";

export interface AdminDraft {
  subject: string;
  heading: string;
  /** One paragraph, or several; the first is also the preview in a mailbox. */
  says: string | readonly string[];
}

const DISPUTES = lookUp<
  DisputeStatus,
  (context: TemplateContext) => Pick<AdminDraft, "subject" | "says">
>({
  open: (context) => {
    const { respondBy } = context.data;
    const disputes = `A customer's bank disputes ${amountOf(context)}.`;
    const answer = respondBy
      ? `answer by ${formatDate(dateInIndia(respondBy)).slice(0, -5)}`
      : "please answer";
    return {
      subject: `Dispute of ${amountOf(context)}: ${answer}`,
      says: [
        respondBy
          ? `${disputes} Answer by ${formatInstant(respondBy)}.`
          : `${disputes} Razorpay's dashboard shows until when to answer.`,
        "Answer it in Razorpay's dashboard, with proof that the session took place or is still to come. A dispute that nobody answers is lost. If you refund it meanwhile and then lose the dispute, the money goes back twice.",
      ],
    };
  },
  under_review: (context) => ({
    subject: `Dispute under review: ${amountOf(context)}`,
    says: `The customer's bank is looking at our evidence about ${amountOf(context)}. There is nothing to do until it decides. You will get an email then.`,
  }),
  won: (context) => ({
    subject: `Dispute won: ${amountOf(context)}`,
    says: `The customer's bank decided for us and no longer asks for ${amountOf(context)}. It may ask once more, in a later phase. You will get an email then.`,
  }),
  lost: (context) => ({
    subject: `Dispute lost: ${amountOf(context)} taken back`,
    says: [
      `The customer's bank took ${amountOf(context)} back. It no longer counts as kept, and no refund is offered on it. The invoice stands as it is.`,
      ...staysBooked(context),
    ],
  }),
  closed: (context) => ({
    subject: `Dispute closed: ${amountOf(context)}`,
    says: `The dispute about ${amountOf(context)} is closed. There is nothing to answer.`,
  }),
});

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

export const MONEY = {
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
    return {
      subject: known?.subject ?? `Dispute of ${amountOf(context)}: please look`,
      heading: known ? disputeWords({ phase, status }) : "A customer's bank disputes a payment",
      says:
        known?.says ??
        `A customer's bank disputes ${amountOf(context)}. Razorpay's dashboard shows what to answer, and until when.`,
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
} as const satisfies Partial<Record<MessageKind, (context: TemplateContext) => AdminDraft>>;

export function amountOf({ data: { amountPaise }, currency = CURRENCY }: TemplateContext): string {
  return amountPaise === undefined ? "an unknown amount" : formatMoney({ amountPaise, currency });
}

function notifiedWords({ appointment }: TemplateContext): string {
  return appointment?.contact.email === ""
    ? "The customer is erased, so nobody is notified."
    : "The customer has been notified.";
}

/** Nothing once the session is over. */
function staysBooked({ appointment, now }: TemplateContext): string[] {
  if (appointment === null || !isPaid(appointment) || now >= appointment.endsAt) return [];
  return ["The session stays booked. If it should not take place, please cancel it."];
}

function about(what: string, { appointment }: TemplateContext): string {
  return appointment ? subjectOf(`${what}: `, appointment) : what;
}
