/** What a form sends, and what it is answered with. */
import type { SubmissionResult } from "@conform-to/react";

/** What is said of the fields of a form. */
export type Reply = SubmissionResult<string[]>;

/** What was typed, by the names of the form. */
export type Typed = Readonly<Record<string, string>>;

/** Never sent back to the page; `url` is that of a captain's own calendar. */
export const SECRETS = [
  "password",
  "currentPassword",
  "newPassword",
  "confirmPassword",
  "totp",
  "otp",
  "url",
];

/** Which of a screen's forms it is, by its button, or by a name that it alone has; else the first. */
export function sentFor(form: FormData, names: readonly string[]): string {
  const intent = String(form.get("intent"));
  if (names.includes(intent)) return intent;
  return names.find((name) => form.has(name)) ?? names[0] ?? "";
}

/** Puts the rows of a form under the names of the schema's list: `names` by those of the form. */
export function rowsAs(list: string, names: Readonly<Record<string, string>>) {
  return (form: FormData): FormData => {
    for (const [field, name] of Object.entries(names)) {
      for (const [i, value] of form.getAll(field).entries())
        form.set(`${list}[${i}].${name}`, value);
    }
    return form;
  };
}

/** By the names of a form that is sent with the version of what it changes. */
export type Values = Readonly<Record<string, string>> & { version: string };

export interface Merged<T extends Values> {
  /** What the form is filled with. */
  values: T;
  /** What it was filled with before anything was typed; it carries this along. */
  shown: Partial<T>;
  /** What is saved, where another saved it meanwhile. */
  saved: T | null;
}

/** `saved` names every field of the form. With what is saved in view, the next submission counts. */
export function mergedForm<T extends Values>(form: FormData, saved: T, stale: boolean): Merged<T> {
  const fields = Object.keys(saved);
  const typed = Object.fromEntries(
    fields.map((field) => [field, lines(String(form.get(field) ?? saved[field]))]),
  ) as T;
  const shown = form.has("shown") ? shownOf<T>(form) : saved;
  if (!stale) return { values: typed, shown, saved: null };
  // What a person left as it was: another may have corrected that.
  const changed = fields.filter((field) => field !== "version" && typed[field] !== shown[field]);
  const kept = Object.fromEntries(changed.map((field) => [field, typed[field]]));
  return { values: { ...saved, ...kept }, shown: saved, saved };
}

/** What the form was filled with, as it says itself. */
export function shownOf<T>(form: FormData): Partial<T> {
  try {
    const shown: unknown = JSON.parse(String(form.get("shown")));
    return typeof shown === "object" && shown !== null ? shown : {};
  } catch {
    return {};
  }
}

/** With scripts a form's lines end in LF, without them in CRLF. */
export function lines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
