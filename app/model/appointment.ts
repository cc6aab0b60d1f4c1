/** An appointment: its time, its customer, its state, and the filter of a list of them. */

import type { Meeting } from "./catalogue.ts";
import type { SessionTime } from "./day-plan.ts";
import type { Price } from "./price.ts";
import {
  type AppointmentSource,
  type AppointmentStatus,
  type Attendance,
  PAID,
} from "./statuses.ts";

/** Instants, milliseconds UTC. */
export interface PaymentWindow {
  /** Until when paying may be started, and until when the time is kept. */
  payBefore: number;
  holdUntil: number;
}

/** Who comes, as typed; erased it is blank. */
export interface Contact {
  name: string;
  email: string;
  /** E.164 when it could be parsed, else as typed. */
  phone: string;
  notes: string | null;
}

/** Whom the invoice names in the customer's place; with it the sale is one between businesses. */
export interface Company {
  gstin: string;
  name: string;
  address: string;
}

export interface Appointment extends SessionTime {
  id: string;
  contact: Contact;
  company: Company | null;
  /** The captain's present name; as booked for one whom the catalogue does not know. */
  counselor: string;
  /** Null for one whom the catalogue does not know. */
  counselorEmail: string | null;
  meeting: Meeting;
  price: Price;
  status: AppointmentStatus;
  /** GST state code of the customer or their company, if given. */
  stateCode: string | null;
  /** Of an unpaid one, also when it has ended; null once it is paid, cancelled or erased. */
  window: PaymentWindow | null;
  /** How often the window was opened anew. */
  renewals: number;
  cancelReason: string | null;
  /** Why, in the words of who cancelled; the customer reads them. */
  cancelNote: string | null;
  source: AppointmentSource;
  /** Null until somebody says so. */
  attendance: Attendance | null;
  /** Never shown to the customer. */
  staffNote: string | null;
  calendarUid: string;
  calendarSequence: number;
  createdAt: number;
  version: number;
  /** The payment that pays it, once there is one. */
  paymentId: string | null;
  /** Its invoice's number, once issued. */
  invoiceNumber: string | null;
}

/** A visitor's ended payment window may be opened anew three times; of staff's link only by staff. */
export function mayRenew({ renewals, source }: Pick<Appointment, "renewals" | "source">): boolean {
  return source === "visitor" && renewals < 3;
}

/** Made by staff, unpaid, and its link can still be paid. */
export function hasOpenLink(
  { source, status, window }: Pick<Appointment, "source" | "status" | "window">,
  now: number,
): boolean {
  return source === "staff" && status === "pending_payment" && (window?.payBefore ?? 0) > now;
}

/** Paid and still to take place, or taken place. */
export function isPaid(appointment: Pick<Appointment, "status">): boolean {
  return PAID.some((paid) => paid === appointment.status);
}

/** Whether it took place can be noted from its start on. */
export function takesAttendance(
  appointment: Pick<Appointment, "status" | "startsAt">,
  now: number,
): boolean {
  return isPaid(appointment) && appointment.startsAt <= now;
}

/** Paid, or paid and then cancelled. Before that, nothing proves whose data it is. */
export function wasPaid(appointment: Pick<Appointment, "status" | "paymentId">): boolean {
  return isPaid(appointment) || appointment.paymentId !== null;
}

/** Pending within its hold. */
export function isHeld(appointment: Pick<Appointment, "status" | "window">, now: number): boolean {
  return appointment.status === "pending_payment" && (appointment.window?.holdUntil ?? 0) > now;
}

/** Only live appointments keep their time. */
export function isLive(appointment: Pick<Appointment, "status" | "window">, now: number): boolean {
  return isPaid(appointment) || isHeld(appointment, now);
}

/** Until when customers may move or cancel a booking themselves: strictly before this instant. */
export function changeableUntil(startsAt: number, hours: number): number {
  return startsAt - hours * 3_600_000;
}

export interface AppointmentFilter {
  /** Session dates, `yyyy-MM-dd` in India, both inclusive. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  counselorKey?: string | undefined;
  /** Any of them. */
  statuses?: readonly AppointmentStatus[] | undefined;
  /** The package. */
  minutes?: number | undefined;
  /** `none`: nobody has said whether the session took place. */
  attendance?: Attendance | "none" | undefined;
  /** Only those of which money goes back or went back. */
  refunded?: boolean | undefined;
  /** Part of name, e-mail, phone or id; `#` before the last 6 or 8 characters of an id. */
  q?: string | undefined;
  /** Seek in name and phone alone. */
  ofPerson?: boolean | undefined;
}

export const APPOINTMENT_SORTS = [
  "date",
  "-date",
  "created",
  "-created",
  "amount",
  "-amount",
] as const;

/** A minus is descending. */
export type AppointmentSort = (typeof APPOINTMENT_SORTS)[number];
