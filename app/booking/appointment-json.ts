/** An appointment in the JSON API: field names of its contract, rupees, ISO 8601 instants. */
import type { Appointment } from "#app/model/appointment.ts";
import { isoInstant } from "#app/model/dates.ts";
import { isOfflinePayment } from "#app/model/ids.ts";
import { rupeesOf } from "#app/model/money.ts";
import type { RoomKind } from "#app/model/room.ts";

export type AppointmentJson = ReturnType<typeof appointmentJson>;

/**
 * How and where the session takes place. `address` is null for a phone call, until a room exists,
 * and once the session is cancelled.
 */
export function roomJson({ roomKind, meeting, status }: Appointment) {
  const fixed: RoomKind = meeting.kind === "call" ? "phone" : "link";
  const isThere = meeting.kind === "link" && status !== "cancelled";
  return {
    kind: roomKind ?? (meeting.kind === "awaited" ? meeting.room : fixed),
    address: isThere ? meeting.url : null,
  };
}

export function appointmentJson(appointment: Appointment) {
  const { abroad, company, contact, paymentId, student, window } = appointment;
  return {
    id: appointment.id,
    name: contact.name,
    email: contact.email,
    phone: contact.phone,
    counselor: appointment.counselor,
    date: appointment.date,
    timeSlot: appointment.timeSlot,
    package: appointment.minutes,
    packagePrice: rupeesOf(appointment.price.basePaise),
    status: appointment.status,
    ...(appointment.invoiceNumber ? { invoiceUrl: `/api/invoice/${appointment.id}` } : {}),
    ...(paymentId && !isOfflinePayment(paymentId) ? { razorpayPaymentId: paymentId } : {}),
    createdAt: isoInstant(appointment.createdAt),
    ...(appointment.stateCode ? { state: appointment.stateCode } : {}),
    ...(company && {
      gstin: company.gstin,
      billingName: company.name,
      billingAddress: company.address,
    }),
    ...(abroad && {
      ...(abroad.name && { billingName: abroad.name }),
      billingAddress: abroad.address,
      country: abroad.country,
    }),
    ...(student && { student }),
    meta: contact.notes ? { notes: contact.notes } : {},
    ...(window
      ? { payBefore: isoInstant(window.payBefore), holdUntil: isoInstant(window.holdUntil) }
      : {}),
  };
}
