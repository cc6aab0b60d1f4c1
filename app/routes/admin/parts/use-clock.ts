import { useEffect, useState } from "react";
import { useRevalidator } from "react-router";
import { dateInIndia, SECOND } from "#app/model/dates.ts";
import { isDialog } from "./list-search.ts";

const TICK_MS = 15 * SECOND;

/**
 * The time on the server's clock, counted on from `now`, when the page was read (milliseconds UTC).
 * Once that is another day in India, the page is read again; over a dialog, in which somebody may be
 * typing, after it has closed.
 */
export function useClock(now: number): number {
  const { revalidate } = useRevalidator();
  const [time, setTime] = useState(now);
  useEffect(() => {
    // Not performance.now(), which may stand still while the computer sleeps.
    const start = Date.now();
    let isSameDay = true;
    const tick = () => {
      const at = now + Date.now() - start;
      setTime(at);
      if (!isSameDay || isDialog(location) || dateInIndia(at) === dateInIndia(now)) return;
      isSameDay = false;
      void revalidate();
    };
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [now, revalidate]);
  return time;
}
