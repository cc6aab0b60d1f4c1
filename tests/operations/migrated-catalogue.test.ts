/** A database from before the catalogue and the schedule, with live bookings: nothing moves. */
import { Kysely, SqliteDialect } from "kysely";
import { Migrator } from "kysely/migration";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listClashes } from "#app/availability/clashes.server.ts";
import { readAvailability, readSlots } from "#app/availability/read-slots.server.ts";
import { setAvailability, setBlocks } from "#app/availability/set-availability.server.ts";
import { rescheduleAppointment } from "#app/booking/reschedule-appointment.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { COUNSELORS, DEFAULT_TIMES, LINKS, PACKAGES } from "#app/catalogue.ts";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { migrate, type OpenDb, openDb } from "#db/connection.server.ts";
import { migrations } from "#db/migrations/index.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { ADMIN_ACTOR, openTill, type Till } from "#tests/support/till.ts";

/** The first migration that a file of before has not seen. */
const FIRST_NEW = "20261122T2300_catalogue";

let till: Till;
beforeEach(async () => {
  till = await openTill();
});
afterEach(() => till.close());

function everyRow(db: OpenDb): Record<string, object[]> {
  const tables = db.allRaw<{ name: string }>(
    `SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'
     AND name NOT LIKE 'kysely_migration%' AND name NOT LIKE '%_search_%'
     AND name <> 'offer_version' ORDER BY name`,
  );
  return Object.fromEntries(
    tables.map(({ name }) => [name, db.allRaw<object>(`SELECT * FROM "${name}" ORDER BY 1, 2`)]),
  );
}

/** A file of before the catalogue that holds what the present one does, as far as it knew it. */
async function fileOfBefore(now: OpenDb): Promise<OpenDb> {
  const old = openDb(`${now.path}-before`);
  const older = Object.entries(migrations).filter(([name]) => name < FIRST_NEW);
  const migrator = new Migrator({
    db: new Kysely({ dialect: new SqliteDialect({ database: old.driver }) }),
    provider: { getMigrations: async () => Object.fromEntries(older) },
  });
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
  const triggers = old.allRaw<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
  );
  // They would count twice what is copied.
  for (const { name } of triggers) old.runRaw(`DROP TRIGGER ${name}`);
  old.runRaw("PRAGMA foreign_keys = OFF");
  for (const table of Object.keys(everyRow(old)).filter(
    (name) => !/_search|^setting$/.test(name),
  )) {
    const columns = old
      .allRaw<{ name: string }>(`PRAGMA table_info("${table}")`)
      .map((c) => c.name);
    old.runRaw(`DELETE FROM "${table}"`);
    for (const row of now.allRaw<Record<string, unknown>>(`SELECT * FROM "${table}"`)) {
      const marks = columns.map(() => "?").join(", ");
      const values = columns.map((name) => row[name]);
      old.runRaw(`INSERT INTO "${table}" (${columns.join(", ")}) VALUES (${marks})`, values);
    }
  }
  old.runRaw("PRAGMA foreign_keys = ON");
  for (const { sql } of triggers) old.runRaw(sql);
  return old;
}

it("keeps every row, offers the same times, and calls no session misplaced that was not", async () => {
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
  const appointments = names.map((id) => findAppointment(till.deps.db, id));

  const db = await fileOfBefore(till.deps.db);
  till.deps.db.close();
  till.deps.db = db;
  const before = everyRow(db);
  expect((await migrate(db)).slice(0, 2)).toEqual([FIRST_NEW, "20261122T2310_schedule"]);

  const after = everyRow(db);
  for (const [table, rows] of Object.entries(before)) {
    // Disputes stand in a table of their own since.
    const kept = (rows as Record<string, unknown>[]).map(({ dispute_state: _, ...row }) =>
      expect.objectContaining(row),
    );
    expect(after[table], table).toEqual(expect.arrayContaining(kept));
  }
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
