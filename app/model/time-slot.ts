/** The times of day that sessions begin at. */

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
