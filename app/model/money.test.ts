import fc from "fast-check";
import { expect, it } from "vitest";
import { formatAmount, formatRupees, priceOf } from "./money.ts";

it("prices the three packages as the tax law rounds them", () => {
  expect([999, 1299, 1499].map((base) => priceOf(base).totalPaise)).toEqual([
    117_900, 153_300, 176_900,
  ]);
});

it("keeps the tax a whole rupee within half a rupee of 18 percent", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), (base) => {
      const { basePaise, gstPaise, totalPaise } = priceOf(base);
      expect(gstPaise % 100).toBe(0);
      expect(Math.abs(gstPaise - basePaise * 0.18)).toBeLessThanOrEqual(50.001);
      expect(totalPaise).toBe(basePaise + gstPaise);
    }),
  );
});

it("groups as in India", () => {
  expect(formatAmount(117_900)).toBe("₹1,179.00");
  expect(formatAmount(123_456_750)).toBe("₹12,34,567.50");
  expect(formatRupees(176_900)).toBe("₹1,769");
  expect(formatRupees(176_950)).toBe("₹1,769.50");
});
