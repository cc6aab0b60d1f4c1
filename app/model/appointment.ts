/** An appointment: its customer, its state, until when a customer may change it, and the filters of the list. */
import { dateInIndia, formatClock, formatShortDay, HOUR, MINUTE } from "./dates.ts";
import type { SessionTime } from "./day-plan.ts";
import type { Price } from "./money.ts";
import type { Meeting, OwnRoom } from "./room.ts";
import {
  type AppointmentSource,
  type AppointmentStatus,
  type Attendance,
  PAID,
} from "./statuses.ts";

export interface PaymentWindow {
  /** Until when a payment may be started. */
  payBefore: number;
  /** Until when the time is kept. */
  holdUntil: number;
}

/** Who comes, as typed; blank once erased. */
export interface Contact {
  name: string;
  email: string;
  /** E.164; a number of no known plan may have been stored as typed. */
  phone: string;
  notes: string | null;
}

/** Named on the invoice instead of the customer; it makes the sale one between businesses. */
export interface Company {
  gstin: string;
  name: string;
  address: string;
}

/** Of a customer outside India, whose invoice names where they live (Rule 46 CGST). */
export interface Abroad {
  country: string;
  address: string;
  /** Of their company; null: in their own name. */
  name: string | null;
}

/** Whom the session is for, where that is not who booked. */
export interface Student {
  name: string;
  under18: boolean;
  /** What who booked is to them, in their own words. */
  relation: string | null;
}

export interface Appointment extends SessionTime, OwnRoom {
  id: string;
  contact: Contact;
  student: Student | null;
  company: Company | null;
  abroad: Abroad | null;
  /** The captain's present name; as booked if the catalogue does not know them. */
  counselor: string;
  /** Null if the catalogue does not know the captain. */
  counselorEmail: string | null;
  meeting: Meeting;
  price: Price;
  status: AppointmentStatus;
  /** GST state code of the customer or their company, if given. */
  stateCode: string | null;
  /** Of an unpaid one, even if it has ended; null once paid, cancelled or erased. */
  window: PaymentWindow | null;
  renewals: number;
  cancelReason: string | null;
  /** Why it was cancelled; the customer reads it. */
  cancelNote: string | null;
  source: AppointmentSource;
  /** Unpaid, and its hold was given by staff: made by them, or held again. */
  heldByStaff: boolean;
  /** False: no WhatsApp messages about it; refused by a visitor, or not agreed to when staff booked. */
  whatsapp: boolean;
  /**
   * In hours before the start, as shown by the form that made the booking or last moved it unpaid;
   * null: made before it was kept.
   */
  cutoffHours: number | null;
  /** Null until somebody notes it. */
  attendance: Attendance | null;
  /** Never shown to the customer. */
  staffNote: string | null;
  calendarUid: string;
  calendarSequence: number;
  createdAt: number;
  version: number;
  paymentId: string | null;
  invoiceNumber: string | null;
}

/** A visitor's window can be opened again three times; one that staff gave only by staff. */
export function mayRenew({
  renewals,
  heldByStaff,
}: Pick<Appointment, "renewals" | "heldByStaff">): boolean {
  return !heldByStaff && renewals < 3;
}

/** A visitor's holds of one booking end at the latest this long after it was made. */
const LONGEST_HELD_MS = 2 * HOUR;
/** Milliseconds that a payment begun at the last moment may take. */
export const PAYING_TAKES_MS = 15 * MINUTE;

/** The owner's settings for the holds of visitors, in seconds. */
export interface HoldTimes {
  paymentWindowSeconds: number;
  holdSeconds: number;
}

/** The longest time that a visitor's hold may last, in milliseconds. */
export function longestHold({ holdSeconds }: Pick<HoldTimes, "holdSeconds">): number {
  return Math.max(LONGEST_HELD_MS, holdSeconds * 1000);
}

/** True once a visitor has held the booking for as long as allowed. */
export function isHeldTooLong(
  times: HoldTimes,
  { createdAt }: Pick<Appointment, "createdAt">,
  now: number,
): boolean {
  const gap = (times.holdSeconds - times.paymentWindowSeconds) * 1000;
  return createdAt + longestHold(times) - Math.min(gap, PAYING_TAKES_MS) <= now;
}

