/** A captain's busy times, of which only the differences are written. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { readDayPlan, readDayPlans } from "./availability.server.ts";
import { countBusyTimes, replaceBusyTimes } from "./busy-calendars.server.ts";

const { db } = storedRows();

/** Few instants, so that two lists have much in common and differ in one part alone. */
const instant = fc.integer({ min: 0, max: 4 });
const part = fc.record({ startsAt: instant, endsAt: instant, isLast: fc.boolean() });
const calendar = fc.array(
  part.map((one) => ({ ...one, endsAt: one.startsAt + one.endsAt + 1 })),
  { maxLength: 8 },
);

function stored(counselorKey: string): string[] {
  return db()
    .allRaw<{ text: string }>(
      "SELECT starts_at || ' ' || ends_at || ' ' || is_last AS text FROM busy_time WHERE counselor_key = ?",
      [counselorKey],
    )
    .map(({ text }) => text)
    .sort();
}

it("become what the calendar says now, whatever it said before, and nobody else's change", () => {
  replaceBusyTimes(db(), "rohan", [{ startsAt: 1, endsAt: 2, isLast: true }]);
  const property = fc.property(calendar, calendar, (before, after) => {
    for (const parts of [before, after]) {
      replaceBusyTimes(db(), "asha", parts);
      const wanted = parts.map((p) => `${p.startsAt} ${p.endsAt} ${Number(p.isLast)}`);
      expect(stored("asha")).toEqual(wanted.sort());
    }
    expect(stored("rohan")).toEqual(["1 2 1"]);
  });
  fc.assert(property, { numRuns: 300 });
});

it("busy times to come are counted of one captain, each once", () => {
  const later = { startsAt: 10, endsAt: 20 };
  replaceBusyTimes(db(), "asha", [
    { ...later, isLast: true },
    { ...later, isLast: false },
    { startsAt: 0, endsAt: 9, isLast: true },
  ]);
  replaceBusyTimes(db(), "rohan", [{ ...later, isLast: true }]);
  expect(["asha", "rohan", "nobody"].map((key) => countBusyTimes(db(), key, 9))).toEqual([1, 1, 0]);
});

it("stand in the plan of their own captain alone, read for a day or for many", () => {
  const [from, to] = ["2026-12-01", "2026-12-02"] as const;
  const span = { startsAt: instantOf(from, "10:00"), endsAt: instantOf(from, "11:00") };
  replaceBusyTimes(db(), "rohan", [{ ...span, isLast: true }]);
  for (const [key, busy] of [["rohan", [span]] as const, ["asha", []] as const]) {
    expect(readDayPlans(db(), key, from, to, 0).map((plan) => plan.busy)).toEqual([busy, []]);
    expect(readDayPlan(db(), key, from, 0).busy).toEqual(busy);
  }
});
