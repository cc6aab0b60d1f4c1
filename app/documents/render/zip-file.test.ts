import fc from "fast-check";
import { expect, it } from "vitest";
import { CFB } from "xlsx";
import { zipOf } from "./zip-file.ts";

/** As another program reads them, which checks lengths and sums. */
function partsOf(bytes: Buffer): Record<string, string> {
  const { FullPaths, FileIndex } = CFB.read(bytes, { type: "buffer" }) as {
    FullPaths: string[];
    FileIndex: { content: Uint8Array }[];
  };
  const parts = FullPaths.flatMap((path, at) =>
    path.endsWith(".xml")
      ? [[path.slice("Root Entry/".length), Buffer.from(FileIndex[at]!.content).toString()]]
      : [],
  );
  return Object.fromEntries(parts);
}

it("holds what was written, however it was cut", () => {
  const texts = fc.array(fc.array(fc.string({ unit: "grapheme" })));
  fc.assert(
    fc.property(texts, (texts) => {
      const files = texts.map((text, at) => [`folder/${at}.xml`, text] as const);
      const wanted = files.map(([path, text]) => [path, text.join("")]);
      expect(partsOf(zipOf(files))).toEqual(Object.fromEntries(wanted));
    }),
    { numRuns: 50 },
  );
});

it("asks for a long text piece by piece, and packs it", () => {
  let made = 0;
  const line = "नमस्ते, row after row\n".repeat(1_000);
  function* text() {
    for (let n = 0; n < 100; n++) {
      made += 1;
      yield line;
    }
  }
  const bytes = zipOf([["a.xml", text()]]);
  expect(made).toBe(100);
  expect(bytes.length).toBeLessThan(100_000);
  expect(partsOf(bytes)["a.xml"]).toBe(line.repeat(100));
});
