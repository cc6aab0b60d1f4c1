import { useEffect, useRef } from "react";

/**
 * A form whose address says what it asks for. The fields are the browser's own, so what is typed
 * while an answer is under way stays; an address that came by a link or from the history fills them.
 */
export function useFilledForm(address: string, values: Readonly<Record<string, string>>) {
  const form = useRef<HTMLFormElement>(null);
  const shown = useRef(address);
  const asked = useRef<string | null>(null);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    if (form.current && asked.current !== address) fill(form.current, values);
    asked.current = null;
  }, [address, values]);
  /** The form is sent: this address is what its fields say. */
  const ask = (next: string) => {
    asked.current = next;
  };
  return { form, ask };
}

function fill(form: HTMLFormElement, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const field = form.elements.namedItem(name);
    if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
      field.value = value;
    }
  }
}
