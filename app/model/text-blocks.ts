/** A text in paragraphs, lists and links, as `readText` makes it of what was typed. */
export interface TextRun {
  text: string;
  /** https or mailto. */
  url?: string;
}

export type TextBlock =
  | { type: "paragraph"; runs: TextRun[] }
  /** `start`: the first number; null for a list with bullets. */
  | { type: "list"; start: number | null; items: TextRun[][] };

/** Paragraphs and items for where there is no markup; an address follows the words that lead to it. */
export function plainLines(blocks: readonly TextBlock[]): { first: string; text: string }[] {
  const textOf = (runs: readonly TextRun[]) =>
    runs.map(({ text, url }) => (url && !url.includes(text) ? `${text} (${url})` : text)).join("");
  return blocks.flatMap((block) => {
    if (block.type === "paragraph") return [{ first: "", text: textOf(block.runs) }];
    const { start } = block;
    return block.items.map((item, i) => ({
      first: start === null ? "- " : `${start + i}. `,
      text: textOf(item),
    }));
  });
}
