import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULT_TIMES, PACKAGES } from "#app/catalogue.ts";
import { addDays, instantOf, minutesOf } from "#app/model/dates.ts";
import { type DayPlan, LONGEST_SESSION_MINUTES, MASTER_TIMES } from "#app/model/day-plan.ts";
import {
  bookableTimes,
  causeOf,
  isLeft,
  lastDateOffered,
  movableTimes,
  nextOfferChange,
  OVERRIDABLE,
  obstacleTo,
  overlaps,
} from "./slots.ts";

const DATE = "2026-12-01";
const RULES = { minNoticeMinutes: 60, bookingWindowDays: 90 };
const EARLY = instantOf("2026-11-20", "08:00");

const empty: DayPlan = {
  date: DATE,
  setTimes: null,
  usualTimes: DEFAULT_TIMES,
  hasHours: false,
  bufferMinutes: 0,
  isOff: false,
  blocked: [],
  leave: [],
  busy: [],
  taken: [],
};
const leave = { id: "l1", from: DATE, to: DATE, reason: null };
const block = (timeSlot: string) => ({ timeSlot, reason: null });
const span = (timeSlot: string, minutes: number) => {
  const startsAt = instantOf(DATE, timeSlot);
  return { startsAt, endsAt: startsAt + minutes * 60_000 };
};
const minutes = fc.constantFrom(...PACKAGES.map((p) => p.minutes));
const slot = fc.constantFrom(...MASTER_TIMES);

const plans: fc.Arbitrary<DayPlan> = fc.record({
  date: fc.constant(DATE),
  isOff: fc.constant(false),
  usualTimes: fc.uniqueArray(slot).map((times) => times.sort()),
  hasHours: fc.boolean(),
  bufferMinutes: fc.constantFrom(0, 15, 120),
  leave: fc.constantFrom([], [], [leave]),
  busy: fc.array(
    fc.tuple(slot, minutes).map(([s, m]) => span(s, m)),
    { maxLength: 3 },
  ),
  setTimes: fc.option(fc.uniqueArray(slot, { minLength: 1 }).map((times) => times.sort())),
  blocked: fc.uniqueArray(slot, { maxLength: 6 }).map((times) => times.map(block)),
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

  it("lose every start whose session a block touches", () => {
    const plan = { ...empty, setTimes: MASTER_TIMES, blocked: [block("10:00")] };
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
          expect(plan.setTimes ?? plan.usualTimes).toContain(time);
          const { startsAt, endsAt } = span(time, length);
          const by = plan.bufferMinutes * 60_000;
          const apart = { startsAt: startsAt - by, endsAt: endsAt + by };
          expect(plan.taken.some((other) => overlaps(apart, other))).toBe(false);
          expect(plan.busy.some((other) => overlaps({ startsAt, endsAt }, other))).toBe(false);
          expect(plan.leave).toEqual([]);
          expect(obstacleTo(plan, time, length)).toBeNull();
        }
        const longest = bookableTimes(plan, 60, RULES, EARLY);
        for (const time of longest) expect(times).toContain(time);
        const movable = movableTimes(plan, length, EARLY);
        for (const time of times) expect(movable).toContain(time);
      }),
    );
  });
});

it("a block takes its half hour to the minute, whatever the list of times", () => {
  const plan = { ...empty, blocked: [block("10:00")] };
  const starts = ["09:30", "09:31", "10:29", "10:30"];
  expect(starts.map((start) => isLeft(plan, start, 30))).toEqual([true, false, false, true]);
});

it("an admin moves a session to any time that is still to come", () => {
  const ten = instantOf(DATE, "10:00");
  expect(movableTimes(empty, 30, instantOf(DATE) - 1)).toEqual(MASTER_TIMES);
  expect(movableTimes(empty, 30, ten - 1)[0]).toBe("10:00");
  expect(movableTimes(empty, 30, ten)[0]).toBe("10:30");
  expect(movableTimes(empty, 30, instantOf(DATE, "20:30"))).toEqual([]);
});

