/** What is offered, what setting and blocking times leaves behind, and sessions kept in time that was taken away. */
import { beforeEach, describe, expect, it } from "vitest";
import { keepClash, listClashes } from "#app/availability/clashes.server.ts";
import { readAdminDay, readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import {
  addLeave,
  removeLeave,
  setAvailability,
  setDefaultTimes,
  setHours,
} from "#app/availability/set-availability.server.ts";
import { changeCounselor } from "#app/catalogue/change-catalogue.server.ts";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { addDays, dateInIndia, instantOf } from "#app/model/dates.ts";
import { MASTER_TIMES, WEEKDAYS, type Week } from "#app/model/day-plan.ts";
import { readOfferVersion } from "#db/queries/availability.server.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const counselorKey = "asha";
const NONE = { availableSlots: [], defaultSlots: [] };

const till = freshTill();
let today: string;
beforeEach(() => {
  // Early enough that no time of the day is gone.
  till.clock.now = instantOf(dateInIndia(till.clock.now), "06:00");
  today = dateInIndia(till.clock.now);
});

const day = (days: number) => addDays(today, days);
const last = () => till.deps.env.bookingWindowDays;
const dates = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => day(from + i));
const slots = (date: string, more: { minutes?: number; ownHoldId?: string } = {}) =>
  readSlots(till.deps, { counselorKey, date, ...more });
const offered = (from: string, to: string) => {
  const { days, next } = readAvailability(till.deps, { counselorKey, from, to });
  return { days, next: next.map(({ date, timeSlot }) => `${date} ${timeSlot}`) };
};
const set = (on: string[], timeSlots: readonly string[] | null) =>
  setAvailability(till.deps, ADMIN_ACTOR, { counselorKey, dates: on, timeSlots });
const block = (
  on: string[],
  timeSlots: readonly string[],
  more: { action?: "block" | "unblock"; reason?: string } = {},
) => till.setBlocks({ counselorKey, dates: on, timeSlots, action: "block", ...more });
const activity = () => till.logged().map(({ actor: _, ...entry }) => entry);

describe("the times of a day", () => {
  it("are the default ones until others are set, and none outside the window", () => {
    const all = { availableSlots: DEFAULT_TIMES, defaultSlots: DEFAULT_TIMES };
    expect([slots(day(0)), slots(day(last()))]).toEqual([all, all]);
    for (const date of [day(-1), day(last() + 1), "1899-12-31", "9999-12-31"]) {
      expect([date, slots(date)]).toEqual([date, NONE]);
    }
    set([day(1)], ["08:00"]);
    expect(slots(day(1))).toEqual({ availableSlots: ["08:00"], defaultSlots: [] });
  });

  it("are those where the session fits, the longest unless it is said", () => {
    set([day(2)], ["10:00", "10:30"]);
    const id = till.book({ date: day(2), timeSlot: "10:30" });
    const available = (more: object) => slots(day(2), more).availableSlots;
    expect([available({ minutes: 30 }), available({ minutes: 45 })]).toEqual([["10:00"], []]);
    expect(available({})).toEqual([]);
    // The hold of the browser that asks is no obstacle.
    expect(available({ ownHoldId: id })).toEqual(["10:00", "10:30"]);
  });
});

