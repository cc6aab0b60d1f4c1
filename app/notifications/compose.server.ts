/** Composes a message when it is sent, from the state at that time. */
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { OutgoingMail, OutgoingWhatsApp } from "#app/core/services.ts";
import { BY_HAND } from "#app/documents/document-facts.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import {
  findCounselorByKey,
  findPackage,
  LOGO_PNG_WIDTH,
  leftToAnswer,
} from "#app/model/catalogue.ts";
import { dateInIndia, timeInIndia } from "#app/model/dates.ts";
import { sessionTimeOf } from "#app/model/day-plan.ts";
import { isStep } from "#app/model/dispute.ts";
import type { MessageKind } from "#app/model/messages.ts";
import { readText } from "#app/model/plain-text.server.ts";
import {
  leftOf,
  ofOthers,
  type Refund,
  type RefundState,
  refundOfCancellation,
  standingFor,
  sumsOf,
} from "#app/model/refund.ts";
import { underWayPaise } from "#app/model/under-way.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { refundStateWords } from "#app/model/wording.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { customerOf } from "#app/notifications/templates/pass.ts";
import { LOGO_CID } from "#app/notifications/templates/render-html.ts";
import type { Db } from "#db/connection.server.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { findInvited } from "#db/queries/admins.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findPortrait, readCatalogue } from "#db/queries/catalogue.server.ts";
import { findCreditNoteOfRefund, findInvoiceOf } from "#db/queries/documents.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findMessage, type Message } from "#db/queries/messages.server.ts";
import {
  findPayment,
  findRefund,
  listPaymentsOf,
  listRefundsOf,
  listRefundsOfPayment,
} from "#db/queries/payments.server.ts";
import { findPlan, type Plan } from "#db/queries/plans.server.ts";
import { findAnswers, findGuardian, type Guardian } from "#db/queries/preparation.server.ts";
import { findDispute } from "#db/queries/refunds.server.ts";
import { disputedMoney } from "./disputed-money.server.ts";
import { invitationFile } from "./invitation.server.ts";
import { whyNotSent } from "./relevance.ts";

export type Composed =
  /** `documents`: from the ledger, to be attached. `sequence`: of the invite; null without one. */
  | {
      kind: "mail";
      mail: OutgoingMail;
      documents: PrintableDocument[];
      sequence: number | null;
    }
  | { kind: "whatsapp"; message: OutgoingWhatsApp }
  /** `reason` completes "Not sent: …". */
  | { kind: "not_sent"; reason: string };

/**
 * Composes a message and renders its documents. The appointment may change while they are rendered,
 * so the message is composed again afterwards. Rejects with QueueFull or an unexpected error; the
 * outbox retries after both.
 */
export async function composeMessage(deps: Deps, message: Message): Promise<Composed> {
  const files = new Map<string, OutgoingMail["attachments"][number]>();
  for (;;) {
    const composed = compose(deps, message);
    if (composed.kind !== "mail") return composed;
    const { documents, mail } = composed;
    const missing = documents.filter(({ number }) => !files.has(number));
    if (missing.length === 0) {
      const attached = documents.map(({ number }) => files.get(number)!);
      return { ...composed, mail: { ...mail, attachments: [...attached, ...mail.attachments] } };
    }
    for (const document of missing) {
      files.set(document.number, await attachmentOf(deps, document));
    }
    const row = findMessage(deps.db, message.id);
    if (row && (row.nextTryAt === null || row.recipient !== message.recipient)) {
      return { kind: "not_sent", reason: "it was replaced, or has another address." };
    }
  }
}

