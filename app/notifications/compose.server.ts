/** Builds a message at the moment of sending, from the state at that time. */

import type { Deps } from "#app/core/deps.server.ts";
import { sha256 } from "#app/core/secrets.server.ts";
import type { OutgoingMail, OutgoingWhatsApp } from "#app/core/services.ts";
import { BY_HAND } from "#app/documents/document-facts.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { sessionTimeOf } from "#app/model/day-plan.ts";
import { isStep } from "#app/model/dispute.ts";
import type { Message } from "#app/model/messages.ts";
import { type RefundState, refundOfCancellation, standingFor, sumsOf } from "#app/model/refund.ts";
import { lookUp } from "#app/model/unknown-code.ts";
import { refundStateWords } from "#app/model/wording.ts";
import { siteOf, type TemplateContext } from "#app/notifications/templates/content.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { travellerOf } from "#app/notifications/templates/pass.ts";
import type { Db } from "#db/connection.server.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { findInvited } from "#db/queries/admins.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { readCatalogue } from "#db/queries/catalogue.server.ts";
import { findCreditNoteOfRefund, findInvoiceOf } from "#db/queries/documents.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import { findRefund, listPaymentsOf, listRefundsOf } from "#db/queries/payments.server.ts";
import { findDispute } from "#db/queries/refunds.server.ts";
import { invitationFile } from "./invitation.server.ts";
import { whyNotSent } from "./relevance.ts";

export type Composed =
  | { kind: "mail"; mail: OutgoingMail }
  | { kind: "whatsapp"; message: OutgoingWhatsApp }
  /** The end of "Not sent: …". */
  | { kind: "not_sent"; reason: string };

/**
 * The content is true when its documents are made: after waiting for them, whether to send and the
 * words are checked again. Rejects with QueueFull, or with a bug; the outbox tries both again.
 */
export async function composeMessage(deps: Deps, message: Message): Promise<Composed> {
  const files = new Map<string, OutgoingMail["attachments"][number]>();
  for (;;) {
    const composed = compose(deps, message);
    if (composed.kind !== "mail") return composed;
    const { documents, mail } = composed;
    const missing = documents.filter(({ number }) => !files.has(number));
    if (missing.length === 0) {
      const attachments = documents.map(({ number }) => files.get(number)!);
      return { kind: "mail", mail: { ...mail, attachments } };
    }
    for (const document of missing) {
      files.set(document.number, await attachmentOf(deps, document));
    }
  }
}

type Unattached =
  | Exclude<Composed, { kind: "mail" }>
  | { kind: "mail"; mail: Omit<OutgoingMail, "attachments">; documents: PrintableDocument[] };

function compose(deps: Deps, message: Message): Unattached {
  const { db } = deps;
  const now = deps.now();
  const { appointmentId, data } = message;
  const found = data.appointment ?? (appointmentId ? findAppointment(db, appointmentId) : null);
  const appointment = found && asLeft(deps, message, found);
  const reason = whyNotSent(message, appointment, now);
  if (reason !== null) return { kind: "not_sent", reason };
  if (message.channel === "whatsapp" && isOptedOut(db, message.recipient)) {
    return { kind: "not_sent", reason: "the customer wants no WhatsApp messages." };
  }
  const bookings = (message.data.appointmentIds ?? [])
    .map((id) => findAppointment(db, id))
    .filter((booking) => booking !== null);
  if (message.kind === "booking_links" && bookings.length === 0) {
    return { kind: "not_sent", reason: "the bookings no longer exist." };
  }
  if (
    message.kind === "team_invitation" &&
    !findInvited(db, sha256(message.data.code ?? ""), now)
  ) {
    return { kind: "not_sent", reason: "the invitation was used, withdrawn or sent anew." };
  }
  if (hasGoneOn(deps, message)) {
    return { kind: "not_sent", reason: "the dispute has gone on since." };
  }
  const { refundId } = message.data;
  const named = refundId ? findRefund(db, refundId) : null;
  if (named && untrueOnce(message.kind)?.includes(named.state)) {
    const state = refundStateWords(named.state).toLowerCase();
    return { kind: "not_sent", reason: `its refund has gone on: ${state}.` };
  }
  const refunds = appointment ? listRefundsOf(db, appointment.id) : [];
  const refund = named && standingFor(named, refunds);
  const papers = papersOf(deps, message, appointment);
  const rendered = renderMessage(message.kind, {
    now,
    site: siteOf(deps.env),
    data: message.data,
    refund,
    cancellationRefund: refundOfCancellation(refunds),
    sums: appointment && sumsOf(listPaymentsOf(db, appointment.id), refunds),
    attached: {
      invoice: papers.invoice?.number ?? null,
      creditNote: papers.creditNote?.number ?? null,
      calendar: papers.calendar !== null,
    },
    appointment,
    bookings,
  } satisfies TemplateContext);
  if (message.channel === "whatsapp") {
    const parameters = rendered.whatsappParameters;
    if (parameters === null) return { kind: "not_sent", reason: "it has no WhatsApp template." };
    const { id: messageId, recipient: to, kind: template } = message;
    return { kind: "whatsapp", message: { messageId, to, template, parameters } };
  }
  const { subject, text, html } = rendered;
  return {
    kind: "mail",
    documents: [papers.invoice, papers.creditNote].filter((document) => document !== null),
    mail: {
      messageId: messageIdOf(message),
      to: { name: nameOf(message, appointment), address: message.recipient },
      // Not the booking's id: mails get forwarded.
      thread: appointment?.calendarUid ?? null,
      subject,
      text,
      html,
      calendar: papers.calendar,
    },
  };
}

