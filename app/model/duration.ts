/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A noted instant; 0 if there is none, or if it lies ahead because the clock was set back. */
export function past(noted: number | string | null | undefined, now: number): number {
  const at = Number(noted ?? 0);
  return at <= now ? at : 0;
}
