import { type AppointmentStatus, PAID } from "./statuses.ts";

export interface Appointment {
  id: string;
  name: string;
  email: string;
  /** E.164 when it could be parsed, else as typed. */
  phone: string;
  counselorKey: string;
  /** The catalogue's present name, or the name as booked if the counselor left the catalogue. */
  counselor: string;
  /** Wall-clock date and time in India. */
  date: string;
  timeSlot: string;
  minutes: number;
  startsAt: number;
  endsAt: number;
  basePaise: number;
  gstPaise: number;
  totalPaise: number;
  status: AppointmentStatus;
  stateCode: string | null;
  notes: string | null;
  payBefore: number | null;
  holdUntil: number | null;
  renewals: number;
  cancelReason: string | null;
  calendarUid: string;
  calendarSequence: number;
  createdAt: number;
  version: number;
  /** The payment that pays it, once there is one. */
  paymentId: string | null;
  /** Its invoice's number, once issued. */
  invoiceNumber: string | null;
}

/** An ended payment window may be opened anew three times. */
export function mayRenew({ renewals }: Pick<Appointment, "renewals">): boolean {
  return renewals < 3;
}

/** Paid and still to take place, or taken place. */
export function isPaid(appointment: Pick<Appointment, "status">): boolean {
  return PAID.some((paid) => paid === appointment.status);
}

/** Paid, or paid and then cancelled. Before that, nothing proves whose data it is. */
export function wasPaid(appointment: Pick<Appointment, "status" | "paymentId">): boolean {
  return isPaid(appointment) || appointment.paymentId !== null;
}

/** Live: paid, or pending within its hold. Only live appointments keep their time. */
export function isLive(
  appointment: Pick<Appointment, "status" | "holdUntil">,
  now: number,
): boolean {
  if (appointment.status === "pending_payment") {
    return appointment.holdUntil !== null && appointment.holdUntil > now;
  }
  return isPaid(appointment);
}
