/** Views of customers. */
import { href } from "react-router";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { readCustomer, sessionsAhead, unmatchedMoney } from "#app/customers/customers.server.ts";
import { found } from "#app/http/found.ts";
import { adminDate, adminInstant, adminSession, dateInIndia } from "#app/model/dates.ts";
import { tableId } from "#app/model/ids.ts";
import { messageLabel } from "#app/model/messages.ts";
import { formatAmount, formatMoney } from "#app/model/money.ts";
import { readablePhone } from "#app/model/phone.server.ts";
import { attendanceLabel, channelWords } from "#app/model/wording.ts";
import {
  disputeView,
  keptOf,
  looseEnds,
  refundView,
  statusNote,
} from "#app/routes/admin/parts/views.server.ts";
import { messageStateWords, paidWhen, paymentWords } from "#app/routes/admin/parts/words.ts";
import type { Customer } from "#db/queries/customers.server.ts";
import { listDocumentsOf } from "#db/queries/documents.server.ts";
import { stillAsking } from "#db/queries/help-calls.server.ts";
import type { Message } from "#db/queries/messages.server.ts";

export function customerRow({ id, name, email, phone, sessions, paid, lastStartsAt }: Customer) {
  const last = adminDate(dateInIndia(lastStartsAt));
  return { id, name, email, phone: phone && readablePhone(phone), sessions, paid, last };
}

export type CustomerView = ReturnType<typeof readCustomerView>;

/** Without `mayAll`, payments that belong to no booking are left out. Throws a 404 page. */
export function readCustomerView(deps: ReadDeps, id: string, mayAll: boolean) {
  const detail = found(readCustomer(deps, id));
  const { customer, bookings } = detail;
  const messages = [...bookings.flatMap((one) => one.messages), ...detail.messages];
  const loose = mayAll ? detail.payments.map((one) => ({ ...one, refunds: [], disputes: [] })) : [];
  return {
    customer: customerRow(customer),
    bookings: bookings.map((one) => bookingView(one, deps.now())),
    payments: [...bookings.flatMap((one) => one.payments), ...loose].map(paymentView),
    documents: documentsOf(deps, bookings),
    messages: messages
      .filter(({ audience }) => audience === "customer")
      .sort((one, other) => other.createdAt - one.createdAt)
      .map(messageView),
  };
}

/** What erasing the customer would do. Throws a 404 page. */
export function readErasure(deps: ReadDeps, id: string) {
  const { customer, bookings, messages, payments } = found(readCustomer(deps, id));
  const appointments = bookings.map(({ appointment }) => appointment);
  const ids = appointments.map((one) => one.id);
  const documents = ids.flatMap((one) => listDocumentsOf(deps.db, one));
  const open = unmatchedMoney(deps.db, payments).map((money) => formatMoney(money, formatAmount));
  return {
    customer: customerRow(customer),
    messages: messages.length + bookings.flatMap((one) => one.messages).length,
    ...looseEnds(deps, ids),
    unmatched: open.length > 0 ? [{ to: href("/admin/unmatched"), words: open.join(", ") }] : [],
    asking: stillAsking(deps.db, appointments).map(({ id: to, date, timeSlot }) => ({
      to: href("/admin/appointments/:id", { id: to }),
      words: adminSession(date, timeSlot),
    })),
    documents: documents.map(({ number }) => number),
    kept: keptOf(documents),
    ahead: sessionsAhead(appointments, deps.now()).map(({ id: to, date, timeSlot }) => ({
      to: href("/admin/appointments/:id/cancel", { id: to }),
      words: adminSession(date, timeSlot),
    })),
  };
}

function bookingView({ appointment }: AppointmentDetail, now: number) {
  const { id, contact, attendance, staffNote } = appointment;
  return {
    id,
    to: href("/admin/appointments/:id", { id }),
    shortId: tableId(id),
    session: adminSession(appointment.date, appointment.timeSlot),
    captain: appointment.counselor,
    minutes: appointment.minutes,
    status: appointment.status,
    note: statusNote(appointment, now) ?? (attendance && attendanceLabel(attendance)),
    total: formatAmount(appointment.price.totalPaise),
    question: contact.notes,
    staffNote,
  };
}

function paymentView(payment: AppointmentDetail["payments"][number]) {
  return {
    id: payment.paymentId,
    when: paidWhen(payment),
    words: `${formatAmount(payment.amountPaise)}, ${paymentWords(payment.outcome)}`,
    disputes: payment.disputes.map(disputeView(payment.currency)),
    refunds: payment.refunds
      .map(refundView(payment.currency))
      .map(({ id, amount, words, when }) => {
        return { id, words: `Refund of ${amount}: ${words}, ${when}` };
      }),
  };
}

function documentsOf({ db }: ReadDeps, bookings: readonly AppointmentDetail[]) {
  return bookings
    .flatMap(({ appointment }) => listDocumentsOf(db, appointment.id))
    .map(({ number, kind, onDate, totalPaise, customerName, appointmentId: id, refundId }) => ({
      number,
      // By booking; addresses by number need access to the Documents page.
      to: refundId
        ? `${href("/api/credit-note/:id", { id })}?refund=${refundId}`
        : href("/api/invoice/:id", { id }),
      words: `${kind === "invoice" ? "Invoice" : "Credit note"}, ${adminDate(onDate)}, ${formatAmount(totalPaise)}, ${customerName}`,
    }));
}

function messageView({ id, kind, channel, state, recipient, sentAt, createdAt }: Message) {
  return {
    id,
    words: `${messageLabel(kind)}: ${channelWords(channel)}, ${messageStateWords(state)}`,
    when: `${recipient}, ${adminInstant(sentAt ?? createdAt)}`,
  };
}
