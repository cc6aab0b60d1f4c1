/** A database from before the catalogue and the schedule, with live bookings: nothing moves. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { listClashes } from "#app/availability/clashes.server.ts";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { setAvailability, setBlocks } from "#app/availability/set-availability.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { COUNSELORS, DEFAULT_TIMES, LINKS, PACKAGES } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { migrate } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { ADMIN_ACTOR, openTill, type Till } from "#tests/support/till.ts";

/** What the two migrations add, those that others refer to last. */
const ADDED = [
  ...["kept_clash", "busy_time", "busy_calendar", "leave", "weekly_hours"],
  ...["offer_settings", "package", "portrait", "counselor_name", "counselor"],
];

let till: Till;
beforeEach(async () => {
  till = await openTill();
});
afterEach(() => till.close());

function everyRow(): Record<string, unknown[]> {
  const tables = till.rows(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
     AND name NOT LIKE 'kysely_migration%' AND name <> 'offer_version' ORDER BY name`,
  );
  return Object.fromEntries(
    tables.map(({ name }) => [name, till.rows(`SELECT * FROM "${name}" ORDER BY 1, 2`)]),
  );
}

it("keeps every row, offers the same times, and calls no session misplaced that was not", async () => {
  const { db } = till.deps;
  const day = (days: number) => addDays(dateInIndia(till.clock.now), days);
  const times = ["10:00", "17:00"];
  const asha = { counselorKey: "asha", timeSlots: times };
  const paid = await till.bookAndPay({ date: day(5), timeSlot: "10:00" });
  const held = till.book({ date: day(6), timeSlot: "11:00", package: 60 });
  const moved = await till.bookAndPay({ date: day(7), timeSlot: "10:00" });
  const blocked = await till.bookAndPay({ date: day(8), timeSlot: "14:00" });
  setAvailability(till.deps, ADMIN_ACTOR, { ...asha, dates: [day(9)] });
  const late = { date: day(7), timeSlot: "19:30" };
  expect(rescheduleAppointment(till.deps, ADMIN_ACTOR, moved.id, late).ok).toBe(true);
  const two = { counselorKey: "asha", dates: [day(8)], timeSlots: ["14:00"] };
  setBlocks(till.deps, ADMIN_ACTOR, { ...two, action: "block" });
  const offered = () => [
    ...[5, 6, 7, 8, 9].map((days) =>
      readSlots(till.deps, { counselorKey: "asha", date: day(days) }),
    ),
    readAvailability(till.deps, { counselorKey: "asha", from: day(0), to: day(40) }),
  ];
  const [offeredBefore, names] = [offered(), [paid.id, held, moved.id, blocked.id]];
  const appointments = names.map((id) => findAppointment(db, id));

  for (const table of ADDED) db.runRaw(`DROP TABLE ${table}`);
  db.runRaw("DELETE FROM kysely_migration WHERE name LIKE '20261122T23%'");
  const before = everyRow();
  expect(await migrate(db)).toEqual(["20261122T2300_catalogue", "20261122T2310_schedule"]);

  const after = everyRow();
  expect(Object.keys(after)).toEqual([...Object.keys(before), ...ADDED].sort());
  for (const [table, rows] of Object.entries(before)) expect(after[table], table).toEqual(rows);
  expect(names.map((id) => findAppointment(db, id))).toEqual(appointments);
  expect(offered()).toEqual(offeredBefore);
  // The one that staff moved outside the hours is no news; the one in a block still waits.
  expect(listClashes(db, till.clock.now).map(({ id }) => id)).toEqual([blocked.id]);
  expect(db.allRaw("PRAGMA foreign_key_check")).toEqual([]);
  const catalogue = readCatalogue(db);
  expect(catalogue.counselors).toMatchObject(COUNSELORS.map((one) => ({ ...one, active: true })));
  expect(catalogue.packages).toMatchObject(PACKAGES);
  expect(catalogue.defaultTimes).toEqual(DEFAULT_TIMES);
  expect(catalogue.links).toEqual(Object.values(LINKS));
  await till.bookAndPay({ date: day(12), timeSlot: "10:00" });
});
