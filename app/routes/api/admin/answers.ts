/** What the admin calls answer: rupees, ISO instants, the names of the contract. */
import type { RouterContextProvider } from "react-router";
import { type Addressed, shownId } from "#app/auth/own-reach.server.ts";
import { ownCounselor } from "#app/auth/require-admin.server.ts";
import { accessOf } from "#app/auth/team.server.ts";
import type { BusyCalendarState } from "#app/availability/busy-calendars.server.ts";
import type { Clash } from "#app/availability/clashes.server.ts";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { appointmentJson } from "#app/booking/appointment-json.ts";
import type { ActivityEntry } from "#app/model/activity.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { type Catalogue, type Counselor, findCounselorByKey } from "#app/model/catalogue.ts";
import { isoInstant } from "#app/model/dates.ts";
import { isUndecided } from "#app/model/dispute.ts";
import type { Message } from "#app/model/messages.ts";
import { netOf, rupeesOf } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import type { StoredDispute } from "#db/queries/disputes.server.ts";
import type { LeaveEntry } from "#db/queries/hours.server.ts";
import type { StoredRefund } from "#db/queries/payments.server.ts";
import type { Account } from "#db/queries/team.server.ts";

type Context = Readonly<RouterContextProvider>;

/**
 * A session as its captain knows it: who, when, what was asked. No e-mail, no sum, and the booking's
 * id is another's to know.
 */
function sessionJson(appointment: Appointment) {
  const { contact, calendarUid: id, counselor, date, timeSlot, status, attendance } = appointment;
  return {
    ...{ id, name: contact.name, phone: contact.phone, counselor, date, timeSlot },
    package: appointment.minutes,
    ...{ status, attendance },
    ...(appointment.stateCode ? { state: appointment.stateCode } : {}),
    meta: contact.notes ? { notes: contact.notes } : {},
  };
}

/** As who is signed in may see it. */
export function rowJson(context: Context, appointment: Appointment) {
  const isOwn = ownCounselor(context) !== null;
  return isOwn ? sessionJson(appointment) : listedAppointmentJson(appointment);
}

/** The same after a change, with the staff note and the version that the next change may send. */
export function changedJson(context: Context, appointment: Appointment) {
  const { staffNote, version } = appointment;
  return { appointment: { ...rowJson(context, appointment), staffNote, version } };
}

/** With what visitors are never told. */
function listedAppointmentJson(appointment: Appointment) {
  const { attendance, source } = appointment;
  return { ...appointmentJson(appointment), attendance, source };
}

/** With the version that the next change may send. */
export function changedAppointmentJson(appointment: Appointment) {
  const { staffNote, version } = appointment;
  return { ...listedAppointmentJson(appointment), staffNote, version };
}

/** The contract can be read both ways, so what belongs to the appointment stands in and beside it. */
export function appointmentDetailJson(detail: AppointmentDetail) {
  const creditNotes = detail.creditNotes.map(({ totalPaise, ...note }) => {
    return { ...note, amount: rupeesOf(totalPaise) };
  });
  const parts = {
    payments: detail.payments.map(paymentJson),
    invoice: detail.invoice,
    creditNotes,
    creditNote: creditNotes.at(-1) ?? null,
    messages: detail.messages.map(messageJson),
    history: detail.history.map(activityJson),
  };
  return { appointment: { ...changedAppointmentJson(detail.appointment), ...parts }, ...parts };
}

/** `fee` is without its tax, `net` the amount less both; null until the provider tells its fee. */
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

/** Of several, one that is not decided yet; else the newest. */
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

export function busyCalendarJson({ lastReadAt, version: _, ...state }: BusyCalendarState) {
  return { ...state, lastReadAt: lastReadAt === null ? null : isoInstant(lastReadAt) };
}

/** Without the former names, which only resolve. */
export function counselorJson({ formerNames: _, ...counselor }: Counselor) {
  return counselor;
}

/** For those who may not edit the catalogue: where sessions take place is each captain's own. */
export function offeredCounselorJson(counselor: Counselor) {
  const { email: _, meeting: __, ...rest } = counselorJson(counselor);
  return rest;
}

type Affected = Addressed & Pick<Clash, "name" | "date" | "timeSlot" | "status">;

/** A change of times, its affected sessions by the fields of an appointment. */
export function affectedJson<T extends { affected: Affected[] }>(context: Context, change: T) {
  return {
    ...change,
    affected: change.affected.map((session) => {
      const { name, date, timeSlot, status } = session;
      return { id: shownId(ownCounselor(context), session), name, date, timeSlot, status };
    }),
  };
}

/** `active`: access is given; `invited`: no password is set with it yet. Never the invitation itself. */
export function accountJson(catalogue: Pick<Catalogue, "counselors">, account: Account) {
  const { username, email, role, counselorKey } = account;
  const counselor = counselorKey === null ? null : findCounselorByKey(catalogue, counselorKey);
  const access = accessOf(account);
  return {
    ...{ username, email, role, counselor: counselor?.name ?? null },
    ...{ active: access !== "none", invited: access === "invited" },
  };
}

/** A leave of all names no counselor. */
export function leaveJson(catalogue: Pick<Catalogue, "counselors">, entry: LeaveEntry) {
  const { id, counselorKey, from, to, reason } = entry;
  const counselor = counselorKey && findCounselorByKey(catalogue, counselorKey);
  return { id, counselor: counselor ? counselor.name : null, from, to, reason };
}