function compose(deps: Deps, message: Message): Composed {
  const { db } = deps;
  const now = deps.now();
  const { appointmentId, data, kind, recipient } = message;
  const found = data.appointment ?? (appointmentId ? findAppointment(db, appointmentId) : null);
  const plan = kind === "session_plan" && found ? findPlan(db, found.id) : null;
  const appointment = found && asOnceWas(deps, message, plan, found);
  // Those whose address was corrected since are somebody else's.
  const bookings = (data.appointmentIds ?? [])
    .flatMap((id) => findAppointment(db, id) ?? [])
    .filter(({ contact }) => contact.email.toLowerCase() === recipient.toLowerCase());
  const named = data.refundId ? findRefund(db, data.refundId) : null;
  const guardian =
    appointment && kind === "guardian_asked" ? findGuardian(db, appointment.id) : null;
  const reason =
    whyNotSent(message, appointment, now) ?? whyOutdated(deps, message, bookings, named, guardian);
  if (reason !== null) return { kind: "not_sent", reason };
  const payments = appointment ? listPaymentsOf(db, appointment.id) : [];
  const refunds = appointment ? ofOthers(listRefundsOf(db, appointment.id), payments) : [];
  const invoice =
    appointment && kind === "booking_confirmed" ? findInvoiceOf(db, appointment.id) : null;
  const creditNote = kind === "refund_under_way" ? creditNoteOf(db, data) : null;
  const calendar = appointment && calendarOf(deps, message, appointment);
  const logo = logoOf(deps);
  const { subject, text, html, whatsappParameters } = renderMessage(kind, {
    now,
    site: deps.env,
    data,
    refund: named && standingFor(refunds.find(({ id }) => id === named.id) ?? named, refunds),
    cancellationRefund: refundOfCancellation(refunds),
    refunds: refunds.filter(({ counts }) => counts),
    currency: findPayment(db, data.paymentId ?? "")?.currency,
    sums: appointment && sumsOf(payments, refunds),
    underWayPaise: underWayPaise(payments, now),
    attached: {
      invoice: invoice?.number ?? null,
      creditNote: creditNote?.number ?? null,
      calendar: calendar !== null,
      logo: logo.length > 0,
    },
    appointment,
    bookings,
    disputed:
      kind === "admin_dispute" && data.paymentId ? disputedMoney(db, data.paymentId) : undefined,
    guardianToken: guardian?.token,
    leftToAnswer: appointment ? leftToAnswerOf(db, appointment) : 0,
    plan: readText(plan?.text ?? ""),
  });
  // The same for every try, so that mail programs recognise duplicates; new for a resend.
  const messageId = data.resend === undefined ? message.id : `${message.id}.${data.resend}`;
  if (message.channel === "whatsapp") {
    if (whatsappParameters === null) {
      return { kind: "not_sent", reason: "it has no WhatsApp template." };
    }
    const parameters = whatsappParameters;
    const outgoing = { messageId, to: recipient, template: kind, parameters };
    return { kind: "whatsapp", message: outgoing };
  }
  return {
    kind: "mail",
    documents: [invoice, creditNote].filter((document) => document !== null),
    sequence: calendar?.method === "REQUEST" ? appointment!.calendarSequence : null,
    mail: {
      messageId,
      to: { name: nameOf(message, appointment), address: recipient },
      // Not the booking's id, which opens its page: mails get forwarded.
      thread: appointment?.calendarUid ?? null,
      subject,
      text,
      html,
      calendar,
      attachments: logo,
    },
  };
}

/** Like `whyNotSent`, for the opt-out and for subjects other than the appointment. */
function whyOutdated(
  { db, now }: Deps,
  { kind, channel, recipient, data }: Message,
  bookings: readonly Appointment[],
  refund: Refund | null,
  guardian: Guardian | null,
): string | null {
  if (channel === "whatsapp" && isOptedOut(db, recipient)) {
    return "the customer wants no WhatsApp messages.";
  }
  if (kind === "guardian_asked" && !guardian) return "no guardian is asked for this booking.";
  if (guardian && guardian.confirmedAt !== null) return "the guardian has confirmed.";
  if (kind === "booking_links" && bookings.length === 0) return "the bookings no longer exist.";
  if (kind === "team_invitation" && !findInvited(db, sha256(data.code ?? ""), now())) {
    return "the invitation was used, withdrawn or sent anew.";
  }
  const unmatched = kind === "admin_unmatched_payment" && findPayment(db, data.paymentId ?? "");
  if (unmatched) {
    const left = leftOf(unmatched, listRefundsOfPayment(db, unmatched.paymentId));
    if (unmatched.outcome !== "unmatched" || left <= 0) return "the payment was dealt with since.";
  }
  const { disputeId, phase = "", status } = data;
  const dispute = disputeId && status ? findDispute(db, disputeId) : null;
  if (dispute && isStep({ phase, status: status! }, dispute)) {
    return "the dispute has gone on since.";
  }
  if (!refund || !untrueOnce(kind)?.includes(refund.state)) return null;
  return `its refund has gone on: ${refundStateWords(refund.state).toLowerCase()}.`;
}

