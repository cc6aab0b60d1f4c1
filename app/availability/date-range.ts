/** Dates that are changed together. */
import { addDays, daysBetween, weekdayOf } from "#app/model/dates.ts";

export const MOST_DATES = 400;

/**
 * The dates from `from` to `to`, both inclusive, or only those on the chosen weekdays (0 to 6, 0 is
 * Sunday). Empty if the range is; cut after one more than may be changed at once.
 */
export function expandDates({
  from,
  to,
  weekdays,
}: {
  from: string;
  to: string;
  weekdays?: readonly number[] | undefined;
}): string[] {
  const dates: string[] = [];
  const days = daysBetween(from, to);
  for (let i = 0; i <= days && dates.length <= MOST_DATES; i++) {
    const date = addDays(from, i);
    if (!weekdays?.length || weekdays.includes(weekdayOf(date))) dates.push(date);
  }
  return dates;
}
