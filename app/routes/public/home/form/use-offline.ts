import { useEffect, useState } from "react";

/** Whether the browser has no network; `goOn` is called when it is back, if that was asked for. */
export function useOffline(goOn: () => void) {
  const [isOffline, setOffline] = useState(false);
  const [isWaiting, setWaiting] = useState(false);

  useEffect(() => {
    const look = () => setOffline(!navigator.onLine);
    look();
    addEventListener("online", look);
    addEventListener("offline", look);
    return () => {
      removeEventListener("online", look);
      removeEventListener("offline", look);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: goes on once, with the form as it is then
  useEffect(() => {
    if (isOffline || !isWaiting) return;
    setWaiting(false);
    goOn();
  }, [isOffline, isWaiting]);

  return {
    offline: isOffline ? (isWaiting ? ("waiting" as const) : ("offline" as const)) : null,
    waitForNetwork(): void {
      setOffline(true);
      setWaiting(true);
    },
  };
}
