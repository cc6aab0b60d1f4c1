import fc from "fast-check";
import { expect, it } from "vitest";
import { gstinCheckDigit, gstinFault, splitTax } from "./gstin.ts";

it("checks a GSTIN's shape, state and check digit", () => {
  expect(gstinCheckDigit("27AAPFU0939F1Z")).toBe("V");
  expect(gstinFault("27AAPFU0939F1ZV", "27")).toBeNull();
  expect(gstinFault("27AAPFU0939F1ZV", "29")).toContain("29");
  expect(gstinFault("27AAPFU0939F1ZW", "27")).toContain("check digit");
  expect(gstinFault("27aapfu0939f1zv", "27")).toContain("form");
});

it("splits a tax without losing a paisa", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e9 }), fc.boolean(), (gst, same) => {
      const { cgstPaise, sgstPaise, igstPaise } = splitTax(gst, "29", same ? "29" : "27");
      expect(cgstPaise + sgstPaise + igstPaise).toBe(gst);
      expect(same ? igstPaise : cgstPaise).toBe(0);
    }),
  );
  expect(splitTax(18_000, "29", "29")).toEqual({ cgstPaise: 9000, sgstPaise: 9000, igstPaise: 0 });
});
