import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * A function put into the returned ref runs after the next render, when the control that it is to
 * focus is there and not inert. While `pending` makes the focused control inert, it is remembered
 * and focused again afterwards.
 */
export function useFocusNext(pending: boolean): RefObject<(() => void) | null> {
  const next = useRef<(() => void) | null>(null);
  const before = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (pending) {
      before.current = document.activeElement;
      return;
    }
    const had = before.current;
    before.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && had instanceof HTMLElement && had.isConnected) had.focus({ preventScroll: true });
  }, [pending]);

  useLayoutEffect(() => {
    next.current?.();
    next.current = null;
  });

  return next;
}
