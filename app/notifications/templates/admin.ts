/** The mails to the business address: what needs a look, and where to look. No customer's name. */

import type { Appointment } from "#app/booking/appointment.ts";
import { REFUND_WORDS } from "#app/booking/wording.ts";
import { formatInstant } from "#app/lib/dates.ts";
import { shortId } from "#app/lib/ids.ts";
import { formatAmount } from "#app/lib/money.ts";
import type { Block, Fact, MailContent } from "./content.ts";
import { footerOf, type TemplateContext } from "./context.ts";
import { sessionOf } from "./pass.ts";

export interface AdminContext extends TemplateContext {
  /** Null if the message is about no appointment, or about a deleted one. */
  appointment: Appointment | null;
}

export function adminLateRefund(context: AdminContext): MailContent {
  return mail(context, {
    subject: `Late payment refunded${aboutSession(context)}`,
    heading: "A payment came after its time was gone",
    blocks: [
      text(
        "The booking is cancelled, and the refund is queued. The customer has been told. Nothing to do unless the refund fails; you get a mail then.",
      ),
      facts(context),
    ],
  });
}

export function adminWrongAmount(context: AdminContext): MailContent {
  return mail(context, {
    subject: `Payment of a wrong amount${aboutSession(context)}`,
    heading: "A payment of a wrong amount goes back",
    blocks: [
      text(
        "The amount is not that of the booking, so it was not counted. The refund is queued, and the customer has been told. Please look at the payment: this should not happen in normal use.",
      ),
      facts(context),
    ],
  });
}

export function adminRefundNeedsPerson(context: AdminContext): MailContent {
  return mail(context, {
    subject: `Refund needs you: ${amountOf(context)}`,
    heading: "A refund did not go through",
    blocks: [
      text(
        "Please see why: often the balance at the payment provider is too low. Then press “Try the refund again” beside it in the admin area; the same refund is never made twice.",
      ),
      facts(context),
    ],
  });
}

export function adminUnmatchedPayment(context: AdminContext): MailContent {
  return mail(context, {
    subject: `Payment without a booking: ${amountOf(context)}`,
    heading: "A payment belongs to no booking",
    blocks: [
      text(
        "Its booking may have been deleted, or lost with an old backup. Please refund it or give it to a booking in the list of unmatched payments.",
      ),
      facts(context),
    ],
  });
}

const ENDED_DISPUTES = ["won", "lost", "closed"];

export function adminDispute(context: AdminContext): MailContent {
  const phase = (context.data.phase ?? "open").replaceAll("_", " ");
  return mail(context, {
    subject: `Payment disputed (${phase}): ${amountOf(context)}`,
    heading: `A payment is disputed: ${phase}`,
    blocks: [
      text(
        ENDED_DISPUTES.includes(context.data.phase ?? "")
          ? "It has ended, and there is nothing to answer. The payment provider's dashboard shows what it means for the money."
          : "Please answer it in the payment provider's dashboard before the date given there. A dispute that nobody answers is lost.",
      ),
      facts(context),
    ],
  });
}

export function adminBackupFailed(context: AdminContext): MailContent {
  return mail(context, {
    subject: `Backup failed on ${formatInstant(context.data.at ?? context.now)}`,
    heading: "The backup failed",
    blocks: [
      text(
        "The bookings are safe, but today there is no new copy of them. Please look at the disk and the backup folder; the next try comes by itself.",
      ),
      facts(context),
    ],
  });
}

export function adminWhatsAppTrouble(context: AdminContext): MailContent {
  return mail(context, {
    subject: `WhatsApp has not delivered since ${formatInstant(context.data.at ?? context.now)}`,
    heading: "WhatsApp messages do not get through",
    blocks: [
      text(
        "Customers still get every message by email. Please look at the WhatsApp account, its token, billing and templates. Messages that wait are sent as soon as it works again.",
      ),
      facts(context),
    ],
  });
}

function mail(
  context: AdminContext,
  draft: Pick<MailContent, "subject" | "heading" | "blocks">,
): MailContent {
  const { appointment, site } = context;
  const query = appointment ? `?q=${shortId(appointment.id)}` : "";
  const button: Block = {
    type: "button",
    label: appointment ? "Open the booking in the admin area" : "Open the admin area",
    url: `${site.publicUrl}/admin${query}`,
  };
  const first = draft.blocks.find((block) => block.type === "paragraph");
  return {
    ...draft,
    preview: first?.type === "paragraph" ? first.text : draft.heading,
    blocks: [...draft.blocks, button],
    footer: footerOf(site, "admin"),
  };
}

function text(sentence: string): Block {
  return { type: "paragraph", text: sentence };
}

function amountOf({ data }: AdminContext): string {
  return data.amountPaise === undefined ? "amount unknown" : formatAmount(data.amountPaise);
}

function aboutSession({ appointment }: AdminContext): string {
  return appointment ? `: ${sessionOf(appointment)}` : "";
}

function facts(context: AdminContext): Block {
  const { data, appointment, refund } = context;
  const rows: (Fact | null)[] = [
    data.amountPaise === undefined ? null : { label: "Amount", value: amountOf(context) },
    data.paymentId ? { label: "Payment", value: data.paymentId } : null,
    data.disputeId ? { label: "Dispute", value: data.disputeId } : null,
    refund
      ? {
          label: "Refund",
          value: `${formatAmount(refund.amountPaise)}, ${refund.state.replaceAll("_", " ")}`,
        }
      : null,
    refund ? { label: "Customer reads", value: REFUND_WORDS[refund.state] } : null,
    appointment ? { label: "Booking", value: shortId(appointment.id) } : null,
    appointment ? { label: "Session", value: sessionOf(appointment) } : null,
    appointment ? { label: "Captain", value: appointment.counselor } : null,
    data.error ? { label: "Error", value: data.error } : null,
  ];
  return { type: "facts", facts: rows.filter((row) => row !== null) };
}
