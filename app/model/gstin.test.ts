import { expect, it } from "vitest";
import { gstinCheckDigit, gstinFault } from "./gstin.ts";

it("checks a GSTIN's shape, state and check digit", () => {
  expect(gstinCheckDigit("27AAPFU0939F1Z")).toBe("V");
  expect(gstinFault("27AAPFU0939F1ZV")).toBeNull();
  expect(gstinFault(`99AAPFU0939F1Z${gstinCheckDigit("99AAPFU0939F1Z")}`)).toContain("no state");
  expect(gstinFault("27AAPFU0939F1ZW")).toContain("check digit");
  expect(gstinFault("27aapfu0939f1zv")).toContain("form");
});
