import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText } from "./plain-text.server.ts";
import { plainLines } from "./text-blocks.ts";

const shown = (text: string) =>
  readText(text).flatMap((block) => {
    const rows = block.type === "paragraph" ? [block.runs] : block.items;
    return rows.map((runs) => runs.map((run) => run.text).join(""));
  });
const addresses = (text: string) =>
  readText(text)
    .flatMap((block) => (block.type === "paragraph" ? block.runs : block.items.flat()))
    .flatMap(({ url }) => (url ? [url] : []));

describe("what a captain wrote", () => {
  it("is paragraphs with their line ends, lists of both kinds, and links", async () => {
    const text = [
      "First line\nsecond line",
      "- one\n- two, see [the list](https://dgca.gov.in/list)\n  - within",
      "Then:",
      "3. third\n4. fourth",
      "https://example.in/a?b=1&c=2 or asha@captains.example",
    ].join("\n\n");
    const blocks = readText(text).map((block) => JSON.stringify(block));
    const lines = plainLines(readText(text)).map(({ first, text }) => first + text);
    const read = [...blocks, ...lines].join("\n");
    await expect(`${read}\n`).toMatchFileSnapshot("golden-plain-text.txt");
  });

  it("keeps a line end that is written with two spaces or a backslash", () => {
    for (const text of ["one  \ntwo", "one\\\ntwo"]) {
      expect(readText(text)).toEqual([{ type: "paragraph", runs: [{ text: "one\ntwo" }] }]);
    }
  });

  it("has no empty item where a list begins with a list", () => {
    const items = [[{ text: "one" }], [{ text: "two" }]];
    expect(readText("- - one\n- two")).toEqual([{ type: "list", start: null, items }]);
  });

  it.each([
    "<script>alert(1)</script>",
    '<img src=x onerror="alert(1)">',
    "> quoted",
    "```\ncode\n```",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "&lt; AT&T &amp;",
    "Fly 2*45 min a week, then 3*30 min; *not* 2\\*3.",
    "# 1 choice: Pune",
    "[x](javascript:alert(1))",
    "[x](data:text/html,1)",
    "[x](http://plain.example)",
    "![map](https://x.in/map.png)",
  ])("stays text as it was typed: %s", (text) => {
    expect(shown(text)).toEqual([text]);
    expect(addresses(text)).toEqual([]);
  });

  it("leads only to https and mail addresses, whatever is typed", () => {
    const piece = fc.constantFrom(
      ...["[a](", ")", "<", ">", "javascript:", "https://x.in", "http://y.in", "mailto:a@b.in"],
      ...["www.z.in", "\n", "- ", "1. ", "> ", "    ", "*", "_", "`", "![", "[b]: ", " ", "data:,"],
      ...["\\", "&#106;", "~", "|", "#", "a"],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        for (const url of addresses(pieces.join(""))) expect(url).toMatch(/^(https:\/\/|mailto:)/);
      }),
    );
  });

  it.each([
    "- ",
    "> ",
    ">",
    "1. ",
    "[",
    "[a](",
    "*a",
    "`",
    "![",
    "<a ",
    "a.",
    "\t",
    "(",
    "  - a\n",
  ])("reads 5,000 characters of %j in a moment", (piece) => {
    const before = performance.now();
    readText(piece.repeat(5000 / piece.length));
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
