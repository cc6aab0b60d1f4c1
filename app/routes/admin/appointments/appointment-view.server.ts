/** The view of an appointment's panel, and what the dialogs about one share. */
import { href } from "react-router";
import {
  type AppointmentDetail,
  readAppointmentDetail,
} from "#app/booking/appointment-detail.server.ts";
import { refuseLink } from "#app/booking/payment-window.ts";
import type { Deps, ReadDeps } from "#app/core/deps.server.ts";
import { stateName } from "#app/documents/document-facts.ts";
import { found } from "#app/http/found.ts";
import type { Appointment, Student } from "#app/model/appointment.ts";
import { adminDate, adminInstant, formatDeadline } from "#app/model/dates.ts";
import { messageErrorWords } from "#app/model/error-words.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { messageLabel } from "#app/model/messages.ts";
import { formatAmount, netOf, priceWords } from "#app/model/money.ts";
import { sumsFacts, sumsOf } from "#app/model/refund.ts";
import {
  type CancelReason,
  cancelledBy,
  channelWords,
  paymentMethodWords,
  reasonWords,
} from "#app/model/wording.ts";
import { presentRecipient, timesResent } from "#app/notifications/queue.server.ts";
import { holdsCode, whyNotSentAgain } from "#app/notifications/relevance.ts";
import { bookingUrl } from "#app/notifications/templates/content.ts";
import type { Asked } from "#app/routes/admin/parts/form-page.server.ts";
import { helpView } from "#app/routes/admin/parts/help-view.server.ts";
import {
  disputeView,
  historyView,
  planLink,
  refundView,
  sessionView,
} from "#app/routes/admin/parts/views.server.ts";
import {
  messageStateWords,
  paidWhen,
  paymentWords,
  refundWarning,
} from "#app/routes/admin/parts/words.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { isOptedOut } from "#db/queries/message-leases.server.ts";
import type { Message } from "#db/queries/messages.server.ts";
import { listDisputesOf } from "#db/queries/refunds.server.ts";

/** The appointment that a dialog is about. Throws a 404 response for an unknown one. */
export function appointmentAsked({ deps, params }: Asked<{ params: { id?: string } }>) {
  return found(findAppointment(deps.db, params.id ?? ""));
}

export type AppointmentDetails = ReturnType<typeof readDetails>;

export function readDetails(deps: ReadDeps, id: string | undefined) {
  const detail = found(readAppointmentDetail(deps, id));
  const { appointment, invoice } = detail;
  return {
    session: sessionView(appointment, deps.now()),
    bookingUrl: `${deps.env.publicUrl}${href("/booking/:id", { id: appointment.id })}`,
    /** Null after the customer was erased. */
    customerId: findCustomerId(deps.db, appointment.contact.email),
    email: appointment.contact.email,
    phone: appointment.contact.phone,
    state: appointment.stateCode && stateName(appointment.stateCode),
    student: appointment.student && studentWords(appointment.student),
    company: appointment.company,
    abroad: appointment.abroad,
    createdAt: adminInstant(appointment.createdAt),
    price: priceWords(appointment.price, formatAmount),
    paymentId: appointment.paymentId,
    money: moneyView(deps, detail),
    guardian: guardianView(detail),
    answers: detail.answers,
    help: helpView(deps, appointment, appointment.id),
    plan: planLink(deps, appointment, appointment.id),
    notes: appointment.contact.notes,
    staffNote: appointment.staffNote,
    cancelReason: appointment.cancelReason && cancelledBy(appointment.cancelReason as CancelReason),
    cancelNote: appointment.status === "cancelled" ? reasonWords(appointment.cancelNote) : null,
    invoice: invoice && {
      ...invoice,
      date: adminDate(invoice.date),
      url: href("/api/invoice/:id", { id: appointment.id }),
    },
    creditNotes: detail.creditNotes.map((note) => ({
      refundId: note.refundId,
      number: note.number,
      words: `${note.number}, ${adminDate(note.date)}, ${formatAmount(note.totalPaise)}`,
      url: `${href("/api/credit-note/:id", { id: appointment.id })}?refund=${note.refundId}`,
    })),
    payments: detail.payments.map(paymentView),
    messages: detail.messages.map((message) => messageView(deps, appointment, message)),
    heldBack: detail.messages.filter(({ state }) => state === "held_back").length,
    history: detail.history.map(historyView).reverse(),
  };
}

