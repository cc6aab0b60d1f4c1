/** When reminders are sent, and what pages promise about them. Pure; all in milliseconds. */
import { HOUR, MINUTE } from "#app/model/dates.ts";

/**
 * A reminder is due from `before` until `until` before the session, unless the customer was notified
 * of the session's time less than `margin` earlier.
 */
export const REMINDERS = [
  { hours: 24, before: 24 * HOUR, until: 3 * HOUR, margin: 3 * HOUR, words: "a day" },
  { hours: 1, before: HOUR, until: 5 * MINUTE, margin: HOUR, words: "an hour" },
] as const;

/**
 * The reminders that are still to come: `A day and an hour before the start.`; null if none is.
 * `notifiedAt`: when the customer was last notified of the session's time.
 */
export function remindersAhead(startsAt: number, notifiedAt: number, now: number): string | null {
  const ahead = REMINDERS.filter(
    ({ before, margin }) => now < startsAt - before && notifiedAt <= startsAt - before - margin,
  );
  if (ahead.length === 0) return null;
  const words = ahead.map((reminder) => reminder.words).join(" and ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} before the start.`;
}

/** The promise to visitors who have not booked yet. */
export const REMINDER_RULE = REMINDERS.map(
  ({ words, before, margin }) =>
    `${words} before the start if you book at least ${(before + margin) / HOUR} hours ahead`,
).join(", and ");
