import * as RadixToast from "@radix-ui/react-toast";
import { useState } from "react";
import { Icon } from "./icons.tsx";
import { TOAST_PLACE, toastLook } from "./toast-look.ts";
import { dismissToast, type Toast } from "./toasts.ts";

const DURATION_MS = 5000;
const SWIPE_PX = 50;

export default function ToastRegion({ toast }: { toast: Toast | null }) {
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  return (
    <RadixToast.Provider
      duration={DURATION_MS}
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
  const destructive = toast.variant === "destructive";
  return (
    <RadixToast.Root
      type="foreground"
      onOpenChange={(open) => {
        if (!open) dismissToast(toast.id);
      }}
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
