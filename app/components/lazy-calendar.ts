/** The calendar, loaded when first shown. If it cannot be loaded, the fallback stays. */
import { lazy } from "react";

export const Calendar = lazy(() =>
  import("./calendar.tsx").then(
    ({ Calendar }) => ({ default: Calendar }),
    () => new Promise<never>(() => {}),
  ),
);
