import fc from "fast-check";
import { expect, it } from "vitest";
import { GrowingText } from "./growing-text.ts";

it("is the text that was added, whatever was reserved", () => {
  const piece = fc.record({
    text: fc.string({ unit: "grapheme" }),
    reserved: fc.option(fc.nat(40)),
  });
  const property = fc.property(fc.string(), fc.array(piece), (start, pieces) => {
    const text = new GrowingText(start);
    for (const { text: added, reserved } of pieces) {
      if (reserved !== null) text.reserve(reserved);
      text.add(added);
    }
    const whole = start + pieces.map(({ text: added }) => added).join("");
    expect(text.bytes().toString()).toBe(Buffer.from(whole).toString());
  });
  fc.assert(property, { numRuns: 500 });
});
