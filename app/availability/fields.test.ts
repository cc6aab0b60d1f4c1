import { expect, it } from "vitest";
import { addDays } from "#app/model/dates.ts";
import { WEEKDAYS } from "#app/model/day-plan.ts";
import { check } from "#app/model/fields.ts";
import { expandDates, hoursSchema, leaveSchema, MOST_DATES } from "./fields.ts";

const from = "2026-12-01";

const weekOf = (...times: string[]) => Object.fromEntries(WEEKDAYS.map((day) => [day, times]));

it.each([
  ["no week", hoursSchema, { bufferMinutes: 0 }, "week"],
  ["a day left out", hoursSchema, { week: { mon: ["09:00"] }, bufferMinutes: 0 }, "week"],
  ["a day of no week", hoursSchema, { week: { ...weekOf("09:00"), day: [] } }, "week"],
  ["a time off the list", hoursSchema, { week: weekOf("09:15"), bufferMinutes: 0 }, "week"],
  ["no time at all", hoursSchema, { week: weekOf(), bufferMinutes: 0 }, "week"],
  ["no buffer", hoursSchema, { week: null }, "bufferMinutes"],
  ["half a minute", hoursSchema, { week: null, bufferMinutes: 0.5 }, "bufferMinutes"],
  ["a buffer under 0", hoursSchema, { week: null, bufferMinutes: -1 }, "bufferMinutes"],
  ["a buffer over 120", hoursSchema, { week: null, bufferMinutes: 121 }, "bufferMinutes"],
  ["no version", hoursSchema, { week: null, bufferMinutes: 0, version: 0 }, "version"],
  ["no first day", leaveSchema, { to: from }, "from"],
  ["no last day", leaveSchema, { from }, "to"],
  ["an end before its start", leaveSchema, { from, to: addDays(from, -1) }, "to"],
  ["a date that is none", leaveSchema, { from: "2027-02-30", to: "2027-03-01" }, "from"],
  ["a long reason", leaveSchema, { from, to: from, reason: "x".repeat(201) }, "reason"],
])("%s is refused at its field", (_, schema, input, field) => {
  const read = check(schema, input);
  expect(Object.keys((!read.ok && read.errors) || {})).toContain(field);
});

it("hours are taken in order and each once, with a day off and the longest buffer", () => {
  const week = { ...weekOf("18:00", "08:30", "18:00"), sun: [] };
  const read = check(hoursSchema, { week, bufferMinutes: "120" });
  const kept = { ...weekOf("08:30", "18:00"), sun: [] };
  expect(read).toMatchObject({ ok: true, value: { week: kept, bufferMinutes: 120 } });
});

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
