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

export interface Offered {
  /** First and last date that may be chosen. */
  min: string;
  max: string;
  /** Free times a day; a date that is missing is not known yet. */
  counts: Readonly<Record<string, number>>;
}

/** The days of a month that are in the week of a date. */
function weekOf(date: string): string[] {
  const monday = addDays(date, -daysSinceMonday(date));
  const days = Array.from({ length: 7 }, (_, day) => addDays(monday, day));
  return days.filter((day) => day.slice(0, 7) === date.slice(0, 7));
}

/** True for a day in whose week, as far as it lies in the month, no day can be booked. */
export function isInFullWeek(date: string, { min, max, counts }: Offered): boolean {
  return weekOf(date).every((day) => day < min || day > max || counts[day] === 0);
}

/** The weeks of a month with a day that can be booked, or with `kept`; if there is none, all that are offered. */
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
