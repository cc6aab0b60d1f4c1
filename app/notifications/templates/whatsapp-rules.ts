/**
 * What Meta accepts as the body of a template. Its pages say: no place at either end, none beside
 * another, numbered from 1 without a gap, at most 1024 characters, and "too many variables for its
 * length", which is fewer than 2n + 1 words around n places. Pure.
 */

const MOST_CHARACTERS = 1024;
const PLACE = /\{\{(\d+)\}\}/g;
const WORD = /[\p{L}\p{N}]/u;

/** What Meta would refuse, each as a sentence; none for a text that can be submitted. */
export function templateFaults(body: string): string[] {
  const faults: string[] = [];
  const numbers = [...body.matchAll(PLACE)].map(([, number]) => Number(number));
  const between = body.split(/\{\{\d+\}\}/);
  if (body.length > MOST_CHARACTERS)
    faults.push(`It is longer than ${MOST_CHARACTERS} characters.`);
  if (/[{}]/.test(between.join("")))
    faults.push("A place is not written as {{1}}, {{2}} and so on.");
  if (numbers.length === 0) return faults;
  if (!WORD.test(between[0] ?? "")) faults.push("It begins with a place.");
  if (!WORD.test(between.at(-1) ?? "")) faults.push("It ends with a place.");
  for (const [i, text] of between.slice(1, -1).entries()) {
    if (!WORD.test(text)) faults.push(`No word stands between places ${i + 1} and ${i + 2}.`);
  }
  if (numbers.some((number, i) => number !== i + 1)) {
    faults.push("Its places are not numbered in order.");
  }
  const words = between
    .join(" ")
    .split(/\s+/)
    .filter((part) => WORD.test(part)).length;
  const fewest = 2 * numbers.length + 1;
  if (words < fewest) {
    faults.push(`${numbers.length} places want at least ${fewest} words; it has ${words}.`);
  }
  return faults;
}

/** As the template's name is registered: prefix and kind. */
export function isTemplateName(name: string): boolean {
  return /^[a-z0-9_]{1,512}$/.test(name);
}
