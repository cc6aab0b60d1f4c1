/** What a clock causes: who is written to, once, and as it is when the message is queued. */
import { describe, expect, it, vi } from "vitest";
import { writeFailures } from "#app/core/failures.server.ts";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import { runReminders, runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { openDb } from "#db/connection.server.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { windowUntil } from "#tests/support/sample-messages.ts";
import { sharedWorld } from "./setup.ts";

const world = sharedWorld("message", "appointment", "failure");

const at = (now: number) => ({ ...world.deps, now: () => now });
const remindersAt = (now: number) => runReminders(at(now));
const kinds = () => world.messages().map(({ kind }) => kind);

/** One for each instant, one after the other. */
async function inTurn<T>(instants: number[], run: (now: number) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (const now of instants) answers.push(await run(now));
  return answers;
}

describe("runReminders", () => {
  it("reminds a day and an hour before, each once, and wakes the sender for what it queued", async () => {
    const { startsAt } = world.addAppointment();
    const ahead = [25, 24, 20, 1 + 1 / HOUR, 1, 0.5, 0].map((hours) => startsAt - hours * HOUR);
    const wakes = vi.fn();
    const remind = (now: number) => runReminders({ ...at(now), wake: wakes });
    expect(await inTurn(ahead, remind)).toEqual([0, 1, 0, 0, 1, 0, 0]);
    expect(wakes).toHaveBeenCalledTimes(2);
    expect(world.messages().filter(({ kind }) => kind === "counselor_reminder")).toHaveLength(2);
    world.deps.db.runRaw("DELETE FROM message");
    const late = [3, 3 + 1 / HOUR, 5 / 60, 5 / 60 + 1 / HOUR];
    const last = late.map((hours) => startsAt - hours * HOUR);
    expect(await inTurn(last, remind)).toEqual([0, 1, 0, 1]);
  });
});

it("the unpaid notice is written once after the hold, wakes the sender, and is not of one that ended a day ago", async () => {
  const now = Date.now();
  const ended = (ago: number) =>
    world.addAppointment({ status: "pending_payment", window: windowUntil(now - ago) });
  const wake = vi.fn();
  const deps = { ...at(now), wake };
  ended(24 * HOUR);
  expect(await runUnpaidNotices(deps)).toBe(0);
  ended(24 * HOUR - 1);
  expect([await runUnpaidNotices(deps), await runUnpaidNotices(deps)]).toEqual([1, 0]);
  expect(wake).toHaveBeenCalledTimes(1);
});

describe("between the list and the message", () => {
  /** Another process changes the booking as soon as this one has listed it. */
  const changeOnceListed = (id: string, changes: string) => {
    const { db } = world.deps;
    const all = db.allRaw.bind(db);
    const lists = vi.spyOn(db, "allRaw").mockImplementation((text, parameters) => {
      const rows = all(text, parameters);
      if (rows.length > 0) {
        lists.mockRestore();
        const other = openDb(db.path);
        other.runRaw(`UPDATE appointment SET ${changes} WHERE id = ?`, [id]);
        other.close();
      }
      return rows;
    });
  };

  it.each([24, 1])(
    "a session moves: it is not reminded of now, but %i hours before its new time",
    async (hours) => {
      const { id, startsAt } = world.addAppointment();
      const later = 72 * HOUR;
      changeOnceListed(id, `starts_at = starts_at + ${later}, ends_at = ends_at + ${later}`);
      await remindersAt(startsAt - hours * HOUR);
      expect(kinds()).toEqual([]);
      expect(await remindersAt(startsAt + later - hours * HOUR)).toBe(1);
      expect(kinds()).toContain(`reminder_${hours}h`);
    },
  );

  it("a hold begins anew: the unpaid notice is sent at its new end", async () => {
    const now = Date.now();
    const window = windowUntil(now - 1_000);
    const { id } = world.addAppointment({ status: "pending_payment", window });
    changeOnceListed(id, `hold_until = ${now + HOUR}, pay_before = ${now + HOUR}`);
    await runUnpaidNotices(at(now));
    expect(kinds()).toEqual([]);
    expect(await runUnpaidNotices(at(now + HOUR))).toBe(1);
    expect(kinds()).toEqual(["booking_unpaid"]);
  });
});

it("a booking whose message cannot be queued keeps no other from its reminder, and has its own later", async () => {
  const [first, second] = [world.addAppointment(), world.addAppointment()];
  world.deps.db.runRaw(
    `CREATE TEMP TRIGGER broken BEFORE INSERT ON message WHEN new.appointment_id = '${first.id}'
     BEGIN SELECT raise(ABORT, 'a bug'); END`,
  );
  const due = Math.max(first.startsAt, second.startsAt) - 24 * HOUR;
  expect(await inTurn([due, due], remindersAt)).toEqual([1, 0]);
  expect(kinds()).toEqual(["counselor_reminder", "reminder_24h", "reminder_24h"]);
  writeFailures(world.deps);
  expect(listFailures(world.deps.db, 0)).toMatchObject([
    { area: "queue: reminders 24h", kind: "SqliteError SQLITE_CONSTRAINT_TRIGGER", count: 1 },
  ]);
  world.deps.db.runRaw("DROP TRIGGER broken");
  expect(await remindersAt(due + MINUTE)).toBe(1);
});
