import fc from "fast-check";
import { expect, it } from "vitest";
import {
  formatAmount,
  formatPlainAmount,
  formatRupees,
  priceOf,
  rupeesOf,
  sameMoney,
} from "./money.ts";

it("groups as in India", () => {
  expect(formatAmount(117_900)).toBe("₹1,179.00");
  expect(formatAmount(123_456_750)).toBe("₹12,34,567.50");
  expect(formatRupees(176_900)).toBe("₹1,769");
  expect(formatRupees(176_950)).toBe("₹1,769.50");
});

it("is counted in paise and said in rupees", () => {
  expect([rupeesOf(117_900), rupeesOf(150), rupeesOf(1)]).toEqual([1179, 1.5, 0.01]);
  expect(formatPlainAmount(117_900)).toBe("1,179.00");
  expect(formatPlainAmount(123_456_705)).toBe("12,34,567.05");
  expect([formatRupees(1), formatRupees(100), formatRupees(0)]).toEqual(["₹0.01", "₹1", "₹0"]);
});

it("is the same only in one currency", () => {
  const inr = { amountPaise: 100, currency: "INR" };
  expect(sameMoney(inr, { ...inr })).toBe(true);
  expect(sameMoney(inr, { ...inr, currency: "USD" })).toBe(false);
  expect(sameMoney(inr, { ...inr, amountPaise: 101 })).toBe(false);
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
