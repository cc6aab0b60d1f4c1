/**
 * The notifications region (Radix: 5000 ms, swipe right over 50 px, F8 focuses it). It is loaded
 * when the first notification asks for it; where it does not load, each stands as plain words
 * until it is closed, and the next one asks again. Some browsers remember a module that did not
 * load: there they stay plain words until the page is loaded anew.
 */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { currentToast, dismissToast, subscribeToasts, type Toast } from "#app/browser/toasts.ts";

type Region = ComponentType<{ toast: Toast | null }>;

/** Where a notification stands. */
export const TOAST_PLACE =
  "fixed inset-x-0 top-0 z-50 m-auto flex max-w-text list-none flex-col p-4 outline-none md:left-auto md:right-0 md:w-112";

export function toastLook({ variant }: Toast): string {
  return `toast flex items-start gap-3 rounded-lg border-2 bg-surface p-4 shadow-high ${
    variant === "destructive" ? "border-stop" : "border-go"
  }`;
}

export function Toaster() {
  const toast = useSyncExternalStore(subscribeToasts, currentToast, () => null);
  const [Loaded, setLoaded] = useState<Region | null>(null);
  const [missedBy, setMissedBy] = useState<number | null>(null);
  const id = toast?.id;

  useEffect(() => {
    if (id === undefined || Loaded) return;
    import("./toast-region.tsx").then(
      (region) => setLoaded(() => region.default),
      () => setMissedBy(id),
    );
  }, [id, Loaded]);

  if (Loaded) return <Loaded toast={toast} />;
  return toast && missedBy === toast.id ? <PlainToast toast={toast} /> : null;
}

function PlainToast({ toast }: { toast: Toast }) {
  return (
    <div role="alert" className={TOAST_PLACE}>
      <div className={toastLook(toast)}>
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
