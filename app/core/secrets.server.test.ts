import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "#tests/support/any-text.ts";
import { broughtUnderFirst, open, type SealedPlace, seal } from "./secrets.server.ts";

const PLACE = { purpose: "a test", row: "row-1" };
const [FIRST, SECOND] = ["f".repeat(32), "s".repeat(32)] as const;

const texts = anyText(200);
const secrets = fc.string({ minLength: 32, maxLength: 80 });
const places: fc.Arbitrary<SealedPlace> = fc.record({ purpose: fc.string(), row: fc.string() });

describe("a sealed text", () => {
  it("opens as any text that was sealed, and says nothing of it", () => {
    fc.assert(
      fc.property(texts, secrets, places, (text, secret, place) => {
        const sealed = seal([secret], place, text);
        expect(sealed).toMatch(/^v1\.[\w-]+$/);
        expect(open([secret], place, sealed)).toBe(text);
        expect(seal([secret], place, text)).not.toBe(sealed);
      }),
    );
  });

  it("opens under a listed secret, whichever made it, and under no other", () => {
    fc.assert(
      fc.property(texts, fc.uniqueArray(secrets, { minLength: 3, maxLength: 3 }), (text, three) => {
        const [a, b, c] = three as [string, string, string];
        const sealed = seal([b, a], PLACE, text);
        expect([open([a, b], PLACE, sealed), open([b], PLACE, sealed)]).toEqual([text, text]);
        expect(open([a, c], PLACE, sealed)).toBeNull();
      }),
    );
  });

  it("opens in no other place, also where the words run together alike", () => {
    fc.assert(
      fc.property(texts, places, places, (text, place, other) => {
        fc.pre(place.purpose !== other.purpose || place.row !== other.row);
        expect(open([FIRST], other, seal([FIRST], place, text))).toBeNull();
      }),
    );
    const sealed = seal([FIRST], { purpose: "ab", row: "c" }, "text");
    expect(open([FIRST], { purpose: "a", row: "bc" }, sealed)).toBeNull();
  });

  it("does not open with any character changed, added or taken away", () => {
    const sealed = seal([FIRST], PLACE, "JBSWY3DPEHPK3PXP");
    const wrong = [sealed.slice(0, -1), `${sealed}A`, `${sealed}==`, ` ${sealed}`, sealed.slice(3)];
    for (let at = 0; at < sealed.length; at += 1) {
      for (const other of ["A", "B", "-", "_", "9", "."]) {
        if (other !== sealed[at]) {
          wrong.push(sealed.slice(0, at) + other + sealed.slice(at + 1));
        }
      }
    }
    expect(wrong.filter((text) => open([FIRST], PLACE, text) !== null)).toEqual([]);
  });

  it("is refused without a throw, whatever stands in its place", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          texts,
          fc.base64String().map((text) => `v1.${text}`),
        ),
        (text) => {
          expect(open([FIRST, SECOND], PLACE, text)).toBeNull();
        },
      ),
    );
  });
});

describe("what is stored", () => {
  it("is brought under the first secret from clear text and from another listed one", () => {
    const under = (first: string, ...others: string[]) =>
      [first, ...others] as [string, ...string[]];
    const sealed = broughtUnderFirst(under(FIRST), PLACE, "clear text")!;
    expect(open([FIRST], PLACE, sealed)).toBe("clear text");
    expect(broughtUnderFirst(under(FIRST, SECOND), PLACE, sealed)).toBe(sealed);
    const moved = broughtUnderFirst(under(SECOND, FIRST), PLACE, sealed)!;
    expect(open([SECOND], PLACE, moved)).toBe("clear text");
    expect(broughtUnderFirst(under(FIRST), PLACE, moved)).toBeNull();
    // A later version's is no clear text to be sealed once more.
    expect(broughtUnderFirst(under(FIRST), PLACE, "v2.later")).toBeNull();
  });
});
