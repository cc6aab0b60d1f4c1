import * as RadixToast from "@radix-ui/react-toast";
import { dismissToast, type Toast } from "#app/browser/toasts.ts";
import { Icon } from "./icons.tsx";

const DURATION_MS = 5000;
const SWIPE_PX = 50;

export default function ToastRegion({ toast }: { toast: Toast | null }) {
  return (
    <RadixToast.Provider
      duration={DURATION_MS}
      swipeDirection="right"
      swipeThreshold={SWIPE_PX}
      label="Notification"
    >
      {toast && <ToastCard key={toast.id} toast={toast} />}
      <RadixToast.Viewport
        hotkey={["F8"]}
        label="Notifications ({hotkey})"
        className="fixed inset-x-0 top-0 z-50 m-auto flex max-w-text list-none flex-col p-4 outline-none md:left-auto md:right-0 md:w-112"
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
      className={`toast flex items-start gap-3 rounded-lg border-2 bg-surface p-4 shadow-high ${
        destructive ? "border-stop" : "border-go"
      }`}
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
