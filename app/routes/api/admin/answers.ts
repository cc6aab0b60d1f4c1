/** What the admin calls answer: rupees, ISO instants, the names of the contract. */
import type { AffectedSession } from "#app/availability/set-availability.server.ts";
import type { AppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { type AppointmentJson, appointmentJson } from "#app/booking/appointment-json.ts";
import type { ActivityEntry } from "#app/model/activity.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { isoInstant } from "#app/model/dates.ts";
import type { Message } from "#app/model/messages.ts";
import { rupeesOf } from "#app/model/money.ts";
import type { Payment, StoredRefund } from "#db/queries/payments.server.ts";

/** With the version that the next change may send. */
export function changedAppointmentJson(
  appointment: Appointment,
): AppointmentJson & { version: number } {
  return { ...appointmentJson(appointment), version: appointment.version };
}

/** The contract can be read both ways, so what belongs to the appointment stands in and beside it. */
export function appointmentDetailJson(detail: AppointmentDetail) {
  const parts = {
    payments: detail.payments.map(paymentJson),
    invoice: detail.invoice,
    creditNote: detail.creditNote,
    messages: detail.messages.map(messageJson),
    history: detail.history.map(activityJson),
  };
  return { appointment: { ...changedAppointmentJson(detail.appointment), ...parts }, ...parts };
}

/** Of several refunds of a payment the newest is shown. */
function paymentJson(payment: Payment & { refunds: StoredRefund[] }) {
  const refund = payment.refunds.at(-1);
  return {
    paymentId: payment.paymentId,
    amount: rupeesOf(payment.amountPaise),
    status: payment.providerStatus,
    ...(refund ? { refund: refundJson(refund) } : {}),
  };
}

export function refundJson(refund: StoredRefund) {
  return {
    refundId: refund.id,
    amount: rupeesOf(refund.amountPaise),
    status: refund.state,
  };
}

export function messageJson(message: Message) {
  const { id, kind, channel, state, attempts, lastError } = message;
  return { id, kind, channel, state, attempts, lastError };
}

export function activityJson({ at, ...entry }: ActivityEntry) {
  return { at: isoInstant(at), ...entry };
}

/** A change of times, its affected sessions by the fields of an appointment. */
export function affectedJson<T extends { affected: AffectedSession[] }>(change: T) {
  return {
    ...change,
    affected: change.affected.map(({ id, name, date, timeSlot, status }) => ({
      id,
      name,
      date,
      timeSlot,
      status,
    })),
  };
}
