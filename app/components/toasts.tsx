/**
 * Notifications, one at a time. The region that shows them (Radix: swipe right over 50 px, F8
 * focuses it) is loaded with the first notification or the first F8. If it cannot be loaded, the
 * notification is shown as plain text until it is closed, and the next one tries to load it again.
 * Some browsers remember a module that did not load: there notifications stay plain text until the
 * page is reloaded.
 */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import type { Toast, ToastRegionProps } from "./toast-region.tsx";

let current: Toast | null = null;
let lastId = 0;
const listeners = new Set<() => void>();

export function showToast(toast: Omit<Toast, "id">): void {
  replace({ ...toast, id: ++lastId });
}

export function showFailure(title: string, description: string): void {
  showToast({ title, description, variant: "destructive" });
}

function dismissToast(id: number): void {
  if (current?.id === id) clearToast();
}

export function clearToast(): void {
  replace(null);
}

function replace(toast: Toast | null): void {
  current = toast;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where a notification is shown, plain or in its region. */
const REGION_CLASS =
  "toast-place fixed inset-x-0 z-50 m-auto flex max-w-text list-none flex-col p-4 outline-none md:left-auto md:right-0 md:w-112";

function toastClass({ variant }: Toast): string {
  return `toast relative flex flex-wrap items-start gap-3 rounded-lg border-2 bg-surface p-4 shadow-high ${
    variant === "destructive" ? "border-stop" : "border-go"
  }`;
}

export function Toaster() {
  const toast = useSyncExternalStore(
    subscribe,
    () => current,
    () => null,
  );
  const [Region, setRegion] = useState<ComponentType<ToastRegionProps> | null>(null);
  const [failedFor, setFailedFor] = useState<number | null>(null);
  const [focused, setFocused] = useState(false);
  const id = toast?.id;

  useEffect(() => {
    if (Region) return;
    const load = () =>
      import("./toast-region.tsx").then(
        (region) => setRegion(() => region.default),
        () => setFailedFor(id ?? null),
      );
    if (id !== undefined) void load();
    const onKeyDown = ({ code }: KeyboardEvent) => {
      if (code !== "F8") return;
      setFocused(true);
      void load();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [id, Region]);

  if (Region) {
    return (
      <Region
        toast={toast}
        focused={focused}
        dismiss={dismissToast}
        className={REGION_CLASS}
        toastClass={toastClass}
      />
    );
  }
  return toast && failedFor === toast.id ? <PlainToast toast={toast} /> : null;
}

function PlainToast({ toast }: { toast: Toast }) {
  return (
    <div role="alert" className={REGION_CLASS}>
      <div className={toastClass(toast)}>
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{toast.title}</p>
          <p className="break-words">{toast.description}</p>
        </div>
        <button type="button" className="link" onClick={() => dismissToast(toast.id)}>
          Close
        </button>
      </div>
    </div>
  );
}
