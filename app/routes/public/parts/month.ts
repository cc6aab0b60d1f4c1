/** The calendar's arithmetic. All dates are `yyyy-MM-dd`. */
import { addDays, weekdayOf } from "#app/model/dates.ts";

/** Days that an arrow key moves, repeatedly over weeks that are not drawn. */
export const ARROW_DAYS: ReadonlyMap<string, number> = new Map([
  ["ArrowLeft", -1],
  ["ArrowRight", 1],
  ["ArrowUp", -7],
  ["ArrowDown", 7],
]);

/** The date to which a key moves from a date; null for other keys. */
export function keyTarget(key: string, date: string): string | null {
  const days = ARROW_DAYS.get(key);
  if (days !== undefined) return addDays(date, days);
  switch (key) {
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

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(date: string, months: number): string {
  const index = Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1 + months;
  const month = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, "0")}`;
  return earlier(endOfMonth(`${month}-01`), `${month}-${date.slice(8)}`);
}

export function endOfMonth(first: string): string {
  return addDays(`${addDays(first, 31).slice(0, 8)}01`, -1);
}

export interface Offered {
  /** First and last date that may be chosen. */
  min: string;
  max: string;
  /** The number of free times on each day; a missing date is not known yet. */
  counts: Readonly<Record<string, number>>;
}

/** The days in the week of a date that belong to the same month. */
function weekOf(date: string): string[] {
  const monday = addDays(date, -daysSinceMonday(date));
  const days = Array.from({ length: 7 }, (_, day) => addDays(monday, day));
  return days.filter((day) => day.slice(0, 7) === date.slice(0, 7));
}

/** True if no day of the date's week that lies in the same month can be booked. */
export function isInFullWeek(date: string, { min, max, counts }: Offered): boolean {
  return weekOf(date).every((day) => day < min || day > max || counts[day] === 0);
}

/** The weeks of a month with a day to book or the day `kept`; if there are none, all in the range. */
export function weeksToDraw(first: string, offered: Offered, kept = ""): string[][] {
  const weeks: string[][] = [];
  for (let day = first; day <= endOfMonth(first); day = addDays(weeks.at(-1)!.at(-1)!, 1)) {
    weeks.push(weekOf(day));
  }
  const open = weeks.filter((week) => week.includes(kept) || !isInFullWeek(week[0]!, offered));
  if (open.length > 0) return open;
  return weeks.filter((week) => week.at(-1)! >= offered.min && week[0]! <= offered.max);
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
