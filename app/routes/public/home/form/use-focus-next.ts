import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * What is put into the answered ref gives the focus after the next render: before it the control may
 * not be there yet, or be inert. While `pending` makes the control with the focus inert, its focus is
 * kept and given back.
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
