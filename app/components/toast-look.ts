/** How a notification looks, loaded with the page or later. */
import type { Toast } from "./toasts.ts";

/** Where a notification is shown. */
export const TOAST_PLACE =
  "fixed inset-x-0 top-0 z-50 m-auto flex max-w-text list-none flex-col p-4 outline-none md:left-auto md:right-0 md:w-112";

export function toastLook({ variant }: Toast): string {
  return `toast flex items-start gap-3 rounded-lg border-2 bg-surface p-4 shadow-high ${
    variant === "destructive" ? "border-stop" : "border-go"
  }`;
}
