/** Rooms when the clock is set back and when a copy is put back, and what the figures say of their queue. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { runClock } from "#app/jobs/worker.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { readQueues } from "#db/queries/health.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { fallback, zoomTill } from "#tests/support/zoom-till.ts";

quickCopies();
const folder = scratchFolder();
const zoom = zoomTill();
const { till } = zoom;
const refuse = (match: string) =>
  zoom.sandbox.switches.set({ name: "zoom_refuse", match, count: 99 });
const rows = () => till.rows("SELECT * FROM session_room ORDER BY created_at");

it("the clock set back: what waits is tried again, and the fallback comes in time", async () => {
  const { startsAt, id } = till.bookByStaff();
  const { startsAt: otherStart, id: other } = till.bookByStaff({ timeSlot: "15:00" });
  const back = till.clock.now;
  // All of it was written while the clock was a month ahead.
  till.clock.now += 30 * DAY;
  till.deps.db.runRaw(
    `UPDATE session_room SET created_at = ?, next_try_at = ?, lease_until = ?,
       unsure_since = iif(appointment_id = ?, ?, NULL)`,
    [till.clock.now, till.clock.now, till.clock.now, other, till.clock.now],
  );
  till.clock.now = back;
  expect(await zoom.later()).toBe(0);
  await runClock(till.deps);
  for (const row of rows()) {
    expect(row).toMatchObject({ next_try_at: back, lease_until: null, created_at: back });
  }
  expect(
    rows()
      .map((row) => row.unsure_since)
      .toSorted(),
  ).toEqual([back, null].toSorted());
  refuse("POST /zoom/v2/users");
  await zoom.later();
  // What waits no longer than its next try stays.
  const waiting = rows();
  await runClock(till.deps);
  expect(rows()).toEqual(waiting);
  till.clock.now = Math.max(startsAt, otherStart) - HOUR;
  await zoom.later();
  expect([id, other].map((one) => till.booking(one).roomUrl)).toEqual([
    fallback("asha"),
    fallback("asha"),
  ]);
  // A fallback is nothing that waits.
  till.clock.now -= 40 * DAY;
  await runClock(till.deps);
  expect(rows().filter((row) => row.fell_back_at !== null && row.next_try_at !== null)).toEqual([]);
});

it("a copy put back looks up what was made since, and makes none twice", async () => {
  const one = await till.bookAndPay();
  const other = await till.bookAndPay();
  till.deps.db.runRaw("UPDATE session_room SET lease_until = ? WHERE appointment_id = ?", [
    till.clock.now + HOUR,
    other.id,
  ]);
  const { path } = await makeBackup(till.deps.db, { folder, keep: 9, now: till.clock.now });
  till.deps.db.runRaw("UPDATE session_room SET lease_until = NULL");
  await zoom.later();
  const made = [one, other].map(({ id }) => till.booking(id).roomUrl);
  expect(zoom.meetings()).toHaveLength(2);
  await restoreBackup(path, join(folder, "restored.db"), till.clock.now, folder);
  const db = openDb(join(folder, "restored.db"));
  const deps = { ...till.deps, db };
  await runRooms(deps);
  expect([one, other].map(({ id }) => findAppointment(db, id)!.roomUrl)).toEqual(made);
  till.clock.now += 11 * MINUTE;
  await runRooms(deps);
  expect(zoom.meetings()).toHaveLength(2);
  const left = "SELECT * FROM session_room WHERE next_try_at IS NOT NULL";
  expect(db.allRaw(left)).toEqual([]);
  db.close();
});

it("the figures have the queue of sessions' rooms, with the age of what is awaited", async () => {
  const queue = () => readQueues(till.deps.db).queues.find((one) => one.queue === "session_rooms");
  expect(queue()).toMatchObject({ length: 0, oldest: null });
  const { id } = await till.bookAndPay();
  const bookedAt = till.clock.now;
  expect(queue()).toMatchObject({ length: 1, oldest: bookedAt });
  await zoom.later();
  expect(queue()).toMatchObject({ length: 0, oldest: null });
  // What is to be moved has its link.
  refuse("PATCH /zoom/v2");
  const { date } = till.booking(id);
  till.move(id, { date, timeSlot: "16:00" });
  await zoom.later(DAY);
  expect(queue()).toMatchObject({ length: 1, oldest: null });
});
