/** Text as people write it: what has no place in it, and its schema. */
import { z } from "zod";

/**
 * Control characters, line separators and direction overrides have no place in a name, and would
 * spoil mail headers and documents. Line breaks and tabs may stand in a longer text.
 */
export const CONTROL = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const CONTROL_IN_TEXT = /[\u202a-\u202e\u2066-\u2069]|[^\P{Cc}\t\n\r]/u;

/** What shows nothing. The joiners stay within a word: letters of Indian scripts are shaped by them. */
const INVISIBLE = /[^\P{DI}\u200c\u200d]/gu;

const JOINER = /(\p{M}[\u200c\u200d]|\p{L}[\u200c\u200d](?=\p{L}))|[\u200c\u200d]/gu;

export function visible(name: string): string {
  return name.normalize("NFD").replace(INVISIBLE, "").replace(JOINER, "$1").normalize("NFC");
}

/** At most so many characters, with an ellipsis in place of the rest: never within a link. */
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

/** Lines of text; `what` names it in the messages. */
export function textSchemaOf(what: string, most: number) {
  return z
    .string({ error: "Please enter text" })
    .trim()
    .normalize("NFC")
    .max(most, `Please keep the ${what} under ${most} characters`)
    .refine((text) => !CONTROL_IN_TEXT.test(text), `The ${what} contains a control character`)
    .refine((text) => text.isWellFormed(), `The ${what} contains a broken character`);
}
