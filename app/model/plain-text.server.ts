/**
 * A text as people type it, with paragraphs, lists and links and nothing else: page, mail and PDF are
 * made of these blocks, so no markup of the writer reaches a browser.
 */
import { Marked, type Token, Tokenizer, type Tokens } from "marked";
import type { TextBlock, TextRun } from "./text-blocks.ts";

/** Deeper lists stay text: the parser calls itself for each. */
const DEEPEST_LIST = 4;

class PlainTokenizer extends Tokenizer {
  #depth = 0;

  override list(source: string) {
    if (this.#depth >= DEEPEST_LIST) return undefined;
    this.#depth += 1;
    try {
      return super.list(source);
    } finally {
      this.#depth -= 1;
    }
  }
}

/** None of these is made: it stays text as it was typed. */
const none = () => undefined;
for (const kind of [
  ...(["blockquote", "html", "code", "fences", "hr", "def", "table", "lheading"] as const),
  ...(["tag", "codespan", "reflink", "del", "emStrong", "heading", "escape"] as const),
]) {
  Object.defineProperty(PlainTokenizer.prototype, kind, { value: none });
}

const marked = new Marked({ gfm: true, breaks: true });

export function readText(text: string): TextBlock[] {
  marked.setOptions({ tokenizer: new PlainTokenizer() });
  return marked.lexer(text).flatMap(blockOf);
}

function blockOf(token: Token): TextBlock[] {
  if (token.type === "space") return [];
  if (token.type === "list") {
    const list = token as Tokens.List;
    return [
      { type: "list", start: list.ordered ? Number(list.start) : null, items: itemsOf(list) },
    ];
  }
  return [{ type: "paragraph", runs: runsOf([token]) }];
}

/** Items of a list within a list follow the item that they stand in. */
function itemsOf(list: Tokens.List): TextRun[][] {
  return list.items.flatMap(({ tokens }) => {
    const own = runsOf(tokens.filter(({ type }) => type !== "list"));
    const lists = tokens.filter((token): token is Tokens.List => token.type === "list");
    return [...(own.length > 0 ? [own] : []), ...lists.flatMap(itemsOf)];
  });
}

function runsOf(tokens: readonly Token[], url?: string): TextRun[] {
  const runs = tokens.flatMap((token): TextRun[] => {
    // Of a picture only its words would be left.
    const isMade = token.type !== "image" && "tokens" in token;
    const inner: readonly Token[] = (isMade && token.tokens) || [];
    if (token.type === "br") return [{ text: "\n" }];
    if (token.type === "link") {
      const address = safeAddress((token as Tokens.Link).href);
      return address ? runsOf(inner, address) : [{ text: token.raw }];
    }
    if (inner.length > 0) return runsOf(inner, url);
    const text = token.type === "text" ? token.text : token.raw;
    return [{ text, ...(url && { url }) }];
  });
  // Neighbours of one kind are one run.
  return runs.reduce<TextRun[]>((joined, run) => {
    const last = joined.at(-1);
    if (last && last.url === run.url) last.text += run.text;
    else joined.push({ ...run });
    return joined;
  }, []);
}

function safeAddress(address: string): string | null {
  const url = URL.parse(address);
  return url && ["https:", "mailto:"].includes(url.protocol) ? url.href : null;
}