function studentWords({ name, under18, relation }: Student): string {
  const more = [under18 && "under 18", relation && `booked by: ${relation}`].filter(Boolean);
  return [name, ...more].join(", ");
}

/** Null unless the student is under 18 and the session was paid. */
function guardianView({ appointment, guardian }: AppointmentDetail) {
  if (!guardian || !appointment.student) return null;
  const { confirmedAt, relation, words } = guardian;
  const state = confirmedAt
    ? `Confirmed on ${adminInstant(confirmedAt)}, as ${relation} of ${appointment.student.name}`
    : "Not confirmed yet: the link went out by email, and can be sent again below.";
  return { state, words };
}

type Payment = AppointmentDetail["payments"][number];

function paymentView(payment: Payment) {
  const { feePaise, feeTaxPaise } = payment;
  const netPaise = netOf(payment);
  return {
    /** Null until the provider reports its fee, and for payments outside the provider. */
    fee:
      netPaise === null || isOfflinePayment(payment.paymentId)
        ? null
        : `Fee ${formatAmount(feePaise ?? 0)} and GST on it ${formatAmount(feeTaxPaise ?? 0)}, net ${formatAmount(netPaise)}`,
    paymentId: payment.paymentId,
    amount: formatAmount(payment.amountPaise),
    words: paymentWords(payment.outcome),
    when: paidWhen(payment),
    disputes: payment.disputes.map(disputeView(payment.currency)),
    warning: refundWarning(payment.disputes, payment.currency),
    source: sourceWords(payment),
    refunds: payment.refunds.map(refundView(payment.currency)),
  };
}

function messageView({ db }: Pick<Deps, "db">, appointment: Appointment, message: Message) {
  const isOut = isOptedOut(db, presentRecipient(message, appointment));
  const whyNot = whyNotSentAgain(message, appointment, isOut);
  return {
    id: message.id,
    label: messageLabel(message.kind),
    channel: channelWords(message.channel),
    recipient: message.recipient,
    words: messageStateWords(message.state),
    failed: message.state === "failed",
    when: adminInstant(message.sentAt ?? message.createdAt),
    attempts: message.attempts,
    /** Why it has not been sent. */
    reason: message.lastError ? messageErrorWords(message.lastError) : null,
    sends: timesResent(message),
    canResend: message.state !== "queued" && !holdsCode(message.kind) && whyNot === null,
  };
}

/** The sums, whether a refund is possible, and the payment link of a staff booking. */
function moneyView(
  { env, now }: Pick<Deps, "env" | "now">,
  { appointment, payments }: AppointmentDetail,
) {
  const { id, status, heldByStaff, window } = appointment;
  const sums = sumsOf(
    payments,
    payments.flatMap(({ refunds }) => refunds),
  );
  const isUnpaid = status === "pending_payment";
  const mayHoldAgain = isUnpaid && refuseLink(appointment.startsAt, now()) === null;
  const ended = `The time to pay has ended.${mayHoldAgain ? " Hold the booking again to open it anew." : ""}`;
  return {
    sums: payments.length === 0 ? [] : sumsFacts(sums, formatAmount),
    isUnpaid,
    mayHoldAgain,
    mayRefund: appointment.paymentId !== null && sums.keptPaise > 0,
    payLink:
      heldByStaff && window
        ? {
            url: bookingUrl(env, id),
            until:
              window.payBefore > now()
                ? `It can be paid until ${formatDeadline(window.payBefore, now(), adminInstant)}.`
                : ended,
          }
        : null,
  };
}

/** For all payments of a booking. */
export function disputeWarning({ db }: Pick<Deps, "db">, appointmentId: string): string | null {
  return refundWarning(listDisputesOf(db, appointmentId));
}

/** How the money was paid; for payments outside the provider, also when it was received. */
function sourceWords({ paymentId, method, reference, receivedOn }: Payment): string | null {
  const by = method && paymentMethodWords(method);
  if (!isOfflinePayment(paymentId)) return by ? `Paid online by ${by}` : null;
  return [
    `Paid outside by ${by}`,
    receivedOn && `received on ${adminDate(receivedOn)}`,
    reference && `reference ${reference}`,
  ]
    .filter(Boolean)
    .join(", ");
}
