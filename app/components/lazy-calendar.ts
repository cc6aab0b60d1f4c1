/** The calendar, loaded when first shown. What stands in for it stays if it cannot be loaded. */
import { lazy } from "react";

export const Calendar = lazy(() =>
  import("./calendar.tsx").then(
    ({ Calendar }) => ({ default: Calendar }),
    () => new Promise<never>(() => {}),
  ),
);
