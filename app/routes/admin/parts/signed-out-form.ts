/**
 * A form that was sent after its session had ended: what of it goes along to the sign-in, and comes
 * back.
 */
import { SECRETS } from "./form-data.ts";

/** The field of the sign-in form that carries the other form: the server stores nothing of it. */
export const UNSENT = "unsent";

/** As a form sends it; the sign-in has at most 256 KiB. */
const LONGEST_UNSENT = 250_000;

/** The form's fields without secrets, as one text; undefined if they are too long to go along. */
export function packed(form: FormData): string | undefined {
  const text = JSON.stringify([...form].filter(([name]) => !SECRETS.includes(name)));
  return String(new URLSearchParams({ [UNSENT]: text })).length > LONGEST_UNSENT ? undefined : text;
}

/** The form that comes back; null without one. */
export function unpacked(text: unknown): FormData | null {
  try {
    const fields: unknown = JSON.parse(String(text));
    if (!Array.isArray(fields)) return null;
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(fields)) form.append(name, value);
    return form;
  } catch {
    return null;
  }
}
