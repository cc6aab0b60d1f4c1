/** A valid booking request, as the form submits it, on a date of its own, so that tests of one app do not meet. */
import type { BookingInput } from "#app/booking/booking-fields.ts";
import { COUNSELORS } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import type { Db } from "#db/connection.server.ts";

export const ASHA = COUNSELORS[0]!.name;
export const ROHAN = COUNSELORS[1]!.name;

/** The date `days` from today in India. */
export function dayAhead(days: number): string {
  return addDays(dateInIndia(Date.now()), days);
}

/** Answers another date each time, from `days` ahead on, so that no two tests of a file meet. */
export function daysFrom(days: number): () => string {
  let next = days;
  return () => dayAhead(next++);
}

let serial = 0;

export interface BookingBody {
  name: string;
  email: string;
  phone: string;
  counselor: string;
  package: number | string;
  date: string;
  timeSlot: string;
  packagePrice: number;
  state?: string;
  notes?: string;
  gstin?: string;
  billingName?: string;
  billingAddress?: string;
  country?: string;
}

export const PRICES: Readonly<Record<number, number>> = { 30: 999, 45: 1299, 60: 1499 };

export function bookingBody(changes: Partial<BookingBody> = {}): BookingBody {
  serial += 1;
  const minutes = Number(changes.package ?? 30);
  return {
    name: "Meera Pillai",
    email: `meera.${serial}@example.in`,
    phone: `98450${String(10_000 + serial)}`,
    counselor: ASHA,
    package: 30,
    date: dayAhead(10),
    timeSlot: "10:00",
    packagePrice: PRICES[minutes] ?? 999,
    ...changes,
  };
}

/** The same as the form's schema answers it. */
export function bookingInput(changes: Partial<BookingBody> = {}): BookingInput {
  const { packagePrice: _, ...input } = bookingBody(changes);
  return { ...input, package: Number(input.package) };
}

/** The same as a browser without scripts sends it. */
export function bookingForm(changes: Partial<BookingBody> = {}): Record<string, string> {
  const { packagePrice: _, ...fields } = bookingBody(changes);
  return { ...fields, package: String(fields.package) };
}

/** Days off, of everybody unless a captain is named; both ends included. */
export function addLeave(db: Db, from: string, to: string, key: string | null = null): void {
  const into = "INSERT INTO leave (id, counselor_key, from_date, to_date, reason, created_at)";
  db.runRaw(`${into} VALUES ('away', ?, ?, ?, NULL, 0)`, [key, from, to]);
}

/** What a captain's own calendar has. */
export function addBusyTime(db: Db, key: string, from: number, to: number): void {
  const into = "INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last)";
  db.runRaw(`${into} VALUES (?, ?, ?, 0)`, [key, from, to]);
}

export function addBlock(db: Db, key: string, date: string, timeSlot: string): void {
  const into = "INSERT INTO block (counselor_key, on_date, time_slot, reason, created_at)";
  db.runRaw(`${into} VALUES (?, ?, ?, NULL, 0)`, [key, date, timeSlot]);
}
