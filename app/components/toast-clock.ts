/**
 * How long a notification is shown: five seconds, less what it was looked at. The clock stands
 * here, since a notification moves into a dialog that opens and out of one that closes.
 */
import { dismissToast } from "./toasts.ts";

const SHOWN_FOR_MS = 5000;

/** The notification that it counts for. */
let shown: number | null = null;
let leftMs = 0;
/** When it was started; null while it stands. */
let runsSince: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The notification's time begins, or goes on. */
export function runToast(id: number): void {
  if (shown !== id) {
    holdToast();
    shown = id;
    leftMs = SHOWN_FOR_MS;
  }
  if (runsSince !== null) return;
  runsSince = Date.now();
  timer = setTimeout(() => dismissToast(id), leftMs);
}

/** Its time stands still: somebody is reading it, or is not at the window. */
export function holdToast(): void {
  if (runsSince === null) return;
  clearTimeout(timer);
  leftMs -= Date.now() - runsSince;
  runsSince = null;
}
