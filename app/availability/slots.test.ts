import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMES, PACKAGES } from "#app/catalogue.ts";
import { instantOf } from "#app/model/dates.ts";
import type { DayPlan } from "#app/model/day-plan.ts";
import { MASTER_TIMES } from "#app/model/time-slot.ts";
import { bookableTimes, isFree, movableTimes, overlaps } from "./slots.ts";

const DATE = "2026-12-01";
const RULES = { minNoticeMinutes: 60, bookingWindowDays: 90 };
const EARLY = instantOf("2026-11-20", "08:00");

const empty: DayPlan = { date: DATE, setTimes: null, blocked: [], taken: [] };
const span = (timeSlot: string, minutes: number) => {
  const startsAt = instantOf(DATE, timeSlot);
  return { startsAt, endsAt: startsAt + minutes * 60_000 };
};
const minutes = fc.constantFrom(...PACKAGES.map((p) => p.minutes));
const slot = fc.constantFrom(...MASTER_TIMES);

const plans: fc.Arbitrary<DayPlan> = fc.record({
  date: fc.constant(DATE),
  setTimes: fc.option(fc.uniqueArray(slot, { minLength: 1 }).map((times) => times.sort())),
  blocked: fc.uniqueArray(slot, { maxLength: 6 }),
  taken: fc.array(
    fc.tuple(slot, minutes).map(([s, m]) => span(s, m)),
    { maxLength: 5 },
  ),
});

describe("bookable times", () => {
  it("are the defaults of a free day, and none of a past or too far one", () => {
    expect(bookableTimes(empty, 60, RULES, EARLY)).toEqual(DEFAULT_TIMES);
    for (const date of ["2026-11-19", "2027-02-19"]) {
      expect(bookableTimes({ ...empty, date }, 30, RULES, EARLY)).toEqual([]);
    }
    expect(bookableTimes({ ...empty, date: "2027-02-18" }, 30, RULES, EARLY)).toHaveLength(6);
  });

  it("keep the notice to the minute", () => {
    const nine = instantOf(DATE, "09:00");
    expect(bookableTimes(empty, 30, RULES, nine - 60 * 60_000)).toContain("09:00");
    expect(bookableTimes(empty, 30, RULES, nine - 60 * 60_000 + 1)).not.toContain("09:00");
  });

  it("follow the rule of a 60-minute session at ten", () => {
    const plan = { ...empty, setTimes: MASTER_TIMES, taken: [span("10:00", 60)] };
    expect(isFree(plan, "09:30", 30)).toBe(true);
    expect(isFree(plan, "09:30", 45)).toBe(false);
    expect(isFree(plan, "10:30", 30)).toBe(false);
    expect(isFree(plan, "11:00", 60)).toBe(true);
  });

  it("lose every start whose session a block touches", () => {
    const plan = { ...empty, setTimes: MASTER_TIMES, blocked: ["10:00"] };
    const times = bookableTimes(plan, 60, RULES, EARLY);
    expect(times).not.toContain("09:30");
    expect(times).not.toContain("10:00");
    expect(times).toContain("09:00");
    expect(times).toContain("10:30");
  });

  it("never overlap what is taken, never leave the list, and are no more for a longer session", () => {
    fc.assert(
      fc.property(plans, minutes, (plan, length) => {
        const times = bookableTimes(plan, length, RULES, EARLY);
        expect([...times].sort()).toEqual(times);
        for (const time of times) {
          expect(plan.setTimes ?? DEFAULT_TIMES).toContain(time);
          expect(plan.taken.some((other) => overlaps(span(time, length), other))).toBe(false);
          expect(isFree(plan, time, length)).toBe(true);
        }
        const longest = bookableTimes(plan, 60, RULES, EARLY);
        for (const time of longest) expect(times).toContain(time);
        const movable = movableTimes(plan, length, EARLY);
        for (const time of times) expect(movable).toContain(time);
      }),
    );
  });
});

it("the catalogue fits the schema: sessions of 5 to 240 minutes, defaults on the master list", () => {
  for (const { minutes: length } of PACKAGES) expect(length >= 5 && length <= 240).toBe(true);
  for (const time of DEFAULT_TIMES) expect(MASTER_TIMES).toContain(time);
  expect([MASTER_TIMES[0], MASTER_TIMES.at(-1), MASTER_TIMES.length]).toEqual([
    "08:00",
    "20:30",
    26,
  ]);
});
