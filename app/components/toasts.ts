/** Notifications: one at a time; the region that shows them is loaded with the first one. */

export interface Toast {
  id: number;
  title: string;
  description: string;
  variant: "default" | "destructive";
}

let current: Toast | null = null;
let lastId = 0;
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
  current = toast;
  for (const listener of listeners) listener();
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function currentToast(): Toast | null {
  return current;
}
