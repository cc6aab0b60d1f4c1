/**
 * The booking form, hydrated once the visitor scrolls near it. Until then, and if its script does
 * not load, it is plain HTML that posts itself.
 */
import { type ComponentProps, lazy, memo, Suspense, useEffect, useRef } from "react";
import type { BookingForm } from "./booking-form.tsx";
import { whenNear } from "./use-near.ts";

type FormProps = ComponentProps<typeof BookingForm>;

let want: () => void = () => {};
const wanted = new Promise<void>((resolve) => {
  want = resolve;
});

/**
 * On the server the form is part of the page; the browser's first script does without it. A static
 * import here would put the form into that script.
 */
const Form = import.meta.env.SSR
  ? (await import("./booking-form.tsx")).BookingForm
  : lazy(async () => {
      await wanted;
      return import("./booking-form.tsx").then(
        (module) => ({ default: module.BookingForm }),
        () => new Promise<{ default: typeof BookingForm }>(() => {}),
      );
    });

/** Hydrates the form at once, wherever the visitor is. */
export function wakeBookingForm(): void {
  want();
}

/**
 * Until the form is hydrated a link within the page only scrolls: React Router's news of a new
 * address would throw the form's HTML away, with what was typed into it.
 */
function followWithin(event: MouseEvent): void {
  const link = (event.target as Element).closest('a[href^="#"]');
  const hash = link?.getAttribute("href");
  if (!hash || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(history.state, "", hash);
  const target = document.getElementById(hash.slice(1));
  target?.scrollIntoView();
  target?.focus({ preventScroll: true });
}

/** In the form's boundary, so that it comes alive with the form. */
function Alive() {
  useEffect(() => document.removeEventListener("click", followWithin), []);
  return null;
}

// No state here: a render with other props before hydration would throw the form's HTML away.
export const LateBookingForm = memo(function LateBookingForm(props: FormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    document.addEventListener("click", followWithin);
    return () => document.removeEventListener("click", followWithin);
  }, []);
  useEffect(() => {
    if (box.current) return whenNear(box.current, 400, wakeBookingForm);
  }, []);
  return (
    <div ref={box}>
      <Suspense>
        <Form {...props} />
        <Alive />
      </Suspense>
    </div>
  );
});
