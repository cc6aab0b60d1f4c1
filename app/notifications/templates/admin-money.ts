/** The mails to the business address that are about money. */
import { isPaid } from "#app/model/appointment.ts";
import { formatInstant } from "#app/model/dates.ts";
import type { DisputeStatus } from "#app/model/dispute.ts";
import type { GivingUp, MessageKind } from "#app/model/messages.ts";
import { formatAmount } from "#app/model/money.ts";
import type { RefundWay } from "#app/model/refund.ts";
import { isTooLate, type TooLate } from "#app/model/statuses.ts";
import { lookUp, wording } from "#app/model/unknown-code.ts";
import { disputeWords } from "#app/model/wording.ts";
import type { TemplateContext } from "./content.ts";
import { sessionOf } from "./pass.ts";

export interface AdminDraft {
  subject: string;
  heading: string;
  /** One paragraph each; the first is also the preview in a mailbox. */
  says: readonly string[];
}

/** What a dispute asks of the owner, and what it means for the money. */
const DISPUTES = lookUp<
  DisputeStatus,
  (context: TemplateContext) => Pick<AdminDraft, "subject" | "says">
>({
  open: (context) => {
    const disputes = `A customer's bank disputes ${amountOf(context)}`;
    const { respondBy } = context.data;
    return {
      subject: `${disputes}: please answer it`,
      says: [
        respondBy
          ? `${disputes}. Answer by ${formatInstant(respondBy)}.`
          : `${disputes}. The payment provider's dashboard says until when to answer.`,
        "Answer it in that dashboard, with what shows that the session was held or is still to come: a dispute that nobody answers is lost. If you refund it meanwhile and the dispute is lost too, the money goes back twice.",
      ],
    };
  },
  under_review: (context) => ({
    subject: `Dispute under review: ${amountOf(context)}`,
    says: [
      `The customer's bank looks at our evidence about ${amountOf(context)}. There is nothing to do until it decides; you get a mail then.`,
    ],
  }),
  won: (context) => ({
    subject: `Dispute won: ${amountOf(context)}`,
    says: [
      `The customer's bank decided for us: it no longer asks for ${amountOf(context)}. It may ask once more, in a later phase; you get a mail then.`,
    ],
  }),
  lost: (context) => ({
    subject: `Dispute lost: ${amountOf(context)} taken back`,
    says: [
      `The customer's bank took ${amountOf(context)} back. It is no longer counted as kept, and no refund is offered on it; the invoice stands as it is.`,
      ...staysBooked(context),
    ],
  }),
  closed: (context) => ({
    subject: `Dispute closed: ${amountOf(context)}`,
    says: [`The dispute about ${amountOf(context)} is closed. There is nothing to answer.`],
  }),
});

const lateHeading = wording<TooLate>({
  time_gone: "A payment came after its time was gone",
  booking_cancelled: "A payment came for a cancelled booking",
  session_begun: "A payment came after its session had begun",
});

const REFUND_NEEDS: Record<RefundWay, (context: TemplateContext) => AdminDraft> = {
  provider: (context) => ({
    subject: `Refund needs you: ${amountOf(context)}`,
    heading: "A refund did not go through",
    says: [
      "Please see why: often the balance at the payment provider is too low. Then choose “Try the refund again” beside it in the admin area; the same refund is never made twice.",
    ],
  }),
  by_hand: (context) => ({
    subject: `Please pay back by hand: ${amountOf(context)}`,
    heading: "A refund waits to be paid back by hand",
    says: [
      "The money came in outside the payment provider, so nobody sends it back by itself. Please pay it back, then mark it as paid back in the admin area: only then the customer gets the credit note.",
    ],
  }),
  dashboard: (context) => ({
    subject: `Refund of the dashboard failed: ${amountOf(context)}`,
    heading: "A refund made in the payment provider's dashboard failed",
    says: [
      "The money is still here. If that refund stood in for one that we owe, ours is sent again by itself. If it did not, nothing is owed by this program: please refund the booking if the customer is to have the money.",
    ],
  }),
};

const GIVEN_UP: Record<GivingUp, AdminDraft> = {
  event: {
    subject: "News from the payment provider given up",
    heading: "What the payment provider told could not be worked on",
    says: [
      "It is about a payment, a refund or a dispute, and it is not tried again. Please look in the payment provider's dashboard for what happened in the days before this mail, and whether the admin area shows the same.",
    ],
  },
  order: {
    subject: "Order given up: nobody knows whether it was paid",
    heading: "An order could not be read at the payment provider",
    says: [
      "It was tried for days and is not tried again. Please look in the payment provider's dashboard whether the order with this reference was paid. If it was and the admin area does not show it, please send the money back there.",
    ],
  },
};

export const MONEY = {
  admin_late_refund: (context) => ({
    subject: `Late payment refunded${aboutSession(context)}`,
    heading: lateHeading(isTooLate(context.data.reason) ? context.data.reason : "time_gone"),
    says: [
      `The booking is cancelled, and the refund is queued. ${notifiedWords(context)} Nothing to do unless the refund fails; you get a mail then.`,
    ],
  }),
  admin_wrong_amount: (context) => ({
    subject: `Payment of a wrong amount${aboutSession(context)}`,
    heading: "A payment of a wrong amount goes back",
    says: [
      "The amount is not that of the booking, so it was not counted. The refund is queued, and the customer has been told. Please look at the payment: this should not happen in normal use.",
    ],
  }),
  admin_refund_needs_person: (context) => REFUND_NEEDS[context.data.way ?? "provider"](context),
  admin_unmatched_payment: (context) => ({
    subject: `Payment without a booking: ${amountOf(context)}`,
    heading: "A payment belongs to no booking",
    says: [
      "Its booking may have been deleted, or lost with an old backup. Please refund it or give it to a booking in the list of unmatched payments.",
    ],
  }),
  admin_dispute: (context) => {
    const { phase = "", status = "" } = context.data;
    const known = DISPUTES(status)?.(context);
    return {
      subject: known?.subject ?? `Payment disputed: ${amountOf(context)}`,
      heading: known ? disputeWords({ phase, status }) : "A payment is disputed",
      says: known?.says ?? [
        `The payment provider's dashboard says how the dispute about ${amountOf(context)} stands, and whether there is something to answer.`,
      ],
    };
  },
  admin_given_up: ({ data }) => GIVEN_UP[data.queue ?? "order"],
  admin_provider_refund: (context) => ({
    subject: `Refund made at the payment provider: ${amountOf(context)}`,
    heading: "Money went back from the provider's dashboard",
    says: context.appointment
      ? [
          `Somebody sent it back in the payment provider's dashboard. It is counted here. ${notifiedWords(context)}`,
          ...staysBooked(context),
        ]
      : [
          "Somebody sent it back in the payment provider's dashboard. It belongs to no booking that is still here.",
        ],
  }),
} as const satisfies Partial<Record<MessageKind, (context: TemplateContext) => AdminDraft>>;

export function amountOf({ data }: TemplateContext): string {
  return data.amountPaise === undefined ? "amount unknown" : formatAmount(data.amountPaise);
}

function notifiedWords({ appointment }: TemplateContext): string {
  return appointment?.contact.email === ""
    ? "The customer is erased, so nobody is told."
    : "The customer has been told.";
}

function staysBooked({ appointment }: TemplateContext): string[] {
  if (appointment === null || !isPaid(appointment)) return [];
  return ["The session stays booked. If it is not to take place, please cancel it."];
}

function aboutSession({ appointment }: TemplateContext): string {
  return appointment ? `: ${sessionOf(appointment)}` : "";
}
