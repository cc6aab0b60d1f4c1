/** The lowest price, and how a button names a free time. */
import type { FreeTime, Offer } from "./home-view.server.ts";

/** The package with the lowest price. */
export function cheapestOf({ packages }: Offer): Offer["packages"][number] {
  return packages.reduce((least, one) => (one.packagePrice < least.packagePrice ? one : least));
}

/** The value of a button that chooses captain, day and time at once. */
export function freeTimeValue(free: FreeTime): string {
  return `${free.counselorKey} ${free.date} ${free.timeSlot}`;
}

/** The parts of such a value; empty where one is missing. */
export function readFreeTime(value: string) {
  const [counselorKey = "", date = "", timeSlot = ""] = value.split(" ");
  return { counselorKey, date, timeSlot };
}
