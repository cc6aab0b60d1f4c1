import { type RefObject, useEffect } from "react";

/** Each refusal puts the focus on the first field that it finds fault with, which says why. */
export function useFirstError(form: RefObject<HTMLFormElement | null>, refusal: object | null) {
  useEffect(() => {
    if (!refusal) return;
    form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [form, refusal]);
}
