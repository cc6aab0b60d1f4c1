/** What the visitor has chosen so far, read from the form itself. */
import { type RefObject, useEffect, useState } from "react";

export interface Choice {
  name: string;
  email: string;
  phone: string;
  counselor: string;
  /** Minutes as text. */
  package: string;
  date: string;
  timeSlot: string;
}

/** What typing and pressing change; date and time are told by their own controls. */
const TYPED = ["name", "email", "phone", "counselor", "package"] as const;
const ALL = [...TYPED, "date", "timeSlot"] as const;

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
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes alive
  useEffect(() => read(ALL), []);

  return { choice, change, readForm: () => read(TYPED) };
}
