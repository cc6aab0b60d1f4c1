/** Mails to the business address about disputes, and what its other mails share with them. */
import { isPaid, wasPaid } from "#app/model/appointment.ts";
import { dateInIndia, formatDate, formatInstant } from "#app/model/dates.ts";
import type { DisputeStatus } from "#app/model/dispute.ts";
import { CURRENCY, formatMoney } from "#app/model/money.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { type Draft, type Part, sentences, type TemplateContext } from "./content.ts";

export interface AdminDraft extends Pick<Draft, "subject" | "heading"> {
  /** One paragraph, or several parts; the first is also the preview in a mailbox. */
  says: string | readonly [string, ...Part[]];
}

type Mail = (context: TemplateContext) => Omit<AdminDraft, "heading">;

export const DISPUTES = lookUp<DisputeStatus, Mail>({
  open: (context) => {
    const { respondBy } = context.data;
    const day = respondBy && formatDate(dateInIndia(respondBy)).slice(0, -5);
    const until = respondBy
      ? `Answer by ${formatInstant(respondBy)}.`
      : "Razorpay's dashboard shows until when to answer.";
    return {
      subject: `Dispute of ${amountOf(context)}: ${day ? `answer by ${day}` : "please answer"}`,
      says: [`A customer's bank disputes ${amountOf(context)}. ${until}`, answerWords(context)],
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
      sentences(
        `The customer's bank took ${amountOf(context)} back. It no longer counts as kept, and no refund is offered on it.`,
        hasGoneBack(context) &&
          `We had sent it back before, ${goneWords(context)}, so it has gone back twice.`,
        context.disputed?.hasInvoice !== false && "The invoice stands as it is.",
      ),
      ...staysBooked(context),
    ],
  }),
  closed: (context) => ({
    subject: `Dispute closed: ${amountOf(context)}`,
    says: `The dispute about ${amountOf(context)} is closed. There is nothing to answer.`,
  }),
});

/** What proves that the bank should not take the money: the refund, the session, or neither. */
function answerWords(context: TemplateContext): string {
  const { appointment, currency = CURRENCY } = context;
  const gone = goneWords(context);
  const answer = "Answer it in Razorpay's dashboard, with proof";
  const lost = "A dispute that nobody answers is lost.";
  if (hasGoneBack(context)) {
    return `${answer} that the money has gone back: ${gone}. ${lost} Then the money goes back twice.`;
  }
  const waitingPaise = context.disputed?.waitingPaise ?? 0;
  if (hasGoneBack(context, waitingPaise)) {
    const waiting = formatMoney({ amountPaise: waitingPaise, currency });
    return `A refund of ${waiting} for it waits to be sent. Once it is sent, answer in Razorpay's dashboard with the refund as proof. ${lost} Then the money goes back twice.`;
  }
  const isSession = appointment !== null && isPaid(appointment);
  const none = appointment ? "paid booking" : "booking that is still here";
  const isCancelled = appointment !== null && wasPaid(appointment);
  return sentences(
    !isSession &&
      (isCancelled ? "Its session is cancelled." : `The payment belongs to no ${none}.`),
    isSession
      ? `${answer} that the session took place or is still to come.`
      : `${answer} of why we keep the money, or accept it there if the customer should have it.`,
    gone && `Gone back so far: ${gone}.`,
    `${lost} If you refund it meanwhile and then lose the dispute, the money goes back twice.`,
  );
}

/** True if refunds have sent back as much as the bank asks for, with `morePaise` beside them. */
function hasGoneBack(
  { data: { amountPaise = 0 }, disputed }: TemplateContext,
  morePaise = 0,
): boolean {
  const gone = (disputed?.gone ?? []).reduce((sum, one) => sum + one.amountPaise, morePaise);
  return gone > 0 && gone >= amountPaise;
}

function goneWords({ disputed, currency = CURRENCY }: TemplateContext): string {
  const words = (disputed?.gone ?? []).map(
    ({ id, at, ...one }) =>
      `${formatMoney({ ...one, currency })} with refund ${id} of ${formatDate(dateInIndia(at))}`,
  );
  return words.join(", ");
}

export function amountOf({ data: { amountPaise }, currency = CURRENCY }: TemplateContext): string {
  return amountPaise === undefined ? "an unknown amount" : formatMoney({ amountPaise, currency });
}

/** Nothing once the session is over. */
export function staysBooked({ appointment, now }: TemplateContext): string[] {
  if (appointment === null || !isPaid(appointment) || now >= appointment.endsAt) return [];
  return ["The session stays booked. If it should not take place, please cancel it."];
}