describe("the days of a month", () => {
  it("are cut to those that are offered, and the six next times go on after them", () => {
    const two = { [day(0)]: 6, [day(1)]: 6 };
    expect(offered(day(-5), day(1))).toMatchObject({ days: two, next: { length: 6 } });
    expect(Object.keys(offered(day(-5), day(1)).days)).toEqual([day(0), day(1)]);
    const end = offered(day(last() - 1), day(last() + 30));
    expect(Object.keys(end.days)).toEqual([day(last() - 1), day(last())]);
    expect(end.next[0]).toBe(`${day(last() - 1)} 09:00`);
    expect(offered(day(last() + 1), day(last() + 30))).toEqual({ days: {}, next: [] });
  });

  it("hold none where the range ends before it begins, and the next times begin with it", () => {
    const { days, next } = offered(day(5), day(2));
    expect([days, next[0]]).toEqual([{}, `${day(5)} 09:00`]);
  });

  it.each([
    ["the day after", 1],
    ["a fortnight on", 14],
    ["a month on", 30],
  ])("that are full lead on to %s", (_, free) => {
    block(dates(0, free - 1), MASTER_TIMES);
    const { days, next } = offered(day(0), day(0));
    expect(days).toEqual({ [day(0)]: 0 });
    expect(next).toEqual(DEFAULT_TIMES.map((time) => `${day(free)} ${time}`));
  });

  it("lead on to the last day, and no further", () => {
    block(dates(0, last() - 1), MASTER_TIMES);
    set([day(last())], ["09:00", "10:00"]);
    const free = [`${day(last())} 09:00`, `${day(last())} 10:00`];
    expect(offered(day(0), day(3)).next).toEqual(free);
    // The search begins on it.
    expect(offered(day(0), day(last() - 1)).next).toEqual(free);
    block([day(last())], MASTER_TIMES);
    expect(offered(day(0), day(3)).next).toEqual([]);
    // The first day of the second fortnight is looked at once.
    set([day(18)], ["09:00"]);
    block([day(18)], MASTER_TIMES, { action: "unblock" });
    expect(offered(day(0), day(3)).next).toEqual([`${day(18)} 09:00`]);
  });
});

