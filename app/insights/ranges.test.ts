import fc from "fast-check";
import { expect, it } from "vitest";
import { addDays, daysBetween } from "#app/model/dates.ts";
import { monthsOf, rangeBefore, usualRanges } from "./ranges.ts";

it.each([
  ["2026-11-01", "2026-11-30", "2026-10-01", "2026-10-31"],
  ["2026-04-01", "2027-03-31", "2025-04-01", "2026-03-31"],
  ["2026-01-01", "2026-02-28", "2025-11-01", "2025-12-31"],
  // No whole months: as many days.
  ["2026-11-02", "2026-11-30", "2026-10-04", "2026-11-01"],
  ["2026-11-01", "2026-11-29", "2026-10-03", "2026-10-31"],
  ["2026-11-05", "2026-11-05", "2026-11-04", "2026-11-04"],
])("before %s to %s lie %s to %s", (from, to, first, last) => {
  expect(rangeBefore({ from, to })).toEqual({ from: first, to: last });
});

it("has every month once, cut by the range", () => {
  const date = fc.integer({ min: 0, max: 4000 }).map((days) => addDays("2020-01-01", days));
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 900 }), (from, length) => {
      const to = addDays(from, length);
      const months = monthsOf({ from, to });
      expect([months[0]!.from, months.at(-1)!.to]).toEqual([from, to]);
      months.slice(1).forEach((month, i) => {
        expect(daysBetween(months[i]!.to, month.from)).toBe(1);
        expect(month.from).toBe(`${month.value}-01`);
      });
      for (const month of months) {
        expect([month.from.slice(0, 7), month.to.slice(0, 7)]).toEqual([month.value, month.value]);
      }
    }),
  );
});

it.each([
  ["2026-11-23", "2026-11-01", "2026-10-01", "2025-12-01", "2026-04-01"],
  ["2026-03-31", "2026-03-01", "2026-02-01", "2025-04-01", "2025-04-01"],
  ["2026-01-01", "2026-01-01", "2025-12-01", "2025-02-01", "2025-04-01"],
  ["2026-12-31", "2026-12-01", "2026-11-01", "2026-01-01", "2026-04-01"],
])("on %s the usual ranges begin on %s, %s, %s and %s", (today, ...starts) => {
  const ranges = usualRanges(today);
  expect(ranges.map(({ from }) => from)).toEqual(starts);
  expect(ranges[1]!.to).toBe(addDays(ranges[0]!.from, -1));
  expect(ranges[2]!.to).toBe(ranges[0]!.to);
  expect(monthsOf(ranges[2]!)).toHaveLength(12);
  expect(monthsOf(ranges[3]!)).toHaveLength(12);
});
