/** A form submitted after its session had ended: the sign-in form carries it back to its page. */
import { SECRETS } from "./form-data.ts";

/** The field of the sign-in form that carries the unsent form; the server stores nothing of it. */
export const UNSENT = "unsent";

/** In URL-encoded characters; a request to sign in may have at most 256 KiB. */
const LONGEST_UNSENT = 250_000;

/** The fields without secrets as JSON; undefined if they are too long to be carried. */
export function serializeForm(form: FormData): string | undefined {
  const text = JSON.stringify([...form].filter(([name]) => !SECRETS.includes(name)));
  return String(new URLSearchParams({ [UNSENT]: text })).length > LONGEST_UNSENT ? undefined : text;
}

/** The form of a text from `serializeForm`; null for any other text. */
export function parseForm(text: unknown): FormData | null {
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
