/** TODO */

import { runOnce } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { isId, newId } from "#app/model/ids.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";

/** Made with the form, and sent along as `formKey`. */
export function newFormKey(): string {
  return newId();
}

const DONE_ALREADY = failure(
  "idempotency_conflict",
  "This form was sent before, with something else in it, and that was done. Please look at the booking first, and open the form anew for more.",
);

/** `call` names what is asked for, and of what; a repeat is answered with the id of the first. */
export function onceForForm<T>(
  deps: Pick<Deps, "db" | "now">,
  form: FormData,
  call: string,
  body: Record<string, unknown>,
  work: () => Outcome<T>,
  appointmentIdOf: (value: T) => string,
): Outcome<string> {
  const given = String(form.get("formKey") ?? "");
  const wish = { key: isId(given) ? given : null, call, body };
  const done = runOnce(deps, wish, work, (value) => ({ appointmentId: appointmentIdOf(value) }));
  if (done.ok) return success(done.value.appointmentId);
  return done.code === "idempotency_conflict" ? DONE_ALREADY : done;
}

/** A form that another admin was faster than keeps what was typed, and leaves theirs alone. */

type Values = Readonly<Record<string, string>> & { version: string };

export interface Merged<T extends Values> {
  /** What the form is filled with. */
  values: T;
  /** What it was filled with before anything was typed; it carries this along. */
  shown: Partial<T>;
  /** What is saved, where another saved it meanwhile. */
  saved: T | null;
}

/** `saved` names every field of the form. With what is saved in view, the next press counts. */
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
function shownOf<T>(form: FormData): Partial<T> {
  try {
    const shown: unknown = JSON.parse(String(form.get("shown")));
    return typeof shown === "object" && shown !== null ? shown : {};
  } catch {
    return {};
  }
}

/** With scripts a form's lines end in LF, without in CRLF. */
export function lines(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
