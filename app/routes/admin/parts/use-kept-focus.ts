import { useEffect, useRef } from "react";
import { useNavigation } from "react-router";
import { LIST_HEADING_ID } from "./list-search.ts";

/**
 * For the frame: what had the focus has it again after a press or a way on, although its button was
 * disabled meanwhile or its row moved. Where it is gone, what now stands nearest has it.
 */
export function useKeptFocus(): void {
  const { state } = useNavigation();
  const last = useRef<HTMLElement | null>(null);
  const around = useRef<Element | null>(null);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      last.current = target as HTMLElement;
      around.current = last.current.closest("nav, dialog");
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useEffect(() => {
    if (state !== "idle" || !last.current) return;
    // The browser takes the focus from what is disabled or gone with the next frame.
    const frame = requestAnimationFrame(() => {
      const dialog = document.querySelector("dialog[open]");
      const nearest = [
        last.current,
        around.current?.isConnected ? around.current.querySelector<HTMLElement>("a, h2") : null,
        dialog?.querySelector("h2"),
        document.getElementById(LIST_HEADING_ID),
        document.getElementById("main"),
      ];
      for (const element of nearest) {
        if (document.activeElement !== document.body) return;
        element?.focus({ preventScroll: true });
      }
    });
    return () => cancelAnimationFrame(frame);
  }, [state]);
}
