/** What is known of a day, of one captain. */

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
