/** What is known of a day, of one captain. */

/** A half-open span of time, milliseconds UTC. */
export interface Span {
  startsAt: number;
  endsAt: number;
}

export interface DayPlan {
  /** `yyyy-MM-dd` in India. */
  date: string;
  /** Times set for the date, or null for the default times. */
  setTimes: readonly string[] | null;
  /** Blocked times; each covers half an hour. */
  blocked: readonly string[];
  /** Sessions that keep their time, also those begun before the date. */
  taken: readonly Span[];
}
