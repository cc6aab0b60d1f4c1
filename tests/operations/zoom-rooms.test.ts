/** Zoom's rooms: made once after the payment, moved, handed over and deleted with their bookings, also when the clock or a copy is set back. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runClock } from "#app/jobs/worker.server.ts";
import { addDays, DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { bookingCalendarFile } from "#app/notifications/invitation.server.ts";
import { runRooms } from "#app/session-rooms/room-queue.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { deleteAppointmentRow, findAppointment } from "#db/queries/appointments.server.ts";
import { readQueues } from "#db/queries/health.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { fallback, MAKES, zoomTill } from "#tests/support/zoom-till.ts";

const zoom = zoomTill();
const { till, roomOf, move, refuse } = zoom;
const rows = () => till.rows("SELECT * FROM session_room ORDER BY created_at");
const sent = async (id: string, kind: string) =>
  till.mail(till.messages(id).find((one) => one.kind === kind)!);
it("nothing is made before the payment; then a room, which mail and calendar bring", async () => {
  const unpaid = till.book({ timeSlot: "09:00" });
  await zoom.later();
  expect([zoom.meetings(), rows()]).toEqual([[], []]);
  const { id } = await till.bookAndPay();
  expect(roomOf(id)).toEqual({ kind: "zoom", address: null });
  till.deps.documents = { renderDocument: async () => Buffer.from("pdf") } as never;
  const confirmed = await sent(id, "booking_confirmed");
  expect(confirmed.text).toContain("Your link is on its way");
  expect(confirmed.calendar!.content).toContain("SEQUENCE:0");
  await zoom.later();
  const [meeting, ...others] = zoom.meetings();
  expect(others).toEqual([]);
  const [link] = zoom.links();
  expect(roomOf(id)).toEqual({ kind: "zoom", address: link });
  const { startsAt, minutes, contact, counselorEmail } = till.booking(id);
  expect(meeting).toMatchObject({ host: counselorEmail, duration: minutes });
  expect(Date.parse(meeting!.start_time)).toBe(startsAt);
  // Zoom learns neither the booking's id nor who comes.
  const text = JSON.stringify(meeting);
  for (const secret of [id, contact.name, contact.email]) expect(text).not.toContain(secret);
  const mail = await sent(id, "joining_changed");
  expect([mail.subject, mail.text]).toEqual([
    expect.stringMatching(/^Your meeting link: /),
    expect.stringContaining(link!),
  ]);
  const update = mail.calendar!.content.replaceAll("\r\n ", "");
  expect(update).toContain("SEQUENCE:1");
  expect(update).toContain(link);
  expect((await sent(id, "counselor_joining_changed")).text).toContain(link);
  const file = bookingCalendarFile(till.deps.env, till.booking(id), till.clock.now);
  expect(file.replaceAll("\r\n ", "")).toContain(link);
  expect(till.booking(unpaid).roomUrl).toBeNull();
  expect(await zoom.later(HOUR)).toBe(0);
});

it("goes with its booking's row, and with the person's data", async () => {
  const one = await till.bookAndPay();
  const other = await till.bookAndPay();
  await zoom.later();
  deleteAppointmentRow(till.deps.db, one.id);
  await zoom.later();
  expect(zoom.meetings()).toHaveLength(1);
  till.deps.db.runRaw("UPDATE appointment SET personal_data_erased_at = 1 WHERE id = ?", [
    other.id,
  ]);
  await zoom.later();
  expect([zoom.meetings(), rows()]).toEqual([[], []]);
});

it("a room without an answer is looked up, and one that comes late is deleted", async () => {
  const { id } = await till.bookAndPay();
  zoom.sandbox.switches.set({ name: "zoom_answer_lost", match: "POST /zoom/v2", count: 1 });
  await zoom.later();
  expect(roomOf(id).address).toBeNull();
  const { meetings } = zoom.sandbox.zoom;
  const late = [...meetings];
  meetings.clear();
  await zoom.later(MINUTE);
  const { address } = roomOf(id);
  expect(zoom.links()).toEqual([address]);
  for (const [key, meeting] of late) meetings.set(key, meeting);
  await zoom.later(15 * MINUTE);
  expect(zoom.links()).toEqual([address]);
  expect(rows()[0]).toMatchObject({ next_try_at: null, unsure_since: null });
});

describe("a room that cannot be made", () => {
  it("gives way to the fallback link two hours before, and staff see it", async () => {
    const { id } = await till.bookAndPay();
    refuse(MAKES);
    await zoom.later();
    till.clock.now = till.booking(id).startsAt - 2 * HOUR - MINUTE;
    await zoom.later();
    expect(roomOf(id).address).toBeNull();
    expect(till.attention().withoutRoom).toEqual([]);
    await zoom.later(MINUTE);
    expect(roomOf(id)).toEqual({ kind: "link", address: fallback("asha") });
    expect((await sent(id, "joining_changed")).text).toContain(fallback("asha"));
    expect(till.attention().withoutRoom.map((one) => one.id)).toEqual([id]);
    await zoom.later();
    expect(rows()).toHaveLength(1);
    till.clock.now = till.booking(id).endsAt;
    expect(till.attention().withoutRoom).toEqual([]);
  });

  it("is made once the session is moved more than two hours ahead", async () => {
    const { id } = await till.bookAndPay({ timeSlot: "09:00" });
    const { date } = till.booking(id);
    refuse(MAKES);
    till.clock.now = till.booking(id).startsAt - HOUR;
    await zoom.later();
    zoom.sandbox.switches.clear();
    const link = { kind: "link", address: fallback("asha") };
    // At 8 AM: two hours ahead is not enough.
    move(id, "10:00");
    expect(await zoom.later(HOUR)).toBe(0);
    expect(roomOf(id)).toEqual(link);
    till.clock.now -= HOUR;
    move(id, "10:30");
    expect(roomOf(id)).toEqual({ kind: "zoom", address: null });
    expect(till.attention().withoutRoom).toEqual([]);
    await zoom.later();
    const [meeting, ...others] = zoom.meetings();
    expect(others).toEqual([]);
    expect(Date.parse(meeting!.start_time)).toBe(till.booking(id).startsAt);
    const own = roomOf(id);
    expect(own).toEqual({ kind: "zoom", address: zoom.links()[0] });
    const [, told] = till.messages(id).filter(({ kind }) => kind === "joining_changed");
    expect(await till.compose(told!)).toMatchObject({
      mail: { subject: expect.stringMatching(/^Your meeting link: /) },
    });
    expect(rows()).toHaveLength(1);
    expect(till.move(id, { date: addDays(date, 14), timeSlot: "09:00" }).ok).toBe(true);
    expect(roomOf(id)).toEqual(own);
  });

  it("of a session that is near has ten minutes", async () => {
    refuse(MAKES);
    const { id } = till.bookByStaff();
    till.clock.now = till.booking(id).startsAt - HOUR;
    till.deps.db.runRaw("UPDATE session_room SET created_at = ?", [till.clock.now]);
    await zoom.later();
    await zoom.later(9 * MINUTE);
    expect(roomOf(id).address).toBeNull();
    await zoom.later(MINUTE);
    expect(roomOf(id).address).toBe(fallback("asha"));
  });
});

it.each([
  ["its own", 1],
  ["the fallback", 99],
])("a session paid after its start is mailed %s link too, until its end", async (_, refusals) => {
  const { id } = till.bookByStaff({ payment: { by: "link" } });
  const { startsAt, endsAt } = till.booking(id);
  refuse(MAKES, refusals);
  till.clock.now = startsAt + 2 * MINUTE;
  expect(till.markPaid(id, { method: "cash" }).ok).toBe(true);
  await zoom.later();
  for (const minutes of [1, 9]) await zoom.later(minutes * MINUTE);
  const link = roomOf(id).address!;
  till.clock.now = endsAt - 1;
  for (const kind of ["joining_changed", "counselor_joining_changed"]) {
    expect((await sent(id, kind)).text).toContain(link);
  }
  till.clock.now = endsAt + 1;
  await expect(sent(id, "joining_changed")).rejects.toThrow("not_sent");
});

quickCopies();
const folder = scratchFolder();

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
  refuse(MAKES);
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
  move(id, "16:00");
  await zoom.later(DAY);
  expect(queue()).toMatchObject({ length: 1, oldest: null });
});
