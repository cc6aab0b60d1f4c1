/** Which parts of the choice are folded to the line of `chosen-line.tsx`. */
import { useLayoutEffect, useState } from "react";
import type { Errors } from "#app/routes/public/parts/form-problem.tsx";
import { type Choice, SESSION } from "./fields.ts";

export type Part = (typeof SESSION)[number];

interface Fold {
  parts: readonly Part[];
  /** Opened again by Change. */
  isOpen: boolean;
  /** Runs once what is folded is out of the way. */
  after: (() => void) | null;
}

/** What the server answered to the form. */
interface Reply {
  reply: { error?: Errors };
  slots: { slots: readonly string[] } | null;
}

/** Which parts of the choice are folded: those that are chosen, from when the visitor goes on. */
export function useChosenFold(choice: Choice, returned: Reply | null) {
  const [fold, setFold] = useState<Fold>({
    parts: returned ? foldedAtFirst(choice, returned) : [],
    isOpen: false,
    after: null,
  });
  useLayoutEffect(() => fold.after?.(), [fold]);
  const parts = fold.parts.filter((part) => choice[part] !== "");
  return {
    parts,
    isOpen: fold.isOpen,
    /** All is chosen, and some of it stands open that nobody asked for. */
    isDue: (now: Choice) =>
      !fold.isOpen && parts.length < SESSION.length && SESSION.every((part) => now[part] !== ""),
    /** The class of what folds with these parts. */
    classOf: (...of: Part[]) => (of.every((part) => parts.includes(part)) ? "folds" : ""),
    /** What of it can be seen. */
    withoutFolded: (errors: Errors): Errors =>
      fold.isOpen
        ? errors
        : Object.fromEntries(
            Object.entries(errors ?? {}).filter(([field]) => !parts.includes(field as Part)),
          ),
    /** Folds what is chosen by now. */
    close: (now: Choice, after: Fold["after"]) =>
      setFold({ parts: SESSION.filter((part) => now[part] !== ""), isOpen: false, after }),
    toggle: (isOpen: boolean) => setFold((before) => ({ ...before, isOpen, after: null })),
    /** Brings back what has to be chosen again. */
    unfold: (...lost: readonly string[]) =>
      setFold((before) => ({
        ...before,
        parts: before.parts.filter((part) => !lost.includes(part)),
        after: null,
      })),
  };
}

/** On a page that came back: all that is chosen and right, and no day without free times. */
function foldedAtFirst(choice: Choice, { reply, slots }: Reply): Part[] {
  const isFull = slots?.slots.length === 0;
  return SESSION.filter(
    (part) => choice[part] !== "" && !reply.error?.[part] && !(part === "date" && isFull),
  );
}

export const CHOSEN_ID = "booking-chosen";

export function showChosen(): void {
  document.getElementById(CHOSEN_ID)?.scrollIntoView();
}

export function focusChosen(): void {
  document.querySelector<HTMLElement>(`#${CHOSEN_ID} summary`)?.focus();
}
