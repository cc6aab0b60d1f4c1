import { expect, it } from "vitest";
import { addDays } from "#app/model/dates.ts";
import { expandDates, MOST_DATES } from "./fields.ts";

const from = "2026-12-01";

it.each([
  ["a day alone", 0, [from]],
  ["both ends", 2, [from, "2026-12-02", "2026-12-03"]],
  ["no day of a range that ends before it begins", -1, []],
])("holds %s", (_, days, dates) => {
  expect(expandDates({ from, to: addDays(from, days) })).toEqual(dates);
  expect(expandDates({ from, to: addDays(from, days), weekdays: [] })).toEqual(dates);
});

it("holds the chosen weekdays only", () => {
  const dates = expandDates({ from, to: addDays(from, 13), weekdays: [0, 6] });
  expect(dates).toEqual(["2026-12-05", "2026-12-06", "2026-12-12", "2026-12-13"]);
});

it("is cut after one more than may be changed at once", () => {
  expect(MOST_DATES).toBe(400);
  const lengths = [398, 399, 400, 5_000].map(
    (days) => expandDates({ from, to: addDays(from, days) }).length,
  );
  expect(lengths).toEqual([399, 400, 401, 401]);
});
