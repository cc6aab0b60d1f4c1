/** Counts down the time left to pay. */
import { useEffect, useRef, useState } from "react";

/** Replaces the time left. */
export const TIME_IS_UP = "Time is up";

/**
 * `12:34 left` until an instant by the server's clock, then `Time is up`; empty before hydration and
 * if `until` is null. Calls `onEnd` once when the instant has passed.
 */
export function useCountdown(until: number | null, serverNow: number, onEnd: () => void): string {
  const [left, setLeft] = useState<number | null>(null);
  const end = useRef(onEnd);
  end.current = onEnd;

  useEffect(() => {
    if (until === null) return;
    const skewMs = serverNow - Date.now();
    const tick = () => {
      const milliseconds = until - (Date.now() + skewMs);
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
  if (left <= 0) return TIME_IS_UP;
  return timeLeft(left);
}

/** `12:34 left`, from an hour on `23:59:59 left`. */
export function timeLeft(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const two = (count: number) => String(count % 60).padStart(2, "0");
  return `${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)} left`;
}
