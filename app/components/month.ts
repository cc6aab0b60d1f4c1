/** Walking through a month of `yyyy-MM-dd` dates, as a calendar's keys do. */
import { addDays, weekdayOf } from "#app/model/dates.ts";

/** Where a key leads from a date, or null for a key that does not move. */
export function keyTarget(key: string, date: string): string | null {
  switch (key) {
    case "ArrowLeft":
      return addDays(date, -1);
    case "ArrowRight":
      return addDays(date, 1);
    case "ArrowUp":
      return addDays(date, -7);
    case "ArrowDown":
      return addDays(date, 7);
    case "Home":
      return addDays(date, -daysSinceMonday(date));
    case "End":
      return addDays(date, 6 - daysSinceMonday(date));
    case "PageUp":
      return addMonths(date, -1);
    case "PageDown":
      return addMonths(date, 1);
    default:
      return null;
  }
}

/** The same day of another month, or that month's last day. */
export function addMonths(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const month = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
  return earlier(endOfMonth(`${month}-01`), `${month}-${date.slice(8)}`);
}

export function endOfMonth(first: string): string {
  return addDays(`${addDays(first, 31).slice(0, 8)}01`, -1);
}

/** Six weeks from the Monday on or before the first, so that a month never changes its height. */
export function weeksOf(first: string): string[][] {
  const start = addDays(first, -daysSinceMonday(first));
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (__, day) => addDays(start, week * 7 + day)),
  );
}

export function earlier(a: string, b: string): string {
  return [a, b].sort()[0]!;
}

export function later(a: string, b: string): string {
  return [a, b].sort()[1]!;
}

function daysSinceMonday(date: string): number {
  return (weekdayOf(date) + 6) % 7;
}
