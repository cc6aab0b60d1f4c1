import fc from "fast-check";
import { expect, it } from "vitest";
import {
  GST_STATES,
  gstinCheckDigit,
  gstinFault,
  OUTSIDE_INDIA,
  PLACE_OPTIONS,
  PLACES,
} from "./gstin.ts";

it("checks a GSTIN's shape, state and check digit", () => {
  expect(gstinCheckDigit("27AAPFU0939F1Z")).toBe("V");
  expect(gstinFault("27AAPFU0939F1ZV")).toBeNull();
  expect(gstinFault(`99AAPFU0939F1Z${gstinCheckDigit("99AAPFU0939F1Z")}`)).toContain("no state");
  expect(gstinFault("27AAPFU0939F1ZW")).toContain("check digit");
  expect(gstinFault("27aapfu0939f1zv")).toContain("form");
});

it("makes the check digit that brings the sum of all digits to a multiple of 36", () => {
  const digit = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ");
  const valueOfDigit = (letter: string) => Number.parseInt(letter, 36);
  // A product of two digits counts as the sum of its own, in base 36.
  const sumOf = (product: number) =>
    [...product.toString(36)].map(valueOfDigit).reduce((a, b) => a + b);
  fc.assert(
    fc.property(fc.array(digit, { minLength: 14, maxLength: 14 }), (first) => {
      const all = [...first, gstinCheckDigit(first.join(""))];
      expect(all.at(-1)).toHaveLength(1);
      const sums = all.map((letter, at) => sumOf(valueOfDigit(letter) * (1 + (at % 2))));
      expect(sums.reduce((a, b) => a + b) % 36).toBe(0);
    }),
  );
});

it("lists the states by name", () => {
  const names = PLACE_OPTIONS.slice(1).map(([, name]) => name);
  expect(names).toEqual([...names].sort());
  expect(new Map(PLACE_OPTIONS)).toEqual(PLACES);
  expect(PLACE_OPTIONS[0]).toEqual([OUTSIDE_INDIA, "Outside India"]);
  expect(GST_STATES.has(OUTSIDE_INDIA)).toBe(false);
  expect([names[0], names.at(-1)]).toEqual(["Andaman and Nicobar", "West Bengal"]);
});
