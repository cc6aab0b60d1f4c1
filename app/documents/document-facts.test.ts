import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amountInWords, faultOf } from "#app/documents/document-facts.ts";
import { onUnknownCode } from "#app/model/unknown-code.ts";

describe("amountInWords", () => {
  it.each([
    [117900, "Rupees One Thousand One Hundred Seventy-Nine Only"],
    [0, "Rupees Zero Only"],
    [50, "Paise Fifty Only"],
    [100, "Rupees One Only"],
    [101, "Rupees One and One Paise Only"],
    [117950, "Rupees One Thousand One Hundred Seventy-Nine and Fifty Paise Only"],
    [1901, "Rupees Nineteen and One Paise Only"],
    [10_000_000, "Rupees One Lakh Only"],
    [1_000_000_000, "Rupees One Crore Only"],
    [
      1_234_567_800,
      "Rupees One Crore Twenty-Three Lakh Forty-Five Thousand Six Hundred Seventy-Eight Only",
    ],
    [100_000 * 10_000_000 * 100, "Rupees One Lakh Crore Only"],
  ])("%i paise", (paise, words) => {
    expect(amountInWords(paise)).toBe(words);
  });

  it("refuses what is no amount", () => {
    expect(() => amountInWords(-1)).toThrow(RangeError);
    expect(() => amountInWords(1.5)).toThrow(RangeError);
    expect(() => amountInWords(Number.NaN)).toThrow(RangeError);
  });

  it("can be read back to the same amount", () => {
    fc.assert(
      fc.property(fc.nat({ max: 99_999_999_999 }), (paise) => {
        expect(readBack(amountInWords(paise))).toBe(paise);
      }),
      { numRuns: 2000 },
    );
  });
});

it("a layout that is not known is said and reported", () => {
  const reported: string[] = [];
  onUnknownCode((code) => reported.push(code));
  const row = { stateCode: "27", customerGstin: null, supplier: "{}" };
  expect(faultOf({ ...row, layout: 99 })).toContain("its layout 99 is not known");
  expect(reported).toEqual(["layout 99"]);
});

const UNITS: Record<string, number> = Object.fromEntries(
  "Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen"
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS: Record<string, number> = Object.fromEntries(
  "Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety"
    .split(" ")
    .map((word, index) => [word, (index + 2) * 10]),
);

function readBack(text: string): number {
  const words = text.replace(/ Only$/, "");
  if (words.startsWith("Paise ")) return readWhole(words.slice(6));
  const [rupees = "", paise = ""] = words.slice("Rupees ".length).split(" and ");
  return readWhole(rupees) * 100 + readWhole(paise.replace(/ Paise$/, ""));
}

function readWhole(text: string): number {
  let total = 0;
  let group = 0;
  for (const word of text.split(/[ -]/).filter(Boolean)) {
    if (word === "Hundred") group *= 100;
    else if (word === "Thousand") [total, group] = [total + group * 1000, 0];
    else if (word === "Lakh") [total, group] = [total + group * 100_000, 0];
    else if (word === "Crore") [total, group] = [(total + group) * 10_000_000, 0];
    else group += UNITS[word] ?? TENS[word] ?? Number.NaN;
  }
  return total + group;
}
