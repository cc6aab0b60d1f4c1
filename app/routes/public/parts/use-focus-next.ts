import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * A function in the returned ref runs after the next render, when the control that it focuses exists
 * and is not inert. A control that lost the focus because of `pending` gets it back afterwards.
 */
export function useFocusNext(pending: boolean): RefObject<(() => void) | null> {
  const next = useRef<(() => void) | null>(null);
  const focusedBefore = useRef<Element | null>(null);

  useLayoutEffect(() => {
    if (pending) {
      focusedBefore.current = document.activeElement;
      return;
    }
    const element = focusedBefore.current;
    focusedBefore.current = null;
    const isLost = document.activeElement === null || document.activeElement === document.body;
    if (isLost && element instanceof HTMLElement && element.isConnected) {
      element.focus({ preventScroll: true });
    }
  }, [pending]);

  useLayoutEffect(() => {
    next.current?.();
    next.current = null;
  });

  return next;
}
