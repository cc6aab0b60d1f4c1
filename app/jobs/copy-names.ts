/** The names of copies off the machine, and which of them have had their time. */
import { DAY } from "#app/model/duration.ts";
import { madeAtOf as instantOf, stampOf } from "#db/copy-stamp.ts";

const PATTERN = /^bookings-\d{8}T\d{6}Z\.db\.zst\.sealed$/;

/** All copies of so long are kept; of earlier days the newest each. */
const ALL_KEPT_MS = 2 * DAY;

/** `madeAt` in milliseconds UTC; seconds are what the name tells. */
export function copyName(madeAt: number): string {
  return `bookings-${stampOf(madeAt)}.db.zst.sealed`;
}

/** Milliseconds UTC; null for what is no copy. */
export function madeAtOf(name: string): number | null {
  return PATTERN.test(name) ? instantOf(name) : null;
}

/**
 * Those to remove: older than `keepDays`, and older than two days where the same day (UTC) has a
 * newer one. The newest of all is never among them.
 */
export function outlived(names: readonly string[], now: number, keepDays: number): string[] {
  const copies = names
    .flatMap((name) => {
      const madeAt = madeAtOf(name);
      return madeAt === null ? [] : [{ name, madeAt }];
    })
    .sort((one, other) => other.madeAt - one.madeAt);
  const daysSeen = new Set<number>();
  return copies.slice(1).flatMap(({ name, madeAt }) => {
    if (now - madeAt <= ALL_KEPT_MS) return [];
    const day = Math.floor(madeAt / DAY);
    const isNewestOfDay = !daysSeen.has(day);
    daysSeen.add(day);
    return isNewestOfDay && now - madeAt <= keepDays * DAY ? [] : [name];
  });
}
