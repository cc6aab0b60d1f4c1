import { describe, expect, it } from "vitest";
import { WEEKDAYS, type Week } from "#app/model/day-plan.ts";
import { isInRanges, rangeFault, timesBetween, withRanges } from "./week-ranges.ts";

const week = (mon: string[]) =>
  Object.fromEntries(WEEKDAYS.map((day) => [day, day === "mon" ? mon : []])) as unknown as Week;

describe("hours as ranges", () => {
  it("are every half hour from the first start to the last", () => {
    expect(timesBetween("09:00", "10:30")).toEqual(["09:00", "09:30", "10:00", "10:30"]);
    expect(timesBetween("10:00", "09:00")).toEqual([]);
  });

  it("distinguish a week without gaps from one with them", () => {
    expect(isInRanges(week([]))).toBe(true);
    expect(isInRanges(week(["09:00"]))).toBe(true);
    expect(isInRanges(week(["09:00", "09:30"]))).toBe(true);
    expect(isInRanges(week(["09:00", "10:00"]))).toBe(false);
  });

  it("take the place of what is ticked, where the form is given so", () => {
    const form = new FormData();
    for (const [name, value] of [
      ["as", "ranges"],
      ["mon", "20:00"],
      ["monFrom", "09:00"],
      ["monTo", "10:00"],
      ["tue", "20:00"],
      ["tueFrom", ""],
      ["wedFrom", "11:00"],
    ] as const) {
      form.append(name, value);
    }
    const named = withRanges(form);
    expect(named.getAll("mon")).toEqual(["09:00", "09:30", "10:00"]);
    expect(named.getAll("tue")).toEqual([]);
    expect(named.getAll("wed")).toEqual(["11:00"]);
    expect(rangeFault(form)).toBeNull();
    form.set("monTo", "08:30");
    expect(rangeFault(form)).toContain("Monday");
    // As they were typed, so that they stand in the form again.
    expect(withRanges(form).getAll("mon")).toEqual(["09:00", "08:30"]);
    form.set("as", "single");
    expect(rangeFault(form)).toBeNull();
    form.set("mon", "20:00");
    expect(withRanges(form).getAll("mon")).toEqual(["20:00"]);
  });
});
