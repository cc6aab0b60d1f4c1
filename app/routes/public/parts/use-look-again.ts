import { useEffect, useRef } from "react";
import { useRevalidator } from "react-router";

interface LookAgain {
  /** Milliseconds between looks; null looks only when the visitor comes back to the page. */
  every: number | null;
  /** Milliseconds after a pause or a return after which the looks end until the visitor comes back. */
  during: number;
  /** True while nothing in the page may change. */
  paused?: boolean;
}

/**
 * Reads the page's data again while something may have changed on the server, and when the visitor
 * comes back from another app. Returns a function that does so at once.
 */
export function useLookAgain({ every, during, paused = false }: LookAgain): () => void {
  const revalidator = useRevalidator();
  const look = useRef(() => {});
  look.current = () => {
    // The router gives up a look under way for the next: on a slow line none would ever arrive.
    if (!paused && revalidator.state === "idle") void revalidator.revalidate();
  };

  useEffect(() => {
    if (paused) return;
    let until = Date.now() + during;
    const timer =
      every === null
        ? undefined
        : setInterval(() => {
            if (Date.now() < until && !document.hidden) look.current();
          }, every);
    const onVisible = () => {
      if (document.hidden) return;
      until = Date.now() + during;
      look.current();
    };
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [every, during, paused]);

  return () => look.current();
}
