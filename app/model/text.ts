/** Text as people write it: what has no place in it, and the schemas of text fields. */
import { z } from "zod";
import { isCalendarDate } from "./dates.ts";
import { withLineFeeds } from "./text-blocks.ts";

// Before any schema of the page's forms is made. Our content security policy forbids compiling
// code, and zod's probe for that would be reported.
if (typeof document !== "undefined") z.config({ jitless: true });

/**
 * Control characters, line separators and direction overrides do not belong in a name, and would
 * spoil mail headers and documents. A longer text may have line breaks and tabs.
 */
const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const CONTROL_IN_TEXT = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n]/u;

/** Invisible characters. Joiners may stay within a word: they shape letters of Indian scripts. */
const INVISIBLE = /[^\P{DI}\u200c\u200d]/gu;

const JOINER = /(\p{M}[\u200c\u200d]|\p{L}[\u200c\u200d](?=\p{L}))|[\u200c\u200d]/gu;

function visible(name: string): string {
  return name.normalize("NFD").replace(INVISIBLE, "").replace(JOINER, "$1").normalize("NFC");
}

/** At most `most` characters, with an ellipsis for the rest; never cut within a link. */
export function shortened(text: string, most: number): string {
  const characters = [...text];
  if (characters.length <= most) return text;
  const kept = characters.slice(0, most - 1).join("");
  const links = [...text.matchAll(/https?:\/\/\S+/g)];
  const cut = links.find(
    ({ index, 0: link }) => index < kept.length && kept.length < index + link.length,
  );
  return `${cut ? kept.slice(0, cut.index).trimEnd() : kept}…`;
}

/** With an apostrophe before a sign that a spreadsheet would take for the beginning of a formula. */
export function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** One line of visible text; `what` names it in the messages. */
export function lineSchemaOf(what: string, most: number, error: string) {
  return z
    .string({ error })
    .trim()
    .refine((text) => !CONTROL.test(text), `${what} must not contain control characters`)
    .refine((text) => text.isWellFormed(), `${what} contains a broken character`)
    .overwrite(visible)
    .trim()
    .max(most, `${what} must be at most ${most} characters`);
}

/** A person's name; `what` names it in the messages. */
export function nameSchemaOf(what: string) {
  const tooShort = `${what} must be at least 2 characters`;
  return lineSchemaOf(what, 100, tooShort).refine((name) => /\p{L}.*\p{L}/u.test(name), tooShort);
}

export const nameSchema = nameSchemaOf("Name");

const emailMessage = "Please enter a valid email";

export const emailSchema = z
  .string({ error: emailMessage })
  .trim()
  .max(254, "Email must be at most 254 characters")
  .pipe(z.email({ error: emailMessage }));

/** Lines of text; `what` names it in the messages. */
export function textSchemaOf(what: string, most: number) {
  return z
    .string({ error: "Please enter text" })
    .overwrite(withLineFeeds)
    .trim()
    .normalize("NFC")
    .max(most, `Please keep the ${what} to at most ${most} characters`)
    .refine((text) => !CONTROL_IN_TEXT.test(text), `The ${what} contains a control character`)
    .refine((text) => text.isWellFormed(), `The ${what} contains a broken character`);
}

/** Any name; the catalogue knows the captains. */
export const counselorSchema = z
  .string({ error: "Please select a captain" })
  .trim()
  .min(1, "Please select a captain");

/**
 * A calendar date, `yyyy-MM-dd`; `missing` is the message if it is empty. With `abort`, rules about
 * several dates are skipped while one of them does not exist.
 */
export function dateSchemaOf(missing: string, { abort = false } = {}) {
  return z
    .string({ error: missing })
    .trim()
    .min(1, missing)
    .refine(isCalendarDate, { error: "Please select a date that exists", abort });
}
