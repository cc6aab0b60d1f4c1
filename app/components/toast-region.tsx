/** The region that announces and shows notifications; loaded when it is first needed. */
import * as RadixToast from "@radix-ui/react-toast";
import { type SyntheticEvent, useEffect, useState } from "react";
import { Icon } from "./icons.tsx";

export interface Toast {
  id: number;
  title: string;
  description: string;
  variant: "default" | "destructive";
}

export interface ToastRegionProps {
  toast: Toast | null;
  /** True if F8 was pressed before the region was loaded. */
  focused: boolean;
  dismiss: (id: number) => void;
  /** Classes of the region, and of the notification in it. */
  className: string;
  toastClass: (toast: Toast) => string;
}

const SWIPE_PX = 50;

export default function ToastRegion({ toast, focused, className, ...props }: ToastRegionProps) {
  const [viewport, setViewport] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (focused) viewport?.focus();
  }, [focused, viewport]);
  return (
    <RadixToast.Provider
      // Radix's own timer never restarts after a notification was closed under the pointer.
      duration={Number.POSITIVE_INFINITY}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
      label="Notification"
      // Everything outside a modal dialog is inert, also for screen readers.
      announcerContainer={viewport?.closest("dialog") ?? undefined}
    >
      {toast && <ToastCard key={toast.id} toast={toast} {...props} />}
      <RadixToast.Viewport
        ref={setViewport}
        hotkey={["F8"]}
        label="Notifications ({hotkey})"
        className={className}
      />
    </RadixToast.Provider>
  );
}

type ToastCardProps = Pick<ToastRegionProps, "dismiss" | "toastClass"> & { toast: Toast };

function ToastCard({ toast, dismiss, toastClass }: ToastCardProps) {
  const { id } = toast;
  useEffect(() => {
    const run = () => runTimer(id, dismiss);
    run();
    addEventListener("blur", pauseTimer);
    addEventListener("focus", run);
    return () => {
      removeEventListener("blur", pauseTimer);
      removeEventListener("focus", run);
    };
  }, [id, dismiss]);
  const onLeave = ({ currentTarget }: SyntheticEvent) => {
    if (!currentTarget.matches(":hover, :focus-within")) runTimer(id, dismiss);
  };
  const destructive = toast.variant === "destructive";
  return (
    <RadixToast.Root
      type="foreground"
      onOpenChange={(open) => {
        if (!open) dismiss(id);
      }}
      onPointerEnter={pauseTimer}
      onPointerLeave={onLeave}
      onFocus={pauseTimer}
      onBlur={onLeave}
      data-variant={toast.variant}
      className={toastClass(toast)}
    >
      <Icon
        name={destructive ? "alert" : "check"}
        className={`size-6 ${destructive ? "text-stop" : "text-go"}`}
      />
      <div className="min-w-0 flex-1 basis-40">
        <RadixToast.Title className="pr-7 font-semibold">{toast.title}</RadixToast.Title>
        <RadixToast.Description className="break-words">{toast.description}</RadixToast.Description>
      </div>
      <RadixToast.Close
        aria-label="Close"
        className="absolute right-2 top-2 flex size-10 cursor-pointer items-center justify-center rounded-sm text-muted hover:text-ink"
      >
        <Icon name="close" />
      </RadixToast.Close>
    </RadixToast.Root>
  );
}

/**
 * A notification is shown for five seconds, not counting time when it has the pointer or the focus,
 * or when the window is in the background. The timer belongs to the module, because the card is
 * mounted again when a dialog opens or closes.
 */
const SHOWN_FOR_MS = 5000;

let timedId: number | null = null;
let leftMs = 0;
/** Null while the timer is paused. */
let startedAt: number | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Starts or resumes the notification's timer. */
function runTimer(id: number, dismiss: (id: number) => void): void {
  if (timedId !== id) {
    pauseTimer();
    timedId = id;
    leftMs = SHOWN_FOR_MS;
  }
  if (startedAt !== null) return;
  startedAt = Date.now();
  timer = setTimeout(() => dismiss(id), leftMs);
}

function pauseTimer(): void {
  if (startedAt === null) return;
  clearTimeout(timer);
  leftMs -= Date.now() - startedAt;
  startedAt = null;
}
