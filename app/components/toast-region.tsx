import * as RadixToast from "@radix-ui/react-toast";
import { type SyntheticEvent, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";
import { holdToast, runToast } from "./toast-clock.ts";
import { TOAST_PLACE, toastLook } from "./toast-look.ts";
import { dismissToast, type Toast } from "./toasts.ts";

const SWIPE_PX = 50;

interface ToastRegionProps {
  toast: Toast | null;
  /** The key for it was pressed before it was loaded. */
  focused: boolean;
}

export default function ToastRegion({ toast, focused }: ToastRegionProps) {
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (focused) viewport?.focus();
  }, [focused, viewport]);
  return (
    <RadixToast.Provider
      // Its own clock stands still for good once a notification is closed under the pointer.
      duration={Number.POSITIVE_INFINITY}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
      label="Notification"
      // All outside a modal dialog is inert, also for screen readers.
      announcerContainer={viewport?.closest("dialog") ?? undefined}
    >
      {toast && <ToastCard key={toast.id} toast={toast} />}
      <RadixToast.Viewport
        ref={setViewport}
        hotkey={["F8"]}
        label="Notifications ({hotkey})"
        className={TOAST_PLACE}
      />
    </RadixToast.Provider>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const { id } = toast;
  useEffect(() => {
    const run = () => runToast(id);
    run();
    addEventListener("blur", holdToast);
    addEventListener("focus", run);
    return () => {
      removeEventListener("blur", holdToast);
      removeEventListener("focus", run);
    };
  }, [id]);
  const leave = ({ currentTarget }: SyntheticEvent) => {
    if (!currentTarget.matches(":hover, :focus-within")) runToast(id);
  };
  const destructive = toast.variant === "destructive";
  return (
    <RadixToast.Root
      type="foreground"
      onOpenChange={(open) => {
        if (!open) dismissToast(id);
      }}
      onPointerEnter={holdToast}
      onPointerLeave={leave}
      onFocus={holdToast}
      onBlur={leave}
      data-variant={toast.variant}
      className={toastLook(toast)}
    >
      <Icon
        name={destructive ? "alert" : "check"}
        className={`size-6 ${destructive ? "text-stop" : "text-go"}`}
      />
      <div className="min-w-0 flex-1">
        <RadixToast.Title className="font-semibold">{toast.title}</RadixToast.Title>
        <RadixToast.Description className="break-words">{toast.description}</RadixToast.Description>
      </div>
      <RadixToast.Close
        aria-label="Close"
        className="-m-2 flex size-10 cursor-pointer items-center justify-center rounded-sm text-muted hover:text-ink"
      >
        <Icon name="close" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}
