/**
 * The booking form, hydrated once the visitor scrolls near it. Until then, and if its script does
 * not load, it is plain HTML that posts itself.
 */
import { lazy, memo, Suspense, useEffect, useRef } from "react";
import type { BookingForm } from "./booking-form.tsx";
import { whenNear } from "./eager-parts.tsx";
import type { BookingFormProps } from "./use-booking-form.ts";

let startLoading: () => void = () => {};
const loadingStarted = new Promise<void>((resolve) => {
  startLoading = resolve;
});

/** Loads and hydrates the form at once, wherever the visitor is. */
export function loadBookingForm(): void {
  startLoading();
}

/**
 * On the server the form is part of the page; the browser's first script does without it. A static
 * import here would put the form into that script.
 */
const Form = import.meta.env.SSR
  ? (await import("./booking-form.tsx")).BookingForm
  : lazy(async () => {
      await loadingStarted;
      return import("./booking-form.tsx").then(
        (module) => ({ default: module.BookingForm }),
        () => new Promise<{ default: typeof BookingForm }>(() => {}),
      );
    });

/**
 * Until the form is hydrated, a link within the page only scrolls: if React Router heard of the new
 * address, it would throw the form's HTML away, with what was typed into it.
 */
function scrollToAnchor(event: MouseEvent): void {
  const link = (event.target as Element).closest('a[href^="#"]');
  const hash = link?.getAttribute("href");
  if (!hash || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(history.state, "", hash);
  const target = document.getElementById(hash.slice(1));
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

/** Stands in the form's boundary, so that its effect runs when the form is hydrated. */
function Hydrated() {
  useEffect(() => document.removeEventListener("click", scrollToAnchor), []);
  return null;
}

// No state here: a render with other props before hydration would throw the form's HTML away.
export const LateBookingForm = memo(function LateBookingForm(props: BookingFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.addEventListener("click", scrollToAnchor);
    return () => document.removeEventListener("click", scrollToAnchor);
  }, []);
  useEffect(() => {
    if (box.current) return whenNear(box.current, 400, loadBookingForm);
  }, []);
  return (
    <div ref={box}>
      <Suspense>
        <Form {...props} />
        <Hydrated />
      </Suspense>
    </div>
  );
});
