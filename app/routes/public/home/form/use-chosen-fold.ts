/** Which parts of the choice are collapsed to the line of `chosen-line.tsx`. */
import { useLayoutEffect, useState } from "react";
import type { Errors } from "#app/routes/public/parts/form-problem.tsx";
import { type Choice, SESSION } from "./fields.ts";
import type { Returned } from "./free-times.ts";

export type Part = (typeof SESSION)[number];

interface Fold {
  parts: readonly Part[];
  /** Opened again by Change. */
  isOpen: boolean;
  /** Runs after the parts have been collapsed. */
  after: (() => void) | null;
}

/** A chosen part is collapsed when the visitor goes on. */
export function useChosenFold(choice: Choice, returned: Returned | null) {
  const [fold, setFold] = useState<Fold>({
    parts: returned ? foldedAtFirst(choice, returned) : [],
    isOpen: false,
    after: null,
  });
  useLayoutEffect(() => {
    fold.after?.();
  }, [fold]);
  const parts = fold.parts.filter((part) => choice[part] !== "");
  return {
    parts,
    isOpen: fold.isOpen,
    /** True if everything is chosen, but not everything is collapsed or opened by Change. */
    isDue: (now: Choice) =>
      !fold.isOpen && parts.length < SESSION.length && SESSION.every((part) => now[part] !== ""),
    /** The class of an element that collapses with these parts. */
    classOf: (...of: Part[]) => (of.every((part) => parts.includes(part)) ? "folds" : ""),
    /** The errors of visible fields. */
    withoutFolded: (errors: Errors): Errors =>
      fold.isOpen
        ? errors
        : Object.fromEntries(
            Object.entries(errors ?? {}).filter(([field]) => !parts.includes(field as Part)),
          ),
    /** Collapses all chosen parts. */
    close: (now: Choice, after: Fold["after"]) =>
      setFold({ parts: SESSION.filter((part) => now[part] !== ""), isOpen: false, after }),
    toggle: (isOpen: boolean) => setFold((before) => ({ ...before, isOpen, after: null })),
    /** Shows the parts that must be chosen again. */
    unfold: (...lost: readonly string[]) =>
      setFold((before) => ({
        ...before,
        parts: before.parts.filter((part) => !lost.includes(part)),
        after: null,
      })),
  };
}

/** On a page that came back: all valid parts, except where it goes on and a day without free times. */
function foldedAtFirst(choice: Choice, { reply, slots, goTo }: Returned): Part[] {
  const isFull = slots?.slots.length === 0;
  return SESSION.filter(
    (part) =>
      choice[part] !== "" && part !== goTo && !reply.error?.[part] && !(part === "date" && isFull),
  );
}

export const CHOSEN_ID = "booking-chosen";

export function showChosen(): void {
  document.getElementById(CHOSEN_ID)?.scrollIntoView();
}

export function focusChosen(): void {
  document.querySelector<HTMLElement>(`#${CHOSEN_ID} summary`)?.focus();
}
