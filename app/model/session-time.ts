import { instantOf } from "./dates.ts";
import type { Span } from "./day-plan.ts";
import { MINUTE } from "./duration.ts";

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
