/** When a failed message is tried again, and when it is given up. Pure. */

import { MINUTE, SECOND } from "#app/model/duration.ts";

const LONGEST = 15 * MINUTE;

/** Five growing tries and then one every 15 minutes: about three days. */
export const GIVE_UP_AFTER = 5 + (3 * 24 * 60) / 15;

/**
 * Whole milliseconds until the next try after `tries` failed ones. `random` is in [0, 1). The first is
 * due in 2 to 3.5 seconds, whatever the provider asks; then 12 s, 48 s, 3 min, 13 min and 15 min,
 * spread by a sixth each way so that a recovered server is not met by all at once.
 */
export function retryDelay(tries: number, random: number, waitAtLeast = 0): number {
  if (tries <= 1) return Math.round(2 * SECOND + random * 1.5 * SECOND);
  const mean = Math.min(LONGEST, 3 * SECOND * 4 ** (tries - 1));
  return Math.round(Math.max(waitAtLeast, mean * (5 / 6 + random / 3)));
}
