/** Weekly hours, the times at which sessions begin, what is known of a captain's day, and a session's time. */
import { HOUR, instantOf, MINUTE, weekdayOf } from "./dates.ts";

/** As the calls name them, in a calendar's order. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Start times of each day, `HH:mm` ascending; none on a day off. */
export type Week = Readonly<Record<Weekday, readonly string[]>>;

export const WEEKDAY_LABELS: Readonly<Record<Weekday, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

export function weekdayNameOf(date: string): Weekday {
  const index = (weekdayOf(date) + 6) % 7;
  return WEEKDAYS.at(index)!;
}

export const BLOCK_MINUTES = 30;

/** A time that fits this fits every package. */
export const LONGEST_SESSION_MINUTES = 60;

/** Milliseconds that no session lasts longer than: one that began earlier is over. */
export const LONGEST_SESSION_MS = 4 * HOUR;

/** Every half hour from 08:00 to 20:30, wall-clock time in India. */
export const MASTER_TIMES: readonly string[] = Array.from({ length: 26 }, (_, i) => {
  const minutes = 8 * 60 + i * 30;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${minutes % 60 === 0 ? "00" : "30"}`;
});

/** A half-open span of time. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

/** Covers half an hour from its time on. */
export interface Block {
  timeSlot: string;
  reason: string | null;
}

/** Days off, both ends inclusive. */
export interface Leave {
  id: string;
  from: string;
  to: string;
  reason: string | null;
}

export interface DayPlan {
  date: string;
  /** True if the captain is off the page and cannot be booked. */
  isOff: boolean;
  /** Times set for this date; null if the usual ones hold. */
  setTimes: readonly string[] | null;
  /** From the captain's weekly hours for the weekday, else the default times. */
  usualTimes: readonly string[];
  hasHours: boolean;
  bufferMinutes: number;
  blocked: readonly Block[];
  /** The captain's or everyone's, if it includes this date. */
  leave: readonly Leave[];
  /** From the imported calendar, cut at midnight in India. */
  busy: readonly Span[];
  taken: readonly Span[];
}

/** When a session takes place, and with which captain. */
export interface SessionTime extends Span {
  counselorKey: string;
  /** Wall-clock date and time in India. */
  date: string;
  timeSlot: string;
  minutes: number;
}

/** Needs a real date and time. */
export function sessionTimeOf(session: Omit<SessionTime, keyof Span>): SessionTime {
  const { counselorKey, date, timeSlot, minutes } = session;
  const startsAt = instantOf(date, timeSlot);
  return { counselorKey, date, timeSlot, minutes, startsAt, endsAt: startsAt + minutes * MINUTE };
}