describe("a change of the times", () => {
  it("is logged once with what was before, for one date or many, and names who starts at a time that went", () => {
    set([day(1)], ["09:00"]);
    const gone = till.book({ date: day(2), timeSlot: "09:00" });
    till.book({ date: day(2), timeSlot: "10:00" });
    expect(set([day(1), day(2)], ["10:00", "11:00"])).toMatchObject({
      value: { timeSlots: ["10:00", "11:00"], affected: [{ id: gone }] },
    });
    const reset = { ok: true, value: { timeSlots: [...DEFAULT_TIMES], affected: [] } };
    expect(set([day(1)], null)).toEqual(reset);
    expect(activity()).toEqual([
      {
        action: "slots_set",
        target: `asha ${day(1)}`,
        before: { [day(1)]: "default" },
        after: { timeSlots: ["09:00"] },
      },
      {
        action: "slots_set",
        target: `asha ${day(1)} to ${day(2)}`,
        before: { [day(1)]: ["09:00"], [day(2)]: "default" },
        after: { timeSlots: ["10:00", "11:00"] },
      },
      {
        action: "slots_reset",
        target: `asha ${day(1)}`,
        before: { [day(1)]: ["10:00", "11:00"] },
        after: { timeSlots: "default" },
      },
    ]);
    const [one, two] = [day(1), day(2)].map((date) => readAdminDay(till.deps, counselorKey, date));
    expect(one).toMatchObject({ isDefault: true, timeSlots: DEFAULT_TIMES });
    expect(two).toMatchObject({ isDefault: false, timeSlots: ["10:00", "11:00"] });
  });

  it("is refused where other times were shown than hold on the first date, unless it is done already", () => {
    const both = { counselorKey, dates: [day(1), day(2)] };
    const change = (shown: readonly string[], timeSlots: string[] | null) =>
      setAvailability(till.deps, ADMIN_ACTOR, { ...both, timeSlots, shown });
    expect(change(DEFAULT_TIMES, ["10:00"])).toMatchObject({ ok: true });
    expect(change(DEFAULT_TIMES, ["10:00"])).toMatchObject({ ok: true });
    set([day(1)], ["10:00", "18:00"]);
    for (const asked of [["10:00", "11:00"], null]) {
      expect(change(["10:00"], asked)).toMatchObject({ code: "stale" });
    }
    expect(readAdminDay(till.deps, counselorKey, day(1)).timeSlots).toEqual(["10:00", "18:00"]);
    expect(change(["10:00", "18:00"], null)).toMatchObject({ ok: true });
  });

  it("blocks and frees times on every date, names what a block touches, and is logged", () => {
    const touched = till.book({ date: day(3), timeSlot: "10:00", package: 45 });
    till.book({ date: day(3), timeSlot: "09:00", package: 60 });
    const done = (blockedSlots: string[], affected: object[] = []) => ({
      value: { blockedSlots, affected },
    });
    expect(block([day(4)], ["08:00"], { reason: "" })).toMatchObject(done(["08:00"]));
    expect(block([day(3), day(4)], ["10:30", "11:00"], { reason: "Leave" })).toMatchObject(
      done(["10:30", "11:00"], [{ id: touched }]),
    );
    expect(block([day(3), day(4)], ["10:30"], { action: "unblock" })).toMatchObject(
      done(["11:00"]),
    );
    expect(readAdminDay(till.deps, counselorKey, day(4)).blocked).toMatchObject([
      { timeSlot: "08:00", reason: null },
      { timeSlot: "11:00", reason: "Leave" },
    ]);
    expect(activity().map(({ action, after }) => [action, after])).toEqual([
      ["block", { timeSlots: ["08:00"] }],
      ["block", { timeSlots: ["10:30", "11:00"], reason: "Leave" }],
      ["unblock", { timeSlots: ["10:30"] }],
    ]);
    expect(activity()[1]?.before).toEqual({ [day(3)]: [], [day(4)]: ["08:00"] });
  });

  it("is refused for no date, a past one, or more than four hundred", () => {
    const messageOf = (on: string[]) => {
      const changed = set(on, ["09:00"]);
      return changed.ok ? "ok" : changed.message;
    };
    expect([[], [day(-1)], dates(0, 400), dates(0, 399)].map(messageOf)).toEqual([
      "Date is required",
      "Please select a date that is not in the past",
      "Please select at most 400 dates at once",
      "ok",
    ]);
    expect(activity()).toHaveLength(1);
  });

  it("that sets the weekly hours as they are changes nothing, and is not logged", () => {
    const id = till.book({ date: day(3), timeSlot: "10:00" });
    const week = Object.fromEntries(WEEKDAYS.map((on) => [on, ["15:00"]])) as unknown as Week;
    const save = (bufferMinutes: number, version?: number) =>
      setHours(till.deps, ADMIN_ACTOR, counselorKey, { week, bufferMinutes, version });
    const usual = { week: null, bufferMinutes: 0 };
    expect(setHours(till.deps, ADMIN_ACTOR, counselorKey, usual)).toMatchObject({ ok: true });
    expect(activity()).toEqual([]);
    for (let time = 1; time <= 2; time++) {
      const value = { hours: { week, bufferMinutes: 5, version: 2 }, affected: [{ id }] };
      expect(save(5)).toMatchObject({ ok: true, value });
      expect(activity()).toMatchObject([{ action: "hours_set", before: usual }]);
    }
    expect(save(5, 1)).toMatchObject({ code: "stale" });
    expect(save(10, 2)).toMatchObject({ ok: true, value: { hours: { version: 3 } } });
    expect(activity()).toHaveLength(2);
  });

  it.each<[string, () => unknown, () => unknown]>([
    [
      "the times that a date has",
      () => set(dates(1, 2), ["09:00"]),
      () => set([day(2)], ["09:00"]),
    ],
    ["the usual times where no others are", () => null, () => set(dates(1, 2), null)],
    [
      "a block as it is, its reason kept where none is given",
      () => block([day(1)], ["09:00", "10:00"], { reason: "Exam" }),
      () => [block([day(1)], ["10:00"]), block([day(1)], ["09:00", "10:00"], { reason: "Exam" })],
    ],
    [
      "what is not blocked free",
      () => block([day(1)], ["09:00"]),
      () => block(dates(1, 2), ["10:00"], { action: "unblock" }),
    ],
  ])("that sets %s changes nothing, and is not logged", (_, first, again) => {
    first();
    const stored = () => [readOfferVersion(till.deps.db), activity()];
    const before = stored();
    till.clock.now += 1;
    again();
    expect(stored()).toEqual(before);
  });

  it("that is the same on one date alone is logged, and so are a new reason and one more time", () => {
    set([day(1)], ["09:00"]);
    set(dates(1, 2), ["09:00"]);
    const id = till.book({ date: day(3), timeSlot: "10:00" });
    const blocked = (on: string[], times: string[], reason: string) => block(on, times, { reason });
    const done = { ok: true, value: { blockedSlots: ["10:00"], affected: [{ id }] } };
    expect(blocked([day(3)], ["10:00"], "Exam")).toMatchObject(done);
    expect(blocked([day(3)], ["10:00"], "Exam")).toMatchObject(done);
    blocked([day(3)], ["10:00"], "Leave");
    blocked(dates(3, 4), ["10:00"], "Leave");
    block([day(4)], ["10:00", "11:00"]);
    block(dates(4, 5), ["10:00"], { action: "unblock" });
    expect(activity().map(({ action, target }) => `${action} ${target}`)).toEqual([
      `slots_set asha ${day(1)}`,
      `slots_set asha ${day(1)} to ${day(2)}`,
      `block asha ${day(3)}`,
      `block asha ${day(3)}`,
      `block asha ${day(3)} to ${day(4)}`,
      `block asha ${day(4)}`,
      `unblock asha ${day(4)} to ${day(5)}`,
    ]);
    expect(readAdminDay(till.deps, counselorKey, day(4)).blocked).toMatchObject([
      { timeSlot: "11:00", reason: null },
    ]);
  });
});

