/** An appointment with everything that hangs on it, worded for the admin's dialogs. */
import { data, href } from "react-router";
import {
  type AppointmentDetail,
  readAppointmentDetail,
} from "#app/booking/appointment-detail.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { stateName } from "#app/documents/render/tax-lines.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { adminDate, adminInstant } from "#app/model/dates.ts";
import { messageErrorWords } from "#app/model/error-words.ts";
import { isId } from "#app/model/ids.ts";
import { type Message, messageLabel } from "#app/model/messages.ts";
import { formatAmount, netOf, priceWords } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { type CancelReason, cancelledBy } from "#app/model/wording.ts";
import { whyNotSentAgain } from "#app/notifications/held-back.ts";
import { timesResent } from "#app/notifications/resend.server.ts";
import { disputeView, historyView, sessionView } from "#app/routes/admin/parts/row-views.server.ts";
import { channelWords, messageStateWords, paymentWords } from "#app/routes/admin/parts/words.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { isOptedOut } from "#db/queries/opt-outs.server.ts";
import { moneyView, panelRefund, sourceWords } from "./money-view.server.ts";

type ReadDeps = Pick<Deps, "db" | "env" | "now">;

/** Throws the page's 404. */
export function requireAppointment({ db }: Pick<Deps, "db">, id: string | undefined): Appointment {
  const appointment = isId(id) ? findAppointment(db, id) : null;
  if (!appointment) throw data(null, { status: 404 });
  return appointment;
}

export type AppointmentDetails = ReturnType<typeof readDetails>;

/** Throws the page's 404. */
export function readDetails(deps: ReadDeps, id: string | undefined) {
  const detail = readAppointmentDetail(deps, id);
  if (!detail) throw data(null, { status: 404 });
  const { appointment, invoice } = detail;
  return {
    session: sessionView(appointment, deps.now()),
    bookingUrl: `${deps.env.publicUrl}${href("/booking/:id", { id: appointment.id })}`,
    /** Null for an erased one. */
    customerId: findCustomerId(deps.db, appointment.contact.email),
    email: appointment.contact.email,
    phone: appointment.contact.phone,
    state: appointment.stateCode && stateName(appointment.stateCode),
    company: appointment.company,
    createdAt: adminInstant(appointment.createdAt),
    price: priceWords(appointment.price, formatAmount),
    paymentId: appointment.paymentId,
    money: moneyView(deps, detail),
    notes: appointment.contact.notes,
    staffNote: appointment.staffNote,
    cancelReason: appointment.cancelReason && cancelledBy(appointment.cancelReason as CancelReason),
    cancelNote: appointment.status === "cancelled" ? appointment.cancelNote : null,
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
    messages: detail.messages.map((message) =>
      messageView(
        message,
        whyNotSentAgain(message, appointment, isOptedOut(deps.db, message.recipient)),
      ),
    ),
    heldBack: detail.messages.filter(({ state }) => state === "held_back").length,
    history: detail.history.map(historyView).reverse(),
  };
}

function paymentView(payment: AppointmentDetail["payments"][number]) {
  const { feePaise, feeTaxPaise } = payment;
  const netPaise = netOf(payment);
  return {
    /** Null until the provider tells its fee, and where it has none. */
    fee:
      netPaise === null || isOfflinePayment(payment.paymentId)
        ? null
        : `Fee ${formatAmount(feePaise ?? 0)} and GST on it ${formatAmount(feeTaxPaise ?? 0)}, net ${formatAmount(netPaise)}`,
    paymentId: payment.paymentId,
    amount: formatAmount(payment.amountPaise),
    words: paymentWords(payment.outcome),
    when: adminInstant(payment.capturedAt ?? payment.createdAt),
    disputes: payment.disputes.map(disputeView),
    source: sourceWords(payment),
    refunds: payment.refunds.map(panelRefund),
  };
}

function messageView(message: Message, whyNotAgain: string | null) {
  return {
    id: message.id,
    label: messageLabel(message.kind),
    channel: channelWords(message.channel),
    recipient: message.recipient,
    words: messageStateWords(message.state),
    failed: message.state === "failed",
    when: adminInstant(message.sentAt ?? message.createdAt),
    attempts: message.attempts,
    /** Why it was not sent, or not yet. */
    reason: message.lastError ? messageErrorWords(message.lastError) : null,
    sends: timesResent(message),
    canResend: message.state !== "queued" && whyNotAgain === null,
  };
}
