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

const FIELDS = ["name", "email", "phone", "counselor", "package"] as const;

export function useChoice(form: RefObject<HTMLFormElement | null>, first: Choice) {
  const [choice, setChoice] = useState(first);

  function change(part: Partial<Choice>) {
    setChoice((before) => ({ ...before, ...part }));
  }

  function readForm() {
    if (!form.current) return;
    const data = new FormData(form.current);
    change(Object.fromEntries(FIELDS.map((field) => [field, String(data.get(field) ?? "")])));
  }

  // Typed before the scripts had loaded, or put back by the browser after Back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page comes alive
  useEffect(readForm, []);

  return { choice, change, readForm };
}
