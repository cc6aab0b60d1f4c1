/** Page, calls, month and booking say the same of a time, whatever was set, and keep the buffer. */
import { fork } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import {
  addLeave,
  setAvailability,
  setBlocks,
  setHours,
} from "#app/availability/set-availability.server.ts";
import { bookSession } from "#app/booking/book-session.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { addDays, dateInIndia, instantOf, MINUTE } from "#app/model/dates.ts";
import { MASTER_TIMES, WEEKDAYS, type Week } from "#app/model/day-plan.ts";
import { inTransaction } from "#db/connection.server.ts";
import { ASHA, bookingInput } from "#tests/support/bookings.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const KEY = "asha";

const test = sharedDeps({ RATE_LIMIT: "off" });
let date: string;
beforeAll(() => {
  test.clock.now = instantOf(dateInIndia(test.clock.now), "06:00");
  date = addDays(dateInIndia(test.clock.now), 20);
});

const slot = fc.constantFrom(...MASTER_TIMES);
const slots = (most: number) =>
  fc.uniqueArray(slot, { minLength: 1, maxLength: most }).map((times) => times.sort());
const minutes = fc.constantFrom(30, 45, 60);
const week = fc
  .record(Object.fromEntries(WEEKDAYS.map((day) => [day, slots(20)])))
  .map((days) => days as unknown as Week);

const worlds = fc.record({
  hours: fc.option(week),
  bufferMinutes: fc.constantFrom(0, 0, 15, 30, 120),
  set: fc.option(slots(20), { freq: 3 }),
  blocks: fc.option(slots(4)),
  leave: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  busy: fc.array(fc.tuple(fc.integer({ min: 0, max: 1380 }), fc.integer({ min: 1, max: 60 })), {
    maxLength: 4,
  }),
  bookings: fc.array(fc.record({ slot, minutes }), { maxLength: 6 }),
  moves: fc.array(fc.record({ which: fc.nat(), slot, override: fc.boolean() }), { maxLength: 3 }),
});
type World = typeof worlds extends fc.Arbitrary<infer T> ? T : never;

function wipe(): void {
  const { db } = test.deps;
  for (const table of ["kept_clash", "own_booking", "appointment", "weekly_hours", "leave"]) {
    db.runRaw(`DELETE FROM ${table}`);
  }
  for (const table of ["session_time", "availability", "block", "busy_time"]) {
    db.runRaw(`DELETE FROM ${table}`);
  }
}

function book(timeSlot: string, length: number) {
  const input = bookingInput({ counselor: ASHA, date, timeSlot, package: length });
  return bookSession(test.deps, input, { clientAddress: "192.0.2.1" });
}

function bookAll(bookings: World["bookings"]): string[] {
  return bookings.flatMap(({ slot: at, minutes: length }) => {
    const booked = book(at, length);
    return booked.ok ? [booked.value.appointment.id] : [];
  });
}

function setAll({ hours, bufferMinutes, set, blocks, leave, busy }: World): void {
  const { deps } = test;
  const on = { counselorKey: KEY, dates: [date] };
  setHours(deps, ADMIN_ACTOR, KEY, { week: hours, bufferMinutes });
  if (set) setAvailability(deps, ADMIN_ACTOR, { ...on, timeSlots: set });
  if (blocks) setBlocks(deps, ADMIN_ACTOR, { ...on, timeSlots: blocks, action: "block" });
  if (leave) addLeave(deps, ADMIN_ACTOR, { counselorKey: null, from: date, to: date });
  for (const [from, length] of busy) {
    const startsAt = instantOf(date) + from * MINUTE;
    deps.db.runRaw(
      "INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last) VALUES (?, ?, ?, 1)",
      [KEY, startsAt, startsAt + length * MINUTE],
    );
  }
}

