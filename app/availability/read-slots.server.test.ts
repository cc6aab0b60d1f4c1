/** Where the times of a previewed day come from. */
import { expect, it } from "vitest";
import type { DayPlan } from "#app/model/day-plan.ts";
import { previewOf } from "./read-slots.server.ts";

const plan: DayPlan = {
  date: "2026-12-01",
  setTimes: null,
  usualTimes: ["10:00"],
  hasHours: false,
  isOff: false,
  bufferMinutes: 0,
  blocked: [],
  leave: [],
  busy: [],
  taken: [],
};
const leave = { id: "l1", from: "2026-12-01", to: "2026-12-01", reason: "Roster" };

it.each<[string, Partial<DayPlan>, string | null]>([
  ["default", {}, null],
  ["hours", { hasHours: true }, null],
  ["off", { hasHours: true, usualTimes: [] }, null],
  ["set", { hasHours: true, usualTimes: [], setTimes: ["11:00"] }, null],
  ["leave", { setTimes: ["11:00"], leave: [leave] }, "Roster"],
])("is %s", (source, changes, reason) => {
  expect(previewOf({ ...plan, ...changes })).toMatchObject({ source, reason });
});
