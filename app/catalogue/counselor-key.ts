/**
 * A new captain's key: of the name's letters and digits, or a plain word where it has none of the
 * Latin ones; with a number where it is taken.
 */
export function counselorKey(name: string, taken: readonly string[]): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const key = plain.slice(0, 40).replace(/-$/, "") || "captain";
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? key : `${key}-${number}`;
    if (!taken.includes(numbered)) return numbered;
  }
}
