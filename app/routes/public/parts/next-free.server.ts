/** The next free times, for any package's length, each with the longest length that fits. */
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { readBookable } from "#app/catalogue/read.server.ts";
import type { ReadDeps } from "#app/core/deps.server.ts";
import { addDays, dateInIndia, formatDay, formatSlot, instantOf } from "#app/model/dates.ts";
import { LONGEST_SESSION_MINUTES } from "#app/model/day-plan.ts";

/** A free time as a button: its value and its text. */
export interface FreeTime {
  counselorKey: string;
  date: string;
  timeSlot: string;
  day: string;
  time: string;
  /** The longest session that fits, unless every one does. */
  minutes?: number;
}

/** The first free time of all captains from `after` on; null if there is none. */
export function firstFreeTime(deps: ReadDeps, after: number) {
  const { counselors } = readBookable(deps);
  const times = lengths(deps).flatMap((minutes) =>
    counselors.flatMap(({ key, name }) => {
      const found = firstFree(deps, key, after, minutes);
      if (!found) return [];
      const time = freeTime(key, found, minutes);
      return [{ time, captain: name, startsAt: instantOf(found.date, found.timeSlot) }];
    }),
  );
  return times.sort((a, b) => a.startsAt - b.startsAt)[0] ?? null;
}

export function nextFreeTimes(deps: ReadDeps, counselorKey: string): FreeTime[] {
  const today = dateInIndia(deps.now());
  const query = { counselorKey, from: today, to: today };
  const found = new Map<string, FreeTime>();
  // A time that fits a length fits each shorter one, so the shortest comes last and has the earliest.
  let shown: string[] = [];
  for (const minutes of lengths(deps)) {
    const { next } = readAvailability(deps, { ...query, minutes });
    shown = next.map(({ date, timeSlot }) => `${date} ${timeSlot}`);
    for (const [place, time] of next.entries()) {
      const key = shown[place]!;
      if (!found.has(key)) found.set(key, freeTime(counselorKey, time, minutes));
    }
  }
  return shown.map((key) => found.get(key)!);
}

/** Minutes, the longest first, which wins for times with the same start. Empty without packages. */
function lengths(deps: ReadDeps): number[] {
  const sold = readBookable(deps).packages.map(({ minutes }): number => minutes);
  if (sold.length === 0) return [];
  return [...new Set([LONGEST_SESSION_MINUTES, ...sold])].sort((a, b) => b - a);
}

function freeTime(
  counselorKey: string,
  { date, timeSlot }: { date: string; timeSlot: string },
  minutes: number,
): FreeTime {
  const words = { day: formatDay(date), time: formatSlot(timeSlot) };
  const limit = minutes < LONGEST_SESSION_MINUTES ? { minutes } : {};
  return { counselorKey, date, timeSlot, ...words, ...limit };
}

function firstFree(deps: ReadDeps, counselorKey: string, after: number, minutes: number) {
  const date = dateInIndia(after);
  const timeSlot = readSlots(deps, { counselorKey, date, minutes }).availableSlots.find(
    (slot) => instantOf(date, slot) >= after,
  );
  if (timeSlot) return { date, timeSlot };
  const from = addDays(date, 1);
  return readAvailability(deps, { counselorKey, from, to: from, minutes }).next[0] ?? null;
}
