import { TZDate } from "@date-fns/tz";
import { format } from "date-fns/format";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDays,
  adminDate,
  adminDay,
  adminInstant,
  adminSession,
  dateInIndia,
  daysBetween,
  financialYear,
  formatClock,
  formatDate,
  formatDay,
  formatInstant,
  formatLongDay,
  formatSession,
  formatShortDay,
  formatSlot,
  INDIA,
  instantOf,
  isCalendarDate,
  isTimeSlot,
  keptUntil,
  minutesOf,
  timeInIndia,
  weekdayOf,
} from "./dates.ts";

const instants = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2100, 0, 1) });
const dates = instants.map(dateInIndia);
const slots = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((m) => `${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}`);

describe("dates in India", () => {
  it("agree with the zone's own rules, whatever the server's zone", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const zoned = new TZDate(instant, INDIA);
        expect(dateInIndia(instant)).toBe(
          `${zoned.getFullYear()}-${String(zoned.getMonth() + 1).padStart(2, "0")}-${String(zoned.getDate()).padStart(2, "0")}`,
        );
      }),
    );
  });

  it("come back from their instant", () => {
    fc.assert(
      fc.property(dates, slots, (date, slot) => {
        const instant = instantOf(date, slot);
        expect([dateInIndia(instant), timeInIndia(instant)]).toEqual([date, slot]);
      }),
    );
  });

  it("count days and come back", () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -4000, max: 4000 }), (date, days) => {
        expect(daysBetween(date, addDays(date, days))).toBe(days);
      }),
    );
  });

  it("know which dates exist", () => {
    for (const date of ["2026-02-28", "2028-02-29", "2026-12-31", "0001-01-01", "0099-12-31"])
      expect(isCalendarDate(date), date).toBe(true);
    for (const date of [
      "2026-02-29",
      "2026-02-30",
      "2026-13-01",
      "2026-1-1",
      "",
      "20261121",
      "0000-01-01",
    ]) {
      expect(isCalendarDate(date), date).toBe(false);
    }
  });

  it("put midnight of 31 March UTC evening into the new financial year", () => {
    expect(financialYear(dateInIndia(Date.UTC(2026, 2, 31, 18, 45)))).toBe("26-27");
    expect(financialYear("2026-03-31")).toBe("25-26");
    expect(financialYear("2099-04-01")).toBe("99-00");
  });

  it("keep a document for 72 months after its year's annual return is due", () => {
    for (const date of ["2026-04-01", "2026-11-24", "2027-03-31"]) {
      expect(keptUntil(date)).toBe("2033-12-31");
    }
    expect(keptUntil("2027-04-01")).toBe("2034-12-31");
    expect(keptUntil("2026-03-31")).toBe("2032-12-31");
  });

  it("are said in one way", () => {
    expect(formatSlot("00:00")).toBe("12:00 AM");
    expect(formatSlot("12:30")).toBe("12:30 PM");
    expect(formatSlot("14:00")).toBe("2:00 PM");
    expect(["11:59", "12:00", "23:05"].map(formatSlot)).toEqual([
      "11:59 AM",
      "12:00 PM",
      "11:05 PM",
    ]);
    const afternoon = instantOf("2026-11-21", "14:00") + 7_000;
    expect(formatClock(afternoon)).toBe("2:00 PM");
    expect(formatClock(afternoon, "seconds")).toBe("2:00:07 PM");
  });

  it("that do not exist, and times that are none, are said to be unknown", () => {
    for (const text of ["", "24:00", "9:00", "10:60", "1000"]) {
      expect([isTimeSlot(text), formatSlot(text)]).toEqual([false, "Unknown time"]);
    }
    for (const format of [formatDate, formatDay, adminDate, adminDay]) {
      expect(format("2026-02-30")).toBe("Unknown date");
    }
    expect(formatSession("", "")).toBe("Unknown date, Unknown time IST");
  });

  it("have a weekday, Sunday first, and slots their minutes", () => {
    const week = Array.from({ length: 7 }, (_, day) => addDays("2026-11-22", day));
    expect(week.map(weekdayOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(["00:00", "00:59", "01:00", "09:30", "23:59"].map(minutesOf)).toEqual([
      ...[0, 59, 60, 570, 1439],
    ]);
  });

  it("read as the library's full format writes them, in every month and on every weekday", () => {
    fc.assert(
      fc.property(instants, (instant) => {
        const zoned = new TZDate(instant, INDIA);
        const date = dateInIndia(instant);
        expect([formatLongDay(date), formatShortDay(date), adminDay(date)]).toEqual([
          format(zoned, "EEEE, d MMMM yyyy"),
          format(zoned, "EEE, d MMM"),
          format(zoned, "EEE, MMM dd, yyyy"),
        ]);
        expect(formatInstant(instant)).toBe(format(zoned, "d MMM yyyy, h:mm a 'IST'"));
        expect(formatClock(instant, "seconds")).toBe(format(zoned, "h:mm:ss a"));
      }),
    );
  });

  it("read day first, with the month in letters, for customers", () => {
    expect(formatDate("2026-11-05")).toBe("5 Nov 2026");
    expect(formatDay("2026-11-22")).toBe("Sun, 22 Nov 2026");
    expect(formatSession("2026-11-21", "09:00")).toBe("Sat, 21 Nov 2026, 9:00 AM IST");
    expect(formatInstant(Date.UTC(2026, 10, 20, 18, 30))).toBe("21 Nov 2026, 12:00 AM IST");
  });

  it("read month first in the admin area", () => {
    expect(adminDate("2026-11-05")).toBe("Nov 05, 2026");
    expect(adminDay("2026-11-22")).toBe("Sun, Nov 22, 2026");
    expect(adminSession("2026-11-21", "09:00")).toBe("Sat, Nov 21, 2026, 9:00 AM IST");
    expect(adminInstant(Date.UTC(2026, 10, 20, 18, 30))).toBe("Nov 21, 2026, 12:00 AM IST");
  });
});
