/** The times of day at which sessions begin, what is known of one captain's day, and when a session is. */
import { instantOf } from "./dates.ts";
import { MINUTE } from "./duration.ts";

/** A block takes out this many minutes from its time on. */
export const BLOCK_MINUTES = 30;

/** What fits for every package has room for this one. */
export const LONGEST_SESSION_MINUTES = 60;

/** Milliseconds that no session outlasts, whatever was stored: one that began earlier is over. */
export const LONGEST_SESSION_MS = 4 * 3_600_000;

/** Every half hour from 08:00 to 20:30, wall-clock time in India. */
export const MASTER_TIMES: readonly string[] = Array.from({ length: 26 }, (_, i) => {
  const minutes = 8 * 60 + i * 30;
  return `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${minutes % 60 === 0 ? "00" : "30"}`;
});

/** A half-open span of time, milliseconds UTC. */
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
  /** `yyyy-MM-dd` in India. */
  date: string;
  /** The captain is off the page: nobody can book them. */
  isOff: boolean;
  /** Times set for the date, or null where the usual ones hold. */
  setTimes: readonly string[] | null;
  /** Those of the captain's weekly hours for the weekday, else the default times. */
  usualTimes: readonly string[];
  hasHours: boolean;
  /** Least minutes between two sessions. */
  bufferMinutes: number;
  blocked: readonly Block[];
  /** Of the captain or of all, where the date is in it. */
  leave: readonly Leave[];
  /** Times of the imported calendar, cut at midnight in India. */
  busy: readonly Span[];
  /** Sessions that keep their time. */
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

/** The date must be a real one, and the time of day too. */
export function sessionTimeOf(session: Omit<SessionTime, keyof Span>): SessionTime {
  const { counselorKey, date, timeSlot, minutes } = session;
  const startsAt = instantOf(date, timeSlot);
  return { counselorKey, date, timeSlot, minutes, startsAt, endsAt: startsAt + minutes * MINUTE };
}