function leftToAnswerOf(db: Db, { id, minutes }: Appointment): number {
  const questions = findPackage(readCatalogue(db), minutes)?.questions ?? [];
  return leftToAnswer(questions, findAnswers(db, id)).length;
}

/** States of a refund in which a message about it is outdated. */
const untrueOnce = lookUp<"refund_under_way" | "admin_refund_needs_person", readonly RefundState[]>(
  {
    refund_under_way: ["superseded", "failed"],
    admin_refund_needs_person: ["superseded", "pending", "processed"],
  },
);

/**
 * The appointment as its previous captain sees it once another captain has it: cancelled. For a plan:
 * with the captain and time of the session that it was written after.
 */
function asOnceWas(
  { db }: Pick<Deps, "db">,
  { kind, data }: Message,
  plan: Plan | null,
  current: Appointment,
): Appointment {
  if (plan) {
    const { counselor, startsAt } = plan;
    const date = dateInIndia(startsAt);
    return { ...current, counselor, date, timeSlot: timeInIndia(startsAt) };
  }
  const { previousCounselor: counselorKey, previousDate: date, previousTimeSlot: timeSlot } = data;
  if (kind !== "counselor_cancelled" || !counselorKey || !date || !timeSlot) return current;
  if (current.counselorKey === counselorKey) return current;
  const counselor = findCounselorByKey(readCatalogue(db), counselorKey);
  return {
    ...current,
    ...sessionTimeOf({ counselorKey, date, timeSlot, minutes: current.minutes }),
    counselor: counselor?.name ?? current.counselor,
    // The previous captain must not get the new captain's link.
    meeting: counselor?.meeting ?? { kind: "call" },
    status: "cancelled",
    calendarSequence: data.sequence ?? current.calendarSequence,
  };
}

function nameOf(message: Message, appointment: Appointment | null): string {
  if (appointment === null) return "";
  if (message.audience === "customer") return customerOf(appointment) ?? "";
  return message.audience === "counselor" ? appointment.counselor : "";
}

/** Null also for a credit note of a provider's refund that was then paid by hand: it is not mailed. */
function creditNoteOf(db: Db, { refundId = "", way }: Message["data"]): PrintableDocument | null {
  const note = findCreditNoteOfRefund(db, refundId);
  return way === "by_hand" && note?.paidMethod !== BY_HAND ? null : note;
}

const BRINGS_INVITE: readonly MessageKind[] = [
  "booking_confirmed",
  "booking_rescheduled",
  "joining_changed",
  "counselor_joining_changed",
  "counselor_new",
  "counselor_moved",
  "counselor_corrected",
];
const TAKES_INVITE_BACK: readonly MessageKind[] = ["booking_cancelled", "counselor_cancelled"];

/** The invite or cancellation of a paid session that is not over; null for other messages. */
function calendarOf(
  deps: Deps,
  message: Message,
  appointment: Appointment,
): OutgoingMail["calendar"] {
  const now = deps.now();
  const brings = isPaid(appointment) && BRINGS_INVITE.includes(message.kind);
  const takesBack = message.data.wasPaid && TAKES_INVITE_BACK.includes(message.kind);
  if (now >= appointment.endsAt || !(brings || takesBack)) return null;
  const method = brings ? "REQUEST" : "CANCEL";
  const content = invitationFile(deps.env, appointment, {
    method,
    audience: message.audience,
    attendee: { name: nameOf(message, appointment), email: message.recipient },
    now,
  });
  return { method, content };
}

/** The logo of the settings; none if it is stored without a PNG. */
function logoOf({ db, env }: ReadDeps): OutgoingMail["attachments"] {
  const png = env.brand.logo && findPortrait(db, env.brand.logo, LOGO_PNG_WIDTH);
  if (!png) return [];
  const content = Buffer.from(png);
  return [{ filename: "logo.png", content, contentType: "image/png", cid: LOGO_CID }];
}

async function attachmentOf(deps: Deps, document: PrintableDocument) {
  const content = await deps.documents.renderDocument(document);
  const kind = document.kind === "invoice" ? "invoice" : "credit-note";
  const filename = `${kind}-${document.number.replaceAll("/", "-")}.pdf`;
  return { filename, content, contentType: "application/pdf" };
}
