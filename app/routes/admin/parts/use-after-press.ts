import { useEffect, useRef } from "react";

/** Does what a press leaves to be done in its form, once it is answered and was not refused. */
export function useAfterPress(pending: boolean, refused: boolean, act: () => void): void {
  const wasPending = useRef(false);
  useEffect(() => {
    if (wasPending.current && !pending && !refused) act();
    wasPending.current = pending;
  });
}
