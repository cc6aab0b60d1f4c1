import { type RefObject, useEffect, useState } from "react";

/** Calls `onNear` once the element comes within `margin` pixels of the view; answers how to stop looking. */
export function whenNear(element: Element, margin: number, onNear: () => void): () => void {
  const observer = new IntersectionObserver(
    (looks) => {
      // On a slow phone several come at once, the oldest first.
      if (!looks.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      onNear();
    },
    { rootMargin: `${margin}px 0px` },
  );
  observer.observe(element);
  return () => observer.disconnect();
}

/** True from the moment the element comes within a screen of the visitor's view. */
export function useNear(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    return whenNear(element.current, 600, () => setNear(true));
  }, [near, element]);
  return near;
}
