import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { addDays, instantOf, MINUTE } from "#app/model/dates.ts";
import { type DayPlan, MASTER_TIMES } from "#app/model/day-plan.ts";
import { mayBePressure, pressureOf, type VisitorHold } from "./pressure.ts";

const TODAY = "2027-03-01";
/** Before the first time of the day: the next seven days have 42 times. */
const NOW = instantOf(TODAY, "06:00");
const RULES = { minNoticeMinutes: 60, bookingWindowDays: 90 };

const dates = Array.from({ length: 8 }, (_, day) => addDays(TODAY, day));
const starts = dates
  .slice(0, 7)
  .flatMap((date) => DEFAULT_TIMES.map((slot) => instantOf(date, slot)));

const spanAt = (startsAt: number, minutes = 30) => ({
  startsAt,
  endsAt: startsAt + minutes * MINUTE,
});
const heldBy = (network: string, startsAt: number, minutes = 30): VisitorHold => ({
  ...spanAt(startsAt, minutes),
  network,
});
/** The first `n` of the week's times, held by `networks` in turn. */
const holds = (n: number, networks = 2) =>
  starts.slice(0, n).map((startsAt, i) => heldBy(`network ${i % networks}`, startsAt));

function plans(
  held: readonly VisitorHold[],
  change: (plan: DayPlan) => Partial<DayPlan> = () => ({}),
): DayPlan[] {
  return dates.map((date) => {
    const taken = held.filter(
      ({ startsAt }) => startsAt >= instantOf(date) && startsAt < instantOf(addDays(date, 1)),
    );
    const plan: DayPlan = {
      date,
      setTimes: null,
      usualTimes: DEFAULT_TIMES,
      hasHours: false,
      bufferMinutes: 0,
      isOff: false,
      blocked: [],
      leave: [],
      busy: [],
      taken,
    };
    return { ...plan, ...change(plan) };
  });
}

const pressure = (held: readonly VisitorHold[], change?: (plan: DayPlan) => Partial<DayPlan>) =>
  pressureOf(plans(held, change), held, RULES, NOW);

/** Dates after the first `days` have no times. */
const onlyDays = (days: number, setTimes: readonly string[] | null) => (plan: DayPlan) =>
  plan.date < addDays(TODAY, days) ? { setTimes } : { setTimes: [] };

describe("pressure", () => {
  it("begins with more than a third of the times", () => {
    expect(pressure(holds(14))).toBeNull();
    expect(pressure(holds(15))).toEqual({ times: 42, held: 15 });
  });

  it("begins with eight times, however few there are", () => {
    expect(pressure(holds(7), onlyDays(2, null))).toBeNull();
    expect(pressure(holds(8), onlyDays(2, null))).toEqual({ times: 12, held: 8 });
  });

  it("needs two networks", () => {
    expect(pressure(holds(42, 1))).toBeNull();
    expect(pressure([...holds(41, 1), heldBy("another", starts[41]!)])).toMatchObject({ held: 42 });
  });

  it("counts what is left of the times: not those sold, blocked, too near or past the week", () => {
    const twenty = holds(20);
    const sold = starts.slice(20, 30).map((startsAt) => spanAt(startsAt));
    const withSold = plans(twenty).map((plan) => ({
      ...plan,
      taken: [
        ...plan.taken,
        ...sold.filter(
          ({ startsAt }) =>
            startsAt - instantOf(plan.date) < 24 * 60 * MINUTE && startsAt > instantOf(plan.date),
        ),
      ],
    }));
    expect(pressureOf(withSold, twenty, RULES, NOW)).toEqual({ times: 32, held: 20 });
    // The last day's 9:00 is blocked, and the week ends at that day's morning.
    const blocked = (plan: DayPlan) => ({
      blocked: plan.date === dates[6] ? [{ timeSlot: "09:00", reason: null }] : [],
    });
    expect(pressure(twenty, blocked)).toEqual({ times: 41, held: 20 });
    const later = NOW + 4 * 60 * MINUTE;
    // At 10:00 today's 9:00 and 10:00 are over, 11:00 is not; the eighth day's 9:00 counts.
    expect(pressureOf(plans(twenty), twenty, RULES, later)).toEqual({ times: 41, held: 18 });
  });

  it("counts a long hold for every start it covers, and no time twice", () => {
    const hour = (i: number) => heldBy(`network ${i % 2}`, starts[0]! + i * 60 * MINUTE, 60);
    const fiveHours = Array.from({ length: 5 }, (_, i) => hour(i));
    expect(pressure(fiveHours, onlyDays(1, MASTER_TIMES))).toEqual({ times: 26, held: 10 });
    expect(pressure(fiveHours, onlyDays(1, DEFAULT_TIMES))).toBeNull();
  });

  it("is not looked for below four holds, which may keep eight times, or two networks", () => {
    expect([3, 4].map((count) => mayBePressure(holds(count)))).toEqual([false, true]);
    expect([1, 2].map((networks) => mayBePressure(holds(4, networks)))).toEqual([false, true]);
  });

  it("never lies outside its bounds", () => {
    fc.assert(
      fc.property(fc.subarray(starts), fc.integer({ min: 1, max: 5 }), (held, networks) => {
        const all = held.map((startsAt, i) => heldBy(`network ${i % networks}`, startsAt));
        const expected =
          networks > 1 && held.length >= 15 ? { times: 42, held: held.length } : null;
        expect(pressure(all)).toEqual(expected);
      }),
    );
  });
});
