/** What the visitor has chosen so far, read from the form itself. */
import { type RefObject, startTransition, useEffect, useState } from "react";
import { keepEntries, keptEntries } from "#app/routes/public/parts/kept-entries.ts";
import { CHOSEN, type Choice, TYPED } from "./fields.ts";

export function useChoice(form: RefObject<HTMLFormElement | null>, first: Choice) {
  const [choice, setChoice] = useState(first);

  function change(part: Partial<Choice>) {
    setChoice((before) => ({ ...before, ...part }));
  }

  function read(fields: readonly (keyof Choice)[]) {
    if (!form.current) return;
    const data = new FormData(form.current);
    change(Object.fromEntries(fields.map((field) => [field, String(data.get(field) ?? "")])));
  }

  // Chosen before the scripts had loaded, or put back after a reload or Back. A time has no control
  // of its own until the times are there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => {
    read(CHOSEN);
    const { timeSlot } = keptEntries();
    if (!first.date && timeSlot) setChoice((now) => (now.date ? { ...now, timeSlot } : now));
  }, []);

  const { date, timeSlot } = choice;
  useEffect(() => {
    if (date) keepEntries({ date, timeSlot });
  }, [date, timeSlot]);

  // The control shows by itself what was entered; what the page makes of it may take a frame longer.
  return { choice, change, readForm: () => startTransition(() => read(TYPED)) };
}
