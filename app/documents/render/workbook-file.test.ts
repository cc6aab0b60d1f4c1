import { crc32, inflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, it } from "vitest";
import { text } from "./workbook-cells.ts";
import { writeXlsx, zipOf } from "./workbook-file.ts";

const ENTRY = 0x02014b50;

/** The parts as the format describes them; their lengths and sums are held against what is there. */
function partsOf(zip: Buffer): Record<string, string> {
  const end = zip.length - 22;
  const parts: Record<string, string> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    expect(zip.readUInt32LE(at)).toBe(ENTRY);
    const [sum, packed, length] = [16, 20, 24].map((offset) => zip.readUInt32LE(at + offset));
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.toString("utf8", at + 46, at + 46 + nameLength!);
    const file = zip.readUInt32LE(at + 42);
    const start = file + 30 + zip.readUInt16LE(file + 26) + zip.readUInt16LE(file + 28);
    const text = inflateRawSync(zip.subarray(start, start + packed!));
    expect([text.length, crc32(text)]).toEqual([length, sum]);
    parts[name] = text.toString();
    at += 46 + nameLength! + extra! + comment!;
  }
  expect(at).toBe(end);
  return parts;
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

it("holds a long text that does not repeat", () => {
  const text = Array.from({ length: 60_000 }, (_, n) => `₹${n * 7919} नमस्ते 👩🏽‍✈️ ${n ** 3};`);
  expect(partsOf(zipOf([["a.xml", text]]))["a.xml"]).toBe(text.join(""));
});

it("asks for each piece of a long text once, and packs them", () => {
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

it("keeps the spaces around a text, and says so of no other", () => {
  const sheet = { name: "A", rows: [[text(" a "), text("b c")]], widths: Array(20).fill(8) };
  const strings = partsOf(writeXlsx([sheet]))["xl/sharedStrings.xml"];
  expect(strings).toContain('<si><t xml:space="preserve"> a </t></si><si><t>b c</t></si>');
});
