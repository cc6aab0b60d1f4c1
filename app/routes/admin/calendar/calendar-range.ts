/** Which dates a view of the calendar holds. */
import { addDays, weekdayOf } from "#app/model/dates.ts";
import { monthOf, nextMonth } from "#app/model/month.ts";

export const CALENDAR_VIEWS = ["day", "week", "month"] as const;
export type CalendarViewName = (typeof CALENDAR_VIEWS)[number];

/** Dates of a view, both inclusive; weeks are whole, from Monday to Sunday. */
export function rangeOf(view: CalendarViewName, date: string): { from: string; to: string } {
  if (view === "day") return { from: date, to: date };
  const month = monthOf(date);
  const [first, last] = view === "week" ? [date, date] : [month.from, month.to];
  return { from: mondayOf(first), to: addDays(mondayOf(last), 6) };
}

/** A date of the view before (-1) or after (1). */
export function stepFrom(view: CalendarViewName, date: string, step: -1 | 1): string {
  if (view !== "month") return addDays(date, step * (view === "week" ? 7 : 1));
  return step === 1
    ? `${nextMonth(date.slice(0, 7))}-01`
    : monthOf(addDays(monthOf(date).from, -1)).from;
}

function mondayOf(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}
