/** A free time pressed anywhere on the page, on its way to the booking form. */
import { useSyncExternalStore } from "react";
import type { FreeTime } from "#app/routes/public/parts/offer.ts";

let picked: FreeTime | null = null;
let listener: (() => void) | null = null;

/** Every press is a new pick, also of the same time. */
export function pickTime(time: FreeTime): void {
  picked = { ...time };
  listener?.();
}

/** For the one booking form of the page. */
export function usePicked(): FreeTime | null {
  return useSyncExternalStore(
    subscribe,
    () => picked,
    () => null,
  );
}

function subscribe(onPick: () => void): () => void {
  listener = onPick;
  return () => {
    listener = null;
  };
}
