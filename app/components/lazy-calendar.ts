/** The calendar, loaded when first shown. If it cannot be loaded, the fallback stays. */
import { lazy } from "react";
import { weeksToDraw } from "./month.ts";

/** Takes the calendar's room before it is there: as many weeks as the date's month offers. */
export function calendarRoom(date: string, min: string, max: string) {
  const weeks = weeksToDraw(`${date.slice(0, 7)}-01`, { min, max, counts: {} });
  return { className: "room-for-calendar", "data-weeks": weeks.length };
}

export const Calendar = lazy(() =>
  import("./calendar.tsx").then(
    ({ Calendar }) => ({ default: Calendar }),
    () => new Promise<never>(() => {}),
  ),
);
