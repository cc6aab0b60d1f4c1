/** The data of submitted forms, and of the responses to them. */
import type { SubmissionResult } from "@conform-to/react";
import { withLineFeeds } from "#app/model/text-blocks.ts";

/** What a response says about the fields of a form. */
export type Reply = SubmissionResult<string[]>;

/** The typed values by field name. */
export type Typed = Readonly<Record<string, string>>;

/** Never sent back to the page; `url` is the address of a captain's imported calendar. */
export const SECRETS = [
  "password",
  "currentPassword",
  "newPassword",
  "confirmPassword",
  "totp",
  "otp",
  "url",
];

/** Which of a screen's forms was submitted, by its button or a field of its name; else the first. */
export function sentFor(form: FormData, names: readonly string[]): string {
  const intent = String(form.get("intent"));
  if (names.includes(intent)) return intent;
  return names.find((name) => form.has(name)) ?? names[0] ?? "";
}

/** Renames the fields of a form's rows to those of the schema's list; `names` maps them. */
export function rowsAs(list: string, names: Readonly<Record<string, string>>) {
  return (form: FormData): FormData => {
    for (const [field, name] of Object.entries(names)) {
      for (const [i, value] of form.getAll(field).entries())
        form.set(`${list}[${i}].${name}`, value);
    }
    return form;
  };
}

/** Values by field name, with the version of the row that the form changes. */
export type Values = Readonly<Record<string, string>> & { version: string };

export interface Merged<T extends Values> {
  /** What the form is filled with. */
  values: T;
  /** What it was filled with before anything was typed, which it submits too. */
  shown: Partial<T>;
  /** What is saved, if another admin has saved meanwhile. */
  saved: T | null;
}

/** `saved` has every field of the form. If `stale`, untouched fields and the version come from it. */
export function mergedForm<T extends Values>(form: FormData, saved: T, stale: boolean): Merged<T> {
  const fields = Object.keys(saved);
  const typed = Object.fromEntries(
    fields.map((field) => [field, withLineFeeds(String(form.get(field) ?? saved[field]))]),
  ) as T;
  const shown = form.has("shown") ? shownOf<T>(form) : saved;
  if (!stale) return { values: typed, shown, saved: null };
  // Untouched fields take the saved values: another admin may have corrected them.
  const changed = fields.filter((field) => field !== "version" && typed[field] !== shown[field]);
  const kept = Object.fromEntries(changed.map((field) => [field, typed[field]]));
  return { values: { ...saved, ...kept }, shown: saved, saved };
}

/** What the form was filled with, as it submits it. */
export function shownOf<T>(form: FormData): Partial<T> {
  try {
    const shown: unknown = JSON.parse(String(form.get("shown")));
    return typeof shown === "object" && shown !== null ? shown : {};
  } catch {
    return {};
  }
}

/**
 * A form submitted after its session had ended is carried back to its page by the sign-in form, in
 * this field; the server stores nothing of it.
 */
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
