import { expect, it } from "vitest";
import { formatAmount, formatRupees } from "./money.ts";

it("groups as in India", () => {
  expect(formatAmount(117_900)).toBe("₹1,179.00");
  expect(formatAmount(123_456_750)).toBe("₹12,34,567.50");
  expect(formatRupees(176_900)).toBe("₹1,769");
  expect(formatRupees(176_950)).toBe("₹1,769.50");
});
