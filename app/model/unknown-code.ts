/**
 * Codes are looked up by functions, which do not find names that every object has. A stored code
 * that this program does not know is shown as such, so that the other rows still come out.
 */

let listener: (code: string) => void = () => {};
const reported = new Set<string>();

/** Pages load this module too, so it cannot log: the server sets this listener. */
export function onUnknownCode(next: (code: string) => void): void {
  listener = next;
}

/** Shown instead of missing words. */
export function unknownCode(code: string): string {
  const safe = code.slice(0, 40).replace(/[^\w .:/-]/g, "?");
  tellUnknown(safe);
  return `Unknown (${safe})`;
}

/** Reported once per read: a code, or the column that cannot be read. */
export function tellUnknown(code: string): void {
  if (reported.has(code)) return;
  reported.add(code);
  queueMicrotask(() => reported.delete(code));
  listener(code);
}

/** What a table has for a code; undefined for any other text. */
/* @__NO_SIDE_EFFECTS__ */
export function lookUp<Code extends string, T>(
  table: Readonly<Record<Code, T>>,
): (code: string | null) => T | undefined {
  const known = new Map<string | null, T>(Object.entries(table) as [string, T][]);
  return (code) => known.get(code);
}

/* @__NO_SIDE_EFFECTS__ */
export function wording<Code extends string>(
  words: Readonly<Record<Code, string>>,
): (code: Code) => string {
  const known = lookUp(words);
  return (code) => known(code) ?? unknownCode(code);
}