describe("what keeps a session from a time", () => {
  const all: DayPlan = {
    ...empty,
    setTimes: MASTER_TIMES,
    bufferMinutes: 30,
    leave: [leave],
    taken: [span("10:00", 60)],
    blocked: [block("10:30"), block("12:00")],
    busy: [span("12:00", 30), span("14:00", 45)],
  };
  const kinds = (plan: DayPlan, passed?: Parameters<typeof obstacleTo>[3]) => (start: string) =>
    obstacleTo(plan, start, 30, passed)?.kind ?? null;

  it("is the strongest: a session, a block, leave, the buffer, the imported calendar", () => {
    const starts = ["09:30", "10:30", "11:00", "12:00", "14:30", "15:00"];
    expect(starts.map(kinds(all))).toEqual(["leave", "taken", "leave", "block", "leave", "leave"]);
    const here = { ...all, leave: [] };
    expect(starts.map(kinds(here))).toEqual(["buffer", "taken", "buffer", "block", "busy", null]);
    const passed = starts.map(kinds(all, OVERRIDABLE));
    expect(passed).toEqual([null, "taken", null, "block", null, null]);
    expect(movableTimes(all, 30, EARLY)).toEqual(
      MASTER_TIMES.filter((time) => !["10:00", "10:30", "12:00"].includes(time)),
    );
  });

  it("is named for as long as it is the same", () => {
    const [taken, ten, ends] = [span("10:00", 60), span("14:00", 45), span("14:00", 45).endsAt];
    const here = { ...all, leave: [] };
    const cause = (plan: DayPlan, start: string) => causeOf(obstacleTo(plan, start, 30)!);
    expect(cause(all, "15:00")).toBe("leave:l1");
    expect(["09:30", "12:00", "14:30"].map((start) => cause(here, start))).toEqual([
      ...[`buffer:${taken.startsAt}`, "block:12:00", `busy:${ten.startsAt}-${ends}`],
    ]);
  });

  it("is neither buffer nor calendar for a time that was held before, but leave and blocks are", () => {
    const here = { ...all, leave: [] };
    const starts = ["09:30", "10:30", "12:00", "14:00", "15:00"];
    expect(starts.map((start) => isLeft(here, start, 30))).toEqual([
      ...[true, false, false, true, true],
    ]);
    expect(starts.map((start) => isLeft(all, start, 30))).toEqual(starts.map(() => false));
  });

  it("ends to the minute: a buffer, a busy time", () => {
    const plan = { ...empty, bufferMinutes: 15, taken: [span("10:00", 30)] };
    const starts = ["09:15", "09:16", "10:44", "10:45"];
    const free = [null, "buffer", "buffer", null];
    expect(starts.map(kinds(plan))).toEqual(free);
    const busy = { ...empty, busy: [span("10:00", 30)] };
    const around = ["09:30", "09:31", "10:29", "10:30"];
    expect(around.map(kinds(busy))).toEqual([null, "busy", "busy", null]);
  });

  it("is of the day: neither a session nor the longest buffer reaches over midnight", () => {
    const [first, last] = [MASTER_TIMES[0]!, MASTER_TIMES.at(-1)!];
    const reach = LONGEST_SESSION_MINUTES + 120;
    expect(minutesOf(first) - 120).toBeGreaterThanOrEqual(0);
    expect(minutesOf(last) + reach).toBeLessThanOrEqual(24 * 60);
    const longest = Math.max(...PACKAGES.map((one) => one.minutes));
    expect(longest).toBe(LONGEST_SESSION_MINUTES);
  });
});

it("of a captain off the page visitors can take nothing, staff and late money what is free", () => {
  const off = { ...empty, isOff: true };
  expect(bookableTimes(off, 60, RULES, EARLY)).toEqual([]);
  expect(isLeft(off, "10:00", 60)).toBe(true);
  expect(movableTimes(off, 60, EARLY)).toEqual(MASTER_TIMES);
});

it("on leave nothing is offered, else the times set, else the usual ones", () => {
  const usual = { ...empty, usualTimes: ["08:00", "12:00"], hasHours: true };
  const offered = (plan: DayPlan) => bookableTimes(plan, 60, RULES, EARLY);
  expect(offered(usual)).toEqual(["08:00", "12:00"]);
  expect(offered({ ...usual, setTimes: ["10:00"] })).toEqual(["10:00"]);
  expect(offered({ ...usual, setTimes: ["10:00"], leave: [leave] })).toEqual([]);
});

describe("what is offered", () => {
  it.each([
    // A start falls under the notice a moment after the last one that could be had.
    ["08:00", 60, "08:30", 1],
    ["08:29", 60, "08:30", 1],
    ["08:30", 60, "09:00", 1],
    ["08:10", 45, "08:15", 1],
    ["08:10", 0, "08:30", 1],
    // Midnight brings a day and takes one.
    ["23:45", 60, "24:00", 0],
    ["23:20", 45, "23:45", 1],
  ])("changes after %s with a notice of %i minutes at %s", (from, notice, until, more) => {
    const at = (time: string) =>
      time === "24:00" ? instantOf(addDays(DATE, 1)) : instantOf(DATE, time);
    const rules = { ...RULES, minNoticeMinutes: notice };
    expect(nextOfferChange(rules, at(from)) - at(until)).toBe(more);
  });

  it("stays as it is until then, and differs from then on if the day has all times", () => {
    const day = { ...empty, setTimes: MASTER_TIMES };
    const instants = fc.integer({ min: instantOf(DATE), max: instantOf(DATE, "19:29") });
    const notices = fc.constantFrom(0, 30, 60, 90);
    fc.assert(
      fc.property(instants, notices, (now, minNoticeMinutes) => {
        const rules = { ...RULES, minNoticeMinutes };
        const offered = (at: number) => bookableTimes(day, 30, rules, at);
        const next = nextOfferChange(rules, now);
        expect(next).toBeGreaterThan(now);
        expect(offered(next - 1)).toEqual(offered(now));
        const first = offered(next - 1)[0]!;
        const isDue = instantOf(DATE, first) - minNoticeMinutes * 60_000 === next - 1;
        expect(offered(next)).toHaveLength(offered(now).length - (isDue ? 1 : 0));
      }),
    );
  });

  it("ends with the last date of the window, by India's calendar", () => {
    const lastMoment = instantOf(DATE) - 1;
    expect(lastDateOffered(RULES, lastMoment)).toBe(addDays(DATE, 89));
    expect(lastDateOffered(RULES, lastMoment + 1)).toBe(addDays(DATE, 90));
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
