import { describe, expect, it } from "vitest";
import { addMonths, endOfMonth, keyTarget, weeksOf } from "./month.ts";

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

  it("always shows six weeks from a Monday", () => {
    const weeks = weeksOf("2026-11-01");
    expect(weeks).toHaveLength(6);
    expect(weeks[0]?.[0]).toBe("2026-10-26");
    expect(weeks[0]?.[6]).toBe("2026-11-01");
  });
});
