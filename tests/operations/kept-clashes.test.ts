/** A session kept in time that was taken away comes back when the time is taken away anew. */
import { beforeEach, expect, it } from "vitest";
import { keepClash, listClashes } from "#app/availability/clashes.server.ts";
import { addLeave, removeLeave, setHours } from "#app/availability/hours.server.ts";
import { setAvailability } from "#app/availability/set-availability.server.ts";
import { changeCounselor } from "#app/catalogue/change-counselor.server.ts";
import { WEEKDAYS, type Week } from "#app/model/week.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const KEY = "asha";

const till = freshTill();
let id: string;
let date: string;
beforeEach(async () => {
  ({ id } = await till.bookAndPay());
  ({ date } = till.booking(id));
});

const block = (action: "block" | "unblock", timeSlot = "10:00") =>
  till.setBlocks({ counselorKey: KEY, dates: [date], timeSlots: [timeSlot], action });
const set = (timeSlots: string[]) =>
  setAvailability(till.deps, ADMIN_ACTOR, { counselorKey: KEY, dates: [date], timeSlots });
const reset = () =>
  setAvailability(till.deps, ADMIN_ACTOR, { counselorKey: KEY, dates: [date], timeSlots: null });
const hours = (times: string[] | null) => {
  const week =
    times && (Object.fromEntries(WEEKDAYS.map((day) => [day, times])) as unknown as Week);
  return setHours(till.deps, ADMIN_ACTOR, KEY, { week, bufferMinutes: 0 });
};
const active = (isActive: boolean) =>
  changeCounselor(till.deps, ADMIN_ACTOR, KEY, { active: isActive });

const open = () => listClashes(till.deps.db, till.clock.now);
function keepAll(): void {
  const [clash] = open();
  const seen = { version: clash!.version, causes: clash!.causes.map(({ key }) => key) };
  expect(keepClash(till.deps, ADMIN_ACTOR, id, seen).ok).toBe(true);
  expect(open()).toEqual([]);
}

it.each([
  ["a block", () => block("block"), () => block("unblock")],
  ["the times of its date", () => set(["15:00"]), reset],
  ["weekly hours", () => hours(["15:00"]), () => hours(null)],
  ["taking its captain off the page", () => active(false), () => active(true)],
])("a kept session comes back after %s, which ended and came again", (_, takeAway, giveBack) => {
  takeAway();
  keepAll();
  giveBack();
  expect(open()).toEqual([]);
  expect(takeAway()).toMatchObject({ ok: true, value: { affected: [{ id }] } });
  expect(open()).toMatchObject([{ id }]);
});

it("a kept session stays kept when something else changes, or the same is set again", () => {
  block("block");
  keepAll();
  block("block");
  block("block", "15:00");
  block("unblock", "15:00");
  set(["10:00", "15:00"]);
  hours(["10:00"]);
  active(true);
  expect(open()).toEqual([]);
});

it("leave names the sessions of its days: of one captain theirs alone, of all everybody's", async () => {
  const { id: rohans } = await till.bookAndPay({ counselor: ROHAN, date });
  await till.bookAndPay();
  const affected = (counselorKey: string | null) => {
    const added = addLeave(till.deps, ADMIN_ACTOR, { counselorKey, from: date, to: date });
    if (!added.ok) throw new Error(added.code);
    removeLeave(till.deps, ADMIN_ACTOR, added.value.leave.id);
    return added.value.affected.map((one) => one.id).sort();
  };
  expect(affected(KEY)).toEqual([id]);
  expect(affected("rohan")).toEqual([rohans]);
  expect(affected(null)).toEqual([id, rohans].sort());
});
