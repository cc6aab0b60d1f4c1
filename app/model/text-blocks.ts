/** Longer text: the ends of its lines, and the blocks that `readText` makes of what was typed. */

/** A browser ends a line in CRLF where no script sends its form; people count one character. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

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
