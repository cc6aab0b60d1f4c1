/** Which dates a view of the calendar holds. */
import { addDays, weekdayOf } from "#app/model/dates.ts";

export const CALENDAR_VIEWS = ["day", "week", "month"] as const;
export type CalendarViewName = (typeof CALENDAR_VIEWS)[number];

export function viewNamed(name: string | null): CalendarViewName {
  return CALENDAR_VIEWS.find((view) => view === name) ?? "day";
}

/** The search of the calendar's page; without a captain it is of all. */
export function calendarSearch(asked: {
  view: CalendarViewName;
  date: string;
  counselor: string | null;
}): string {
  const { counselor, ...always } = asked;
  return new URLSearchParams({ ...always, ...(counselor ? { counselor } : {}) }).toString();
}

/** Dates of a view, both inclusive; weeks are whole, from Monday to Sunday. */
export function rangeOf(view: CalendarViewName, date: string): { from: string; to: string } {
  if (view === "day") return { from: date, to: date };
  const isWeek = view === "week";
  const last = isWeek ? date : addDays(stepFrom("month", date, 1), -1);
  return { from: mondayOf(isWeek ? date : firstOfMonth(date)), to: addDays(mondayOf(last), 6) };
}

/** A date of the view before (-1) or after (1). */
export function stepFrom(view: CalendarViewName, date: string, step: -1 | 1): string {
  if (view !== "month") return addDays(date, step * (view === "week" ? 7 : 1));
  return firstOfMonth(addDays(firstOfMonth(date), step === 1 ? 31 : -1));
}

function firstOfMonth(date: string): string {
  return `${date.slice(0, 7)}-01`;
}

function mondayOf(date: string): string {
  return addDays(date, -((weekdayOf(date) + 6) % 7));
}
