/** Lets a form wait for the network or the server, and then go on by itself. */
import { useEffect, useRef, useState } from "react";
import type { Offline } from "#app/model/wording.ts";

/** How often the server is asked whether it answers again. */
const ASK_EVERY_MS = 3_000;

/**
 * `offline` says what keeps the form from going on; null if nothing. If the form waits, `resume` is
 * called once the network is back, or `/health` answers again.
 */
export function useOffline(resume: () => void) {
  const [isOffline, setOffline] = useState(false);
  const [waitsFor, setWaitsFor] = useState<"network" | "server" | null>(null);
  const latest = useRef(resume);
  latest.current = resume;

  useEffect(() => {
    const update = () => setOffline(!navigator.onLine);
    update();
    addEventListener("online", update);
    addEventListener("offline", update);
    return () => {
      removeEventListener("online", update);
      removeEventListener("offline", update);
    };
  }, []);

  useEffect(() => {
    if (isOffline || !waitsFor) return;
    let hasEnded = false;
    const goOn = () => {
      if (hasEnded) return;
      setWaitsFor(null);
      latest.current();
    };
    if (waitsFor === "network") return goOn();
    const timer = setInterval(async () => {
      if (await serverAnswers()) goOn();
    }, ASK_EVERY_MS);
    return () => {
      hasEnded = true;
      clearInterval(timer);
    };
  }, [isOffline, waitsFor]);

  const waiting: Offline = isOffline ? "waiting" : "unanswered";
  return {
    offline: waitsFor ? waiting : isOffline ? ("offline" as const) : null,
    waitForNetwork(): void {
      setOffline(true);
      setWaitsFor("network");
    },
    waitForServer: () => setWaitsFor("server"),
  };
}

export function serverAnswers(): Promise<boolean> {
  return fetch("/health").then(
    ({ ok }) => ok,
    () => false,
  );
}