describe("a session kept in time that was taken away", () => {
  let id: string;
  let date: string;
  beforeEach(async () => {
    ({ id } = await till.bookAndPay());
    ({ date } = till.booking(id));
  });

  const free = () => block([date], ["10:00"], { action: "unblock" });
  const hours = (times: string[] | null) => {
    const week =
      times && (Object.fromEntries(WEEKDAYS.map((day) => [day, times])) as unknown as Week);
    return setHours(till.deps, ADMIN_ACTOR, counselorKey, { week, bufferMinutes: 0 });
  };
  const active = (isActive: boolean) =>
    changeCounselor(till.deps, ADMIN_ACTOR, counselorKey, { active: isActive });

  const open = () => listClashes(till.deps.db, till.clock.now);
  function keepAll(): void {
    const [clash] = open();
    const seen = { version: clash!.version, causes: clash!.causes.map(({ key }) => key) };
    expect(keepClash(till.deps, ADMIN_ACTOR, id, seen).ok).toBe(true);
    expect(open()).toEqual([]);
  }

  it.each([
    ["a block", () => block([date], ["10:00"]), free],
    ["the times of its date", () => set([date], ["15:00"]), () => set([date], null)],
    ["weekly hours", () => hours(["15:00"]), () => hours(null)],
    ["taking its captain off the page", () => active(false), () => active(true)],
  ])("comes back after %s, which ended and came again", (_, takeAway, giveBack) => {
    takeAway();
    keepAll();
    giveBack();
    expect(open()).toEqual([]);
    expect(takeAway()).toMatchObject({ ok: true, value: { affected: [{ id }] } });
    expect(open()).toMatchObject([{ id }]);
  });

  it("comes back after the default times, which had its hour again in between", () => {
    const usual = (times: string[]) => setDefaultTimes(till.deps, ADMIN_ACTOR, times, undefined);
    usual(["15:00"]);
    keepAll();
    usual(["10:00", "15:00"]);
    expect(open()).toEqual([]);
    usual(["15:00"]);
    expect(open()).toMatchObject([{ id }]);
  });

  it("stays kept when something else changes, or the same is set again", () => {
    block([date], ["10:00"]);
    keepAll();
    block([date], ["10:00"]);
    block([date], ["15:00"]);
    block([date], ["15:00"], { action: "unblock" });
    set([date], ["10:00", "15:00"]);
    hours(["10:00"]);
    active(true);
    expect(open()).toEqual([]);
  });
});

it("leave names the sessions of its days: of one captain theirs alone, of all everybody's", async () => {
  const { id } = await till.bookAndPay();
  const { date } = till.booking(id);
  const { id: rohans } = await till.bookAndPay({ counselor: ROHAN, date });
  await till.bookAndPay();
  const affected = (key: string | null) => {
    const added = addLeave(till.deps, ADMIN_ACTOR, { counselorKey: key, from: date, to: date });
    if (!added.ok) throw new Error(added.code);
    removeLeave(till.deps, ADMIN_ACTOR, added.value.leave.id);
    return added.value.affected.map((one) => one.id).sort();
  };
  expect(affected(counselorKey)).toEqual([id]);
  expect(affected("rohan")).toEqual([rohans]);
  expect(affected(null)).toEqual([id, rohans].sort());
  const logged = ["asha", "rohan", "all"].flatMap((of) => [
    `leave_add ${of}`,
    `leave_remove ${of}`,
  ]);
  expect(activity().map(({ action, target }) => `${action} ${target}`)).toEqual(logged);
});
