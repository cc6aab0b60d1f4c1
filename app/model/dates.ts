/**
 * The one place that formats and parses dates and times, for pages, mails, WhatsApp, PDF, XLSX and
 * calendar files. A calendar date is `yyyy-MM-dd` and a time slot `HH:mm`, both wall-clock text in
 * Asia/Kolkata; an instant is milliseconds since the epoch, UTC.
 */
import { UTCDateMini } from "@date-fns/utc/date/mini";
import { lightFormat } from "date-fns/lightFormat";

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A stored instant; 0 if there is none, or if it is in the future because the clock was set back. */
export function past(stored: number | string | null | undefined, now: number): number {
  const at = Number(stored ?? 0);
  return at <= now ? at : 0;
}

export const INDIA = "Asia/Kolkata";

/** India has one zone and no daylight saving, so the offset is a constant. */
export const INDIA_OFFSET = 330 * MINUTE;

const DATE_PATTERN = /^(?!0000)\d{4}-\d{2}-\d{2}$/;
const SLOT_PATTERN = /^([01]\d|2[0-3]):([0-5]\d)$/;

/** False for `2026-02-30`. */
export function isCalendarDate(text: string): boolean {
  const time = DATE_PATTERN.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export function isTimeSlot(text: string): boolean {
  return SLOT_PATTERN.test(text);
}

export function dateInIndia(instant: number): string {
  return new Date(instant + INDIA_OFFSET).toISOString().slice(0, 10);
}

/** Wall-clock time in India, `HH:mm`. */
export function timeInIndia(instant: number): string {
  return new Date(instant + INDIA_OFFSET).toISOString().slice(11, 16);
}

/** Milliseconds UTC of a wall-clock time in India; needs a real date and slot. */
export function instantOf(date: string, timeSlot = "00:00"): number {
  return Date.parse(`${date}T${timeSlot}:00Z`) - INDIA_OFFSET;
}

/** Also back, with negative `days`. */
export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY);
}

/** 0 is Sunday. */
export function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

export function minutesOf(timeSlot: string): number {
  return Number(timeSlot.slice(0, 2)) * 60 + Number(timeSlot.slice(3));
}

/** Indian financial year (April to March) of a calendar date: `26-27`. */
export function financialYear(date: string): string {
  const year = firstYearOf(date);
  return `${String(year % 100).padStart(2, "0")}-${String((year + 1) % 100).padStart(2, "0")}`;
}

/** The calendar year in which the financial year of a calendar date begins. */
export function firstYearOf(date: string): number {
  return Number(date.slice(0, 4)) - (date.slice(5) < "04" ? 1 : 0);
}

/**
 * The calendar date until which tax law wants a document of a calendar date kept: 72 months after
 * its financial year's annual return is due, which is 31 December after that year's end (CGST Act,
 * section 36).
 */
export function keptUntil(date: string): string {
  return `${firstYearOf(date) + 1 + 6}-12-31`;
}

/** `14:00` → `2:00 PM`. */
export function formatSlot(timeSlot: string): string {
  if (!isTimeSlot(timeSlot)) return "Unknown time";
  const hour = Number(timeSlot.slice(0, 2));
  return `${hour % 12 === 0 ? 12 : hour % 12}:${timeSlot.slice(3)} ${hour < 12 ? "AM" : "PM"}`;
}

/** `2026-11-21` → `21 Nov 2026`, on visitors' pages, in messages and documents. */
export const formatDate = dated("d MMM yyyy");

/** `2026-11-21` → `Sat, 21 Nov 2026`. */
export const formatDay = dated("EEE, d MMM yyyy");

/** `2026-11-21` → `Sat, 21 Nov`: where the year is plain. */
export const formatShortDay = dated("EEE, d MMM");

/** `2026-11-21` → `Saturday, 21 November 2026`: for headings and screen readers. */
export const formatLongDay = dated("EEEE, d MMMM yyyy");

/** `Sat, 21 Nov 2026, 2:00 PM IST`: a session's start. */
export function formatSession(date: string, timeSlot: string): string {
  return `${formatDay(date)}, ${formatSlot(timeSlot)} IST`;
}

/** `21 Nov 2026, 2:00 PM IST`. */
export function formatInstant(instant: number): string {
  return `${inIndia(instant, "d MMM yyyy, h:mm a")} IST`;
}

/** `2026-11-21` → `Nov 21, 2026`: the admin area has the month first throughout. */
export const adminDate = dated("MMM dd, yyyy");

/** `2026-11-21` → `Sat, Nov 21, 2026`. */
export const adminDay = dated("EEE, MMM dd, yyyy");

/** `Sat, Nov 21, 2026, 2:00 PM IST`. */
export function adminSession(date: string, timeSlot: string): string {
  return `${adminDay(date)}, ${formatSlot(timeSlot)} IST`;
}

/** `Nov 21, 2026, 2:00 PM IST`. */
export function adminInstant(instant: number): string {
  return `${inIndia(instant, "MMM dd, yyyy, h:mm a")} IST`;
}

/** `2:00 PM`; with seconds, `2:00:07 PM`. */
export function formatClock(instant: number, exact?: "seconds"): string {
  return inIndia(instant, exact ? "h:mm:ss a" : "h:mm a");
}

/** `2:00 PM IST` for today (at `now`), else `21 Nov 2026, 2:00 PM IST`. */
export function formatDeadline(instant: number, now: number, otherDay = formatInstant): string {
  const isToday = dateInIndia(instant) === dateInIndia(now);
  return isToday ? `${formatClock(instant)} IST` : otherDay(instant);
}

/** ISO 8601 UTC with Z, as in the JSON contract. */
export function isoInstant(instant: number): string {
  return new Date(instant).toISOString();
}

/* @__NO_SIDE_EFFECTS__ */
function dated(pattern: string) {
  return (date: string) =>
    isCalendarDate(date) ? inIndia(instantOf(date), pattern) : "Unknown date";
}

const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/**
 * Formats in UTC, shifted by India's offset: no time zone has to be looked up. The names stand here
 * because the library's full `format` takes 0.15 s of each command's start, and a quarter of the
 * script that the visitors' pages share.
 */
function inIndia(instant: number, pattern: string): string {
  const date = new UTCDateMini(instant + INDIA_OFFSET);
  const named = pattern.replace(/EEE+|MMM+/g, (letters) => {
    const name = letters.startsWith("E") ? WEEKDAYS.at(date.getDay()) : MONTHS.at(date.getMonth());
    return `'${letters.length === 3 ? name?.slice(0, 3) : name}'`;
  });
  return lightFormat(date, named);
}
