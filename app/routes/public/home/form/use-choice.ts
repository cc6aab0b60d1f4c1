/** What the visitor has chosen so far, read from the form itself. */
import { type RefObject, useEffect, useState } from "react";
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

  // Chosen before the scripts had loaded, or put back by the browser after Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, after hydration
  useEffect(() => read(CHOSEN), []);

  return { choice, change, readForm: () => read(TYPED) };
}
