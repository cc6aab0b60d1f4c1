/**
 * Notifications: one at a time; the region that shows them is loaded with the first one. The clock
 * stands here, since a notification moves into a dialog that opens and out of one that closes.
 */

export interface Toast {
  id: number;
  title: string;
  description: string;
  variant: "default" | "destructive";
}

const SHOWN_FOR_MS = 5000;

let current: Toast | null = null;
let lastId = 0;
let leftMs = SHOWN_FOR_MS;
/** When the clock was started; null while it stands. */
let runsSince: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

/** A new toast takes the place of the one shown. */
export function showToast(toast: Omit<Toast, "id">): void {
  lastId += 1;
  replace({ ...toast, id: lastId });
}

export function showFailure(title: string, description: string): void {
  showToast({ title, description, variant: "destructive" });
}

export function dismissToast(id: number): void {
  if (current?.id === id) clearToast();
}

export function clearToast(): void {
  replace(null);
}

function replace(toast: Toast | null): void {
  holdToast();
  leftMs = SHOWN_FOR_MS;
  current = toast;
  for (const listener of listeners) listener();
}

/** Its time begins, or goes on. */
export function runToast(): void {
  if (runsSince !== null || !current) return;
  runsSince = Date.now();
  timer = setTimeout(clearToast, leftMs);
}

/** Its time stands still: somebody is reading it, or is not at the window. */
export function holdToast(): void {
  if (runsSince === null) return;
  clearTimeout(timer);
  leftMs -= Date.now() - runsSince;
  runsSince = null;
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToast(): Toast | null {
  return current;
}
