/** Responses of the admin calls: amounts in rupees, instants in ISO 8601, names of the contract. */
import { type Addressed, shownId } from "#app/auth/require-admin.server.ts";
import type { Clash } from "#app/availability/clashes.server.ts";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { appointmentJson, roomJson } from "#app/booking/appointment-json.ts";
import type { ActivityEntry } from "#app/model/activity.ts";
import type { Appointment } from "#app/model/appointment.ts";
import type { Answer } from "#app/model/catalogue.ts";
import { isoInstant } from "#app/model/dates.ts";
import { isUndecided } from "#app/model/dispute.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { netOf, rupeesOf } from "#app/model/money.ts";
import { planJson } from "#app/sessions/plan.server.ts";
import type { Message } from "#db/queries/messages.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";
import type { StoredDispute } from "#db/queries/refunds.server.ts";
import type { AdminCall } from "./call.server.ts";

/** A session as its captain sees it: no e-mail address, no amounts, and not the booking's id. */
function sessionJson(appointment: Appointment) {
  const { contact, calendarUid, counselor, date, timeSlot, status, attendance } = appointment;
  return {
    id: calendarUid,
    name: contact.name,
    phone: contact.phone,
    counselor,
    date,
    timeSlot,
    package: appointment.minutes,
    status,
    attendance,
    ...(appointment.stateCode ? { state: appointment.stateCode } : {}),
    meta: contact.notes ? { notes: contact.notes } : {},
  };
}

/** As a captain (`own`) may see it, or owners and staff (null), with what visitors never see. */
export function rowJson(appointment: Appointment, own: string | null) {
  if (own !== null) return sessionJson(appointment);
  const { attendance, source } = appointment;
  return { ...appointmentJson(appointment), attendance, source };
}

/** With the staff note, and the version to be sent with the next change. */
export function changedAppointmentJson(appointment: Appointment, own: string | null = null) {
  const { student, staffNote, version } = appointment;
  return {
    ...rowJson(appointment, own),
    // Captains are shown only the name.
    student: student && own !== null ? { name: student.name } : student,
    staffNote,
    version,
  };
}

export function changedJson(appointment: Appointment, { own }: AdminCall) {
  return { appointment: changedAppointmentJson(appointment, own) };
}

export function answersJson(answers: readonly Answer[]) {
  return answers.map(({ label, answer }) => ({ label, answer }));
}

/** The contract can be read both ways, so these parts stand both in `appointment` and beside it. */
export function appointmentDetailJson(detail: AppointmentDetail) {
  const creditNotes = detail.creditNotes.map(({ totalPaise, ...note }) => {
    return { ...note, amount: rupeesOf(totalPaise) };
  });
  const appointment = changedAppointmentJson(detail.appointment);
  const parts = {
    student: appointment.student,
    payments: detail.payments.map(paymentJson),
    room: roomJson(detail.appointment),
    invoice: detail.invoice,
    creditNotes,
    creditNote: creditNotes.at(-1) ?? null,
    messages: detail.messages.map(messageJson),
    history: detail.history.map(activityJson),
    answers: answersJson(detail.answers),
    plan: planJson(detail.plan),
  };
  return { appointment: { ...appointment, ...parts }, ...parts };
}

/** `fee` excludes its tax; `net` is the amount less both. Null until the provider reports the fee. */
function paymentJson(payment: AppointmentDetail["payments"][number]) {
  const refunds = payment.refunds.map(refundJson);
  const { feePaise, feeTaxPaise } = payment;
  const netPaise = netOf(payment);
  return {
    paymentId: payment.paymentId,
    source: isOfflinePayment(payment.paymentId) ? "offline" : "provider",
    method: payment.method,
    reference: payment.reference,
    receivedOn: payment.receivedOn,
    fee: feePaise === null ? null : rupeesOf(feePaise),
    feeTax: feeTaxPaise === null ? null : rupeesOf(feeTaxPaise),
    net: netPaise === null ? null : rupeesOf(netPaise),
    amount: rupeesOf(payment.amountPaise),
    status: payment.providerStatus,
    ...disputeJson(payment.disputes),
    ...(refunds.length > 0 ? { refund: refunds.at(-1) } : {}),
    refunds,
  };
}

/** The newest undecided dispute, else the newest of all. */
function disputeJson(disputes: readonly StoredDispute[]) {
  const dispute = disputes.findLast(isUndecided) ?? disputes.at(-1);
  if (!dispute) return {};
  const { phase, status, amountPaise, respondBy } = dispute;
  const by = respondBy === null ? null : isoInstant(respondBy);
  return { dispute: { phase, status, amount: rupeesOf(amountPaise), respondBy: by } };
}

export function refundJson(refund: StoredRefund) {
  return {
    refundId: refund.id,
    providerRefundId: refund.providerRefundId,
    amount: rupeesOf(refund.amountPaise),
    status: refund.state,
    way: refund.way,
  };
}

export function messageJson(message: Message) {
  const { id, kind, channel, state, attempts, lastError } = message;
  return { id, kind, channel, state, attempts, lastError };
}

export function activityJson({ at, actor, role, action, target, before, after }: ActivityEntry) {
  return { at: isoInstant(at), actor, role, action, target, before, after };
}

type Affected = Addressed & Pick<Clash, "name" | "date" | "timeSlot" | "status">;

/** A change of times, with the affected sessions under the field names of an appointment. */
export function affectedJson<T extends { affected: Affected[] }>(change: T, { own }: AdminCall) {
  return {
    ...change,
    affected: change.affected.map((session) => {
      const { name, date, timeSlot, status } = session;
      return { id: shownId(own, session), name, date, timeSlot, status };
    }),
  };
}