/** States of a refund in which a message about it is no longer true. */
const untrueOnce = lookUp<"refund_under_way" | "admin_refund_needs_person", readonly RefundState[]>(
  {
    refund_under_way: ["superseded", "failed"],
    admin_refund_needs_person: ["superseded", "pending", "processed"],
  },
);

/** True if the dispute has come further than the message says. */
function hasGoneOn({ db }: Pick<Deps, "db">, { data }: Message): boolean {
  const { disputeId, phase = "", status } = data;
  const dispute = disputeId && status ? findDispute(db, disputeId) : null;
  return dispute !== null && isStep({ phase, status: status! }, dispute);
}

/** For the former captain, a session given away is cancelled, as it was with them. */
function asLeft({ db }: Pick<Deps, "db">, { kind, data }: Message, now: Appointment): Appointment {
  const { previousCounselor: counselorKey, previousDate: date, previousTimeSlot: timeSlot } = data;
  if (kind !== "counselor_cancelled" || !counselorKey || !date || !timeSlot) return now;
  if (now.counselorKey === counselorKey) return now;
  const counselor = findCounselorByKey(readCatalogue(db), counselorKey);
  return {
    ...now,
    ...sessionTimeOf({ counselorKey, date, timeSlot, minutes: now.minutes }),
    counselor: counselor?.name ?? now.counselor,
    // The new captain's link is not for the former one.
    meeting: counselor?.meeting ?? { kind: "call" },
    status: "cancelled",
    calendarSequence: data.sequence ?? now.calendarSequence,
  };
}

/** The same for every try, so that a mail sent twice is recognised; new for a resend. */
function messageIdOf(message: Message): string {
  const { resend } = message.data;
  return resend === undefined ? message.id : `${message.id}.${resend}`;
}

function nameOf(message: Message, appointment: Appointment | null): string {
  if (appointment === null) return "";
  if (message.audience === "customer") return travellerOf(appointment) ?? "";
  return message.audience === "counselor" ? appointment.counselor : "";
}

interface Papers {
  invoice: PrintableDocument | null;
  creditNote: PrintableDocument | null;
  calendar: OutgoingMail["calendar"];
}

/** What is attached; documents only for the customer. */
function papersOf(deps: Deps, message: Message, appointment: Appointment | null): Papers {
  const none: Papers = { invoice: null, creditNote: null, calendar: null };
  if (appointment === null || message.channel === "whatsapp") return none;
  const ahead = deps.now() < appointment.endsAt;
  switch (message.kind) {
    case "booking_confirmed":
      return {
        invoice: findInvoiceOf(deps.db, appointment.id),
        creditNote: null,
        calendar: ahead ? calendarOf(deps, message, appointment, "REQUEST") : null,
      };
    case "booking_rescheduled":
    case "joining_changed":
    case "counselor_joining_changed":
    case "counselor_new":
    case "counselor_moved":
    case "counselor_corrected":
      if (!isPaid(appointment) || !ahead) return none;
      return { ...none, calendar: calendarOf(deps, message, appointment, "REQUEST") };
    case "booking_cancelled":
    case "counselor_cancelled":
      if (!message.data.wasPaid) return none;
      return { ...none, calendar: ahead ? calendarOf(deps, message, appointment, "CANCEL") : null };
    case "refund_under_way":
      return { ...none, creditNote: noteOf(deps.db, message.data) };
    default:
      return none;
  }
}

/** A note issued before its refund was paid by hand instead stays valid, and is not sent. */
function noteOf(db: Db, { refundId = "", way }: Message["data"]): PrintableDocument | null {
  const note = findCreditNoteOfRefund(db, refundId);
  return way === "by_hand" && note?.paidMethod !== BY_HAND ? null : note;
}

function calendarOf(
  deps: Deps,
  message: Message,
  appointment: Appointment,
  method: "REQUEST" | "CANCEL",
): NonNullable<OutgoingMail["calendar"]> {
  const content = invitationFile(deps.env, appointment, {
    method,
    audience: message.audience === "counselor" ? "counselor" : "customer",
    attendee: { name: nameOf(message, appointment), email: message.recipient },
    now: deps.now(),
  });
  return { method, content };
}

async function attachmentOf(deps: Deps, document: PrintableDocument) {
  const content = await deps.documents.renderDocument(document);
  const kind = document.kind === "invoice" ? "invoice" : "credit-note";
  const filename = `${kind}-${document.number.replaceAll("/", "-")}.pdf`;
  return { filename, content, contentType: "application/pdf" };
}
