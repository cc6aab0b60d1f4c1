import { describe, expect, it } from "vitest";
import { addMonths, endOfMonth, isInFullWeek, keyTarget, weeksToDraw } from "./month.ts";

describe("keyTarget", () => {
  it.each([
    ["ArrowLeft", "2026-10-31"],
    ["ArrowRight", "2026-11-02"],
    ["ArrowUp", "2026-10-25"],
    ["ArrowDown", "2026-11-08"],
    ["Home", "2026-10-26"],
    ["End", "2026-11-01"],
    ["PageUp", "2026-10-01"],
    ["PageDown", "2026-12-01"],
    ["Enter", null],
  ])("%s from Sunday, 1 November 2026 leads to %s", (key, date) => {
    expect(keyTarget(key, "2026-11-01")).toBe(date);
  });
});

describe("months", () => {
  it("keeps to the month's last day", () => {
    expect(addMonths("2027-01-31", 1)).toBe("2027-02-28");
    expect(addMonths("2028-01-31", 1)).toBe("2028-02-29");
    expect(addMonths("2026-12-15", 1)).toBe("2027-01-15");
    expect(addMonths("2027-01-15", -1)).toBe("2026-12-15");
    expect(endOfMonth("2026-11-01")).toBe("2026-11-30");
  });

  const full = (...days: string[]) => Object.fromEntries(days.map((day) => [day, 0]));
  const startsOf = (weeks: string[][]) => weeks.map((week) => week[0]?.slice(8));

  it("are drawn without the weeks in which no day can be booked", () => {
    const range = { min: "2026-11-22", max: "2026-12-20" };
    const counts = { ...full("2026-11-22", "2026-11-30"), "2026-11-23": 3 };
    const november = (known: Record<string, number>, kept?: string) =>
      startsOf(weeksToDraw("2026-11-01", { ...range, counts: known }, kept));
    expect(november({})).toEqual(["16", "23", "30"]);
    expect(november(counts)).toEqual(["23"]);
    expect(november(counts, "2026-11-30")).toEqual(["23", "30"]);
    const december = weeksToDraw("2026-12-01", { ...range, counts });
    expect(startsOf(december)).toEqual(["01", "07", "14"]);
    expect(isInFullWeek("2026-11-30", { ...range, counts })).toBe(true);
    expect(isInFullWeek("2026-11-24", { ...range, counts })).toBe(false);
  });

  it("with no day to be booked are drawn all the same", () => {
    const counts = full("2026-11-28", "2026-11-29", "2026-11-30");
    const weeks = weeksToDraw("2026-11-01", { min: "2026-11-28", max: "2026-12-20", counts });
    expect(startsOf(weeks)).toEqual(["23", "30"]);
  });
});
