import { useEffect, useRef, useState } from "react";

/**
 * `12:34 left` until an instant, by the server's clock, then that it is over; empty before hydration
 * and when there is nothing to count. Calls `onEnd` once when the instant passes.
 */
export function useCountdown(until: number | null, serverNow: number, onEnd: () => void): string {
  const [left, setLeft] = useState<number | null>(null);
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    if (until === null) return;
    const skew = serverNow - Date.now();
    const tick = () => {
      const milliseconds = until - (Date.now() + skew);
      setLeft(milliseconds);
      if (milliseconds > 0) return;
      clearInterval(timer);
      end.current();
    };
    const timer = setInterval(tick, 1000);
    tick();
    return () => clearInterval(timer);
  }, [until, serverNow]);

  if (until === null || left === null) return "";
  if (left <= 0) return "Time is up";
  const seconds = Math.ceil(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")} left`;
}
