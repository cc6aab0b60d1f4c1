/** A captain's weekly hours. */
import { weekdayOf } from "./dates.ts";

/** As the calls name them, in a calendar's order. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Start times of each day, `HH:mm` ascending; none on a day off. */
export type Week = Readonly<Record<Weekday, readonly string[]>>;

export const WEEKDAY_LABELS: Readonly<Record<Weekday, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

export function weekdayNameOf(date: string): Weekday {
  const index = (weekdayOf(date) + 6) % 7;
  return WEEKDAYS.at(index)!;
}
