/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** An instant as it was noted; 0 if none was, or one still to come: the clock was set back since. */
export function past(noted: number | string | null | undefined, now: number): number {
  const at = Number(noted ?? 0);
  return at <= now ? at : 0;
}
