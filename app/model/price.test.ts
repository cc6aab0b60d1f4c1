import fc from "fast-check";
import { expect, it } from "vitest";
import { priceOf } from "./price.ts";

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
