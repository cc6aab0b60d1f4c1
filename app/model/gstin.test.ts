import { expect, it } from "vitest";
import { gstinCheckDigit, gstinFault } from "./gstin.ts";

it("checks a GSTIN's shape, state and check digit", () => {
  expect(gstinCheckDigit("27AAPFU0939F1Z")).toBe("V");
  expect(gstinFault("27AAPFU0939F1ZV", "27")).toBeNull();
  expect(gstinFault("27AAPFU0939F1ZV", "29")).toContain("29");
  expect(gstinFault("27AAPFU0939F1ZW", "27")).toContain("check digit");
  expect(gstinFault("27aapfu0939f1zv", "27")).toContain("form");
});