/** The ids of sessions that were moved with `override`. */
function moveAll(ids: readonly string[], moves: World["moves"]): Set<string> {
  const overridden = new Set<string>();
  for (const { which, slot: timeSlot, override } of moves) {
    const id = ids[which % Math.max(1, ids.length)];
    if (!id) continue;
    const wanted = { date, timeSlot, override };
    const moved = rescheduleAppointment(test.deps, ADMIN_ACTOR, id, wanted);
    if (moved.ok && override) overridden.add(id);
  }
  return overridden;
}

const UNDONE = new Error("undone");

/** What the booking transaction says, and leaves nothing behind. */
function wouldBook(timeSlot: string, length: number): boolean {
  let ok = false;
  try {
    inTransaction(test.deps.db, () => {
      ok = book(timeSlot, length).ok;
      throw UNDONE;
    });
  } catch (error) {
    if (error !== UNDONE) throw error;
  }
  return ok;
}

function sessions() {
  return test.deps.db.allRaw<{ id: string; starts_at: number; ends_at: number }>(
    "SELECT appointment_id AS id, starts_at, ends_at FROM session_time ORDER BY starts_at",
  );
}

it("page, call, month and booking agree on every time of a random day", () => {
  fc.assert(
    fc.property(worlds, minutes, (world, length) => {
      wipe();
      // What is set later may not suit what was booked before.
      const ids = bookAll(world.bookings);
      setAll(world);
      moveAll(ids, world.moves);
      const query = { counselorKey: KEY, minutes: length };
      const { availableSlots } = readSlots(test.deps, { ...query, date });
      const { days, next } = readAvailability(test.deps, { ...query, from: date, to: date });
      expect(days[date]).toBe(availableSlots.length);
      const named = next.filter((one) => one.date === date).map((one) => one.timeSlot);
      expect(named).toEqual(availableSlots.slice(0, 6));
      expect(MASTER_TIMES.filter((time) => wouldBook(time, length))).toEqual(availableSlots);
      const longest = readSlots(test.deps, { counselorKey: KEY, date }).availableSlots;
      for (const time of longest) expect(availableSlots).toContain(time);
    }),
    { numRuns: 60 },
  );
}, 120_000);

it("no two sessions come nearer than the buffer but those moved by saying so", () => {
  fc.assert(
    fc.property(
      worlds,
      fc.array(fc.record({ slot, minutes }), { maxLength: 12 }),
      (world, more) => {
        wipe();
        setAll(world);
        const overridden = moveAll(bookAll(more), world.moves);
        const all = sessions();
        for (const [i, one] of all.entries()) {
          const before = all[i - 1];
          if (!before) continue;
          const apart = one.starts_at - before.ends_at;
          const said = overridden.has(one.id) || overridden.has(before.id);
          expect(apart).toBeGreaterThanOrEqual(said ? 0 : world.bufferMinutes * MINUTE);
        }
      },
    ),
    { numRuns: 60 },
  );
}, 120_000);

it("two processes on one file keep the buffer too", async () => {
  wipe();
  const day = addDays(dateInIndia(Date.now()), 30);
  const all = Object.fromEntries(WEEKDAYS.map((name) => [name, MASTER_TIMES])) as unknown as Week;
  setHours(test.deps, ADMIN_ACTOR, KEY, { week: all, bufferMinutes: 20 });
  const worker = join(import.meta.dirname, "../support/buffer-grabber.ts");
  const won = await Promise.all(
    ["a", "b"].map(
      (name) =>
        new Promise<number>((resolve, reject) => {
          const child = fork(worker, [test.deps.db.path, name, day, ASHA]);
          child.once("message", (count) => resolve(Number(count)));
          child.once("error", reject);
          child.once("exit", (code) => code !== 0 && reject(new Error(`exit ${code}`)));
        }),
    ),
  );
  const taken = sessions();
  expect(won[0]! + won[1]!).toBe(taken.length);
  expect(taken.length).toBeGreaterThan(5);
  for (const [i, one] of taken.entries()) {
    const before = taken[i - 1];
    if (before) expect(one.starts_at - before.ends_at).toBeGreaterThanOrEqual(20 * MINUTE);
  }
}, 60_000);
