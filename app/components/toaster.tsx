/**
 * The notifications region (Radix: swipe right over 50 px, F8 focuses it). It is loaded with the
 * first notification, or the first F8. If it does not load, the notification is shown as plain text until
 * it is closed, and the next one tries again. Some browsers remember a module that did not load:
 * there notifications stay plain text until the page is reloaded.
 */
import { type ComponentType, useEffect, useState, useSyncExternalStore } from "react";
import { TOAST_PLACE, toastLook } from "./toast-look.ts";
import { currentToast, dismissToast, subscribeToasts, type Toast } from "./toasts.ts";

type Region = ComponentType<{ toast: Toast | null; focused: boolean }>;

export function Toaster() {
  const toast = useSyncExternalStore(subscribeToasts, currentToast, () => null);
  const [Loaded, setLoaded] = useState<Region | null>(null);
  const [missedBy, setMissedBy] = useState<number | null>(null);
  const [focused, setFocused] = useState(false);
  const id = toast?.id;

  useEffect(() => {
    if (Loaded) return;
    const load = () =>
      import("./toast-region.tsx").then(
        (region) => setLoaded(() => region.default),
        () => setMissedBy(id ?? null),
      );
    if (id !== undefined) void load();
    const onKeyDown = ({ code }: KeyboardEvent) => {
      if (code !== "F8") return;
      setFocused(true);
      void load();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [id, Loaded]);

  if (Loaded) return <Loaded toast={toast} focused={focused} />;
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