/** Why a visitor may not open an ended window again, even if its time is free; null if they may. */
export function refuseRenewal(
  appointment: Pick<Appointment, "renewals" | "heldByStaff" | "startsAt" | "createdAt">,
  rules: HoldTimes & { minNoticeMinutes: number },
  now: number,
): "too_often" | "too_soon" | null {
  if (!mayRenew(appointment) || isHeldTooLong(rules, appointment, now)) return "too_often";
  return appointment.startsAt <= now + rules.minNoticeMinutes * MINUTE ? "too_soon" : null;
}

/** Held by staff, unpaid, and still payable. */
export function hasOpenLink(
  { heldByStaff, status, window }: Pick<Appointment, "heldByStaff" | "status" | "window">,
  now: number,
): boolean {
  return heldByStaff && status === "pending_payment" && (window?.payBefore ?? 0) > now;
}

/** Who comes: the student, or else who booked. */
export function attendeeOf({ student, contact }: Pick<Appointment, "student" | "contact">): string {
  return student?.name ?? contact.name;
}

export function isPaid(appointment: Pick<Appointment, "status">): boolean {
  return PAID.some((paid) => paid === appointment.status);
}

/** Attendance can be noted from the start on. */
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

/** Unpaid and within its hold. */
export function isHeld(appointment: Pick<Appointment, "status" | "window">, now: number): boolean {
  return appointment.status === "pending_payment" && (appointment.window?.holdUntil ?? 0) > now;
}

/** Only live appointments keep their time. */
export function isLive(appointment: Pick<Appointment, "status" | "window">, now: number): boolean {
  return isPaid(appointment) || isHeld(appointment, now);
}

/** Hours before the start: as agreed when the booking was made, else as set now. */
export function cutoffOf(
  { cutoffHours }: Pick<Appointment, "cutoffHours">,
  hoursNow: number,
): number {
  return cutoffHours ?? hoursNow;
}

/** Until when customers may move or cancel a booking themselves (exclusive). */
export function changeableUntil(startsAt: number, hours: number): number {
  return startsAt - hours * HOUR;
}

/** What cancelling in time gives back of a booking of which nothing was refunded before. */
export const FULL_REFUND = "cancel it with a full refund";

/** `24 hours`. */
export function hoursWords(hours: number): string {
  return hours === 1 ? "1 hour" : `${hours} hours`;
}

/** A time to pay: `15 minutes`, below one `45 seconds`; never longer than it is. */
export function payTimeWords(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? "1 second" : `${seconds} seconds`;
  const minutes = Math.floor(seconds / 60);
  return minutes === 1 ? "1 minute" : `${minutes} minutes`;
}

/** `24 hours before the start`; without a cut-off `the start`. `what` is what begins then. */
export function untilWords(cutoffHours: number, what = "the start"): string {
  return cutoffHours === 0 ? what : `${hoursWords(cutoffHours)} before ${what}`;
}

export interface Terms {
  startsAt: number;
  now: number;
  /** Hours before the start. */
  cutoffHours: number;
  /** What cancelling gives back, after "you can move the session, or". */
  cancelOffer?: string;
}

/** Says what a customer may still do; the sentence names no moment that has passed. */
export function changeTerms(terms: Terms): string {
  const { startsAt, now, cutoffHours, cancelOffer = FULL_REFUND } = terms;
  const until = changeableUntil(startsAt, cutoffHours);
  if (now >= until) {
    const what = now < startsAt ? `begins in less than ${hoursWords(cutoffHours)}` : "has begun";
    return `This session ${what}: it cannot be moved or refunded online.`;
  }
  const words = `${formatShortDay(dateInIndia(until))}, ${formatClock(until)} IST`;
  return cancelOffer === FULL_REFUND
    ? `Free to move or cancel until ${words}.`
    : `You can move the session, or ${cancelOffer}, until ${words}.`;
}

export interface AppointmentFilter {
  /** Session dates, `yyyy-MM-dd` in India, both inclusive. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  counselorKey?: string | undefined;
  statuses?: readonly AppointmentStatus[] | undefined;
  minutes?: number | undefined;
  /** `none`: not noted yet. */
  attendance?: Attendance | "none" | undefined;
  refunded?: boolean | undefined;
  /** Part of a name, e-mail, phone or id; `#` before the last 6 or 8 characters of an id. */
  q?: string | undefined;
  /** True for a captain's search: `q` finds people only. */
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

/** A minus means descending. */
export type AppointmentSort = (typeof APPOINTMENT_SORTS)[number];
