/**
 * The notifications region (Radix: 5000 ms, swipe right over 50 px, F8 focuses it). It is loaded
 * when the first notification asks for it.
 */
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { currentToast, subscribeToasts } from "#app/browser/toasts.ts";

const ToastRegion = lazy(() => import("./toast-region.tsx"));

export function Toaster() {
  const toast = useSyncExternalStore(subscribeToasts, currentToast, () => null);
  const [wanted, setWanted] = useState(false);
  if (toast && !wanted) setWanted(true);
  if (!wanted) return null;
  return (
    <Suspense>
      <ToastRegion toast={toast} />
    </Suspense>
  );
}
