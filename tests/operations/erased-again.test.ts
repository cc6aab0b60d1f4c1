/** What a restored copy holds of those erased, and when it was made: its name says so, else what stands in it, never the file's own time. */
import { copyFileSync, cpSync, readdirSync, renameSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { invite } from "#app/auth/team.server.ts";
import { deleteAppointment } from "#app/booking/edit-appointment.server.ts";
import { readRestored } from "#app/documents/issue.server.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { listActivityOf, logActivity } from "#db/queries/activity.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { readSetting, writeSetting } from "#db/queries/settings.server.ts";
import { READ_ORDERS_SINCE_SETTING, restoreBackup } from "#db/restore.server.ts";
import { scratchFolder, shared, sharedDeps } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR, openTill } from "#tests/support/till.ts";

quickCopies();
const scratch = scratchFolder();
const test = sharedDeps();

/** A paid session of the day after tomorrow. */
const insert = (id: string, email: string, phone: string, createdAt: number) =>
  addRow(test.deps.db, "appointment", id, {
    name: "Anil Rao",
    email,
    phone,
    starts_at: Date.now() + 2 * DAY,
    created_at: createdAt,
    updated_at: createdAt,
  });

const change = (id: string, column: "email" | "status", value: string) =>
  test.deps.db.runRaw(`UPDATE appointment SET ${column} = ? WHERE id = ?`, [value, id]);

async function copy(name: string): Promise<string> {
  const folder = join(scratch, name);
  return (await makeBackup(test.deps.db, { folder, keep: 1, now: Date.now() })).path;
}

/** The copy put back in the place of the file of now. */
async function restored<T>(source: string, read: (db: ReturnType<typeof openDb>) => T): Promise<T> {
  const target = join(scratch, `target-${Math.random()}.db`);
  const present = await copy(`present-${Math.random()}`);
  copyFileSync(present, target);
  await restoreBackup(source, target, Date.now());
  const db = openDb(target);
  try {
    return read(db);
  } finally {
    db.close();
  }
}

it("a copy from before brings nobody back: not by an old address, a live session or an invitation", async () => {
  insert("corrected", "anil.roa@example.in", "+919811100001", 1_000);
  insert("live", "live@example.in", "+919811100008", 1_000);
  insert("neighbour", "neighbour@example.in", "+919811100009", 1_000);
  for (const id of ["live", "neighbour"]) {
    const starts_at = Date.now() + 2 * DAY;
    addRow(test.deps.db, "session_time", id, { counselor_key: id, starts_at });
  }
  const account = { username: "meera", email: "meera@captains.example", role: "staff" } as const;
  expect(invite(test.deps, ADMIN_ACTOR, account).ok).toBe(true);
  const before = await copy("before");
  change("corrected", "email", "anil.rao@example.in");
  change("corrected", "status", "cancelled");
  for (const email of ["anil.rao@example.in", "live@example.in"]) {
    eraseCustomer(test.deps.db, email, Date.now());
  }
  const [rows, invitations] = await restored(before, (db) => [
    db.allRaw(
      `SELECT a.id, name, email, status, cancel_reason AS reason, t.appointment_id AS time
       FROM appointment a LEFT JOIN session_time t ON t.appointment_id = a.id ORDER BY a.id`,
    ),
    db.allRaw("SELECT 1 FROM invitation"),
  ]);
  const again = { name: "", email: "", status: "cancelled", reason: "by_admin", time: null };
  const kept = { name: "Anil Rao", email: "neighbour@example.in", status: "confirmed" };
  expect(rows).toEqual([
    { id: "corrected", ...again },
    { id: "live", ...again },
    { id: "neighbour", ...kept, reason: null, time: "neighbour" },
  ]);
  expect(invitations).toEqual([]);
});

it("a booking deleted since is deleted again, its papers stay, and so does all else of its customer", async () => {
  const { db } = test.deps;
  for (const id of ["gone", "stays"]) {
    insert(id, "anil@example.in", "+919811100010", 1_000);
    addRow(db, "session_time", id, { counselor_key: id });
    const recipient = "anil@example.in";
    addRow(db, "message", `of ${id}`, { appointment_id: id, recipient, next_try_at: 1 });
    const number = `of ${id}`;
    insertDocument(db, ledgerRow({ number, appointmentId: id, paymentId: id, serial: id.length }));
  }
  const before = await copy("undeleted");
  expect(deleteAppointment(test.deps, ADMIN_ACTOR, "gone")).toMatchObject({ ok: true });
  const read = (present: typeof db) =>
    [
      ["id", "appointment"],
      ["appointment_id", "session_time"],
      ["id", "message"],
      ["number", "document"],
    ].map(([column, table]) => {
      const those = `'gone', 'stays', 'of gone', 'of stays'`;
      const found = `SELECT ${column} AS id FROM ${table} WHERE ${column} IN (${those}) ORDER BY 1`;
      return present.allRaw<{ id: string }>(found).map(({ id }) => id);
    });
  const kept = [["stays"], ["stays"], ["of stays"], ["of gone", "of stays"]];
  expect(read(db)).toEqual(kept);
  expect(await restored(before, read)).toEqual(kept);
});

it("a copy made after an erasure keeps what has come to the address since", async () => {
  insert("erased", "child@example.in", "+919811100002", 1_000);
  insert("mother", "mother@example.in", "+919811100003", 2_000);
  change("erased", "status", "cancelled");
  eraseCustomer(test.deps.db, "child@example.in", 3_000);
  change("mother", "email", "child@example.in");
  const later = await copy("later");
  const rows = await restored(later, (db) =>
    db.allRaw("SELECT name, email, status FROM appointment WHERE id = 'mother'"),
  );
  expect(rows).toEqual([{ name: "Anil Rao", email: "child@example.in", status: "confirmed" }]);
});

it("messages of a booking that went over to somebody else go with the number they were sent to", () => {
  insert("theirs", "first@example.in", "+919811100004", 1_000);
  insert("moved", "second@example.in", "+919811100005", 1_000);
  addRow(test.deps.db, "message", "m", {
    channel: "whatsapp",
    recipient: "+919811100004",
    appointment_id: "moved",
    state: "sent",
    created_at: 2,
  });
  eraseCustomer(test.deps.db, "first@example.in", Date.now());
  const held = "SELECT 1 FROM message WHERE recipient = '+919811100004'";
  expect(test.deps.db.allRaw(held)).toEqual([]);
});

it("a customer whose address ends like another's keeps what the log says of them", () => {
  insert("longer", "joann@example.in", "+919811100006", 1_000);
  insert("shorter", "ann@example.in", "+919811100007", 1_000);
  const line = (target: string, email: string) =>
    logActivity(test.deps.db, { at: 5, actor: "asha", action: "edit", target, after: { email } });
  line("longer", "joann@example.in");
  line("longer", "now ann@example.in.");
  line("longer", "Their other address:\nANN@example.in");
  eraseCustomer(test.deps.db, "ann@example.in", Date.now());
  expect(listActivityOf(test.deps.db, "longer").map(({ after }) => after)).toEqual([
    { email: "joann@example.in" },
    null,
    null,
  ]);
});

const MADE_AT = Date.UTC(2026, 10, 20, 9, 30, 15);
const NOW = MADE_AT + 2 * DAY;

const till = shared(openTill, (made) => made.close());
let theCopy: string;
beforeAll(async () => {
  till.clock.now = MADE_AT - 3 * HOUR;
  till.book();
  theCopy = (await makeBackup(till.deps.db, { folder: scratch, keep: 9, now: MADE_AT })).path;
});

/** The copy under a name, as sftp brings it: its time of change is that of the fetching. */
async function restoredAs(name: string, takenAt?: number) {
  const source = join(scratch, name);
  if (source !== theCopy) copyFileSync(theCopy, source);
  utimesSync(source, NOW / 1000, NOW / 1000);
  const target = join(scratch, `of-${name}`);
  await restoreBackup(source, target, NOW, scratch, takenAt);
  const db = openDb(target);
  try {
    const since = Number(readSetting(db, READ_ORDERS_SINCE_SETTING));
    return { takenAt: readRestored(db)!.takenAt, since };
  } finally {
    db.close();
  }
}

it("the time of a copy is what its name says, also for the second copy of a second", async () => {
  const [name] = readdirSync(scratch).filter((one) => one.startsWith("bookings-"));
  expect(name).toBe("bookings-20261120T093015Z.db");
  // A link lives seven days and its order is watched for five more.
  const expected = { takenAt: MADE_AT, since: MADE_AT - 12 * DAY };
  expect(await restoredAs(name!)).toEqual(expected);
  expect(await restoredAs("bookings-20261120T093015Z-2.db")).toEqual(expected);
});

it("nothing is replaced under an app that was started while the copy was prepared", async () => {
  const target = join(scratch, "started.db");
  await restoreBackup(theCopy, target, NOW, scratch);
  const restoring = restoreBackup(theCopy, target, NOW, scratch);
  const app = openDb(target);
  app.driver.pragma("journal_mode = WAL");
  writeSetting(app, "booked", "meanwhile");
  await expect(restoring).rejects.toThrow("The app is running on this database.");
  expect(readSetting(app, "booked")).toBe("meanwhile");
  app.close();
});

it("each copy goes on in a series of its own, however often one is put back on a day", async () => {
  const target = join(scratch, "again.db");
  const letters: string[] = [];
  for (let time = 0; time < 4; time++) {
    letters.push((await restoreBackup(theCopy, target, NOW, scratch)).seriesLetter);
  }
  expect(new Set(letters).size).toBe(4);
});

it("so do those of one copy on two machines of one day, and where the file was damaged since", async () => {
  const letters: string[] = [];
  for (const [machine, at] of [["one", NOW] as const, ["two", NOW + 9_000] as const]) {
    const target = join(scratch, machine, "bookings.db");
    const backups = join(scratch, machine, "backups");
    for (let time = 0; time < 2; time++) {
      letters.push((await restoreBackup(theCopy, target, at, backups)).seriesLetter);
      writeFileSync(target, "damaged");
    }
  }
  expect(new Set(letters).size).toBe(4);
});

it("a restore brings what stands only in a log beside the copy, and leaves the copy as it lies", async () => {
  const folder = join(scratch, "with-log");
  const source = join(folder, "bookings.db");
  const target = join(scratch, "of-a-log.db");
  cpSync(theCopy, source);
  const app = openDb(source);
  app.driver.pragma("wal_autocheckpoint = 0");
  writeSetting(app, "booked", "just before");
  // As a machine that was lost leaves it.
  cpSync(folder, `${folder}-lost`, { recursive: true, filter: (path) => !path.endsWith("-shm") });
  app.close();
  const stands = readdirSync(`${folder}-lost`);
  await restoreBackup(join(`${folder}-lost`, "bookings.db"), target, NOW, scratch);
  const db = openDb(target);
  expect(readSetting(db, "booked")).toBe("just before");
  db.close();
  expect(readdirSync(`${folder}-lost`)).toEqual(stands);
});

it("the time of a copy is the newest instant in it under another name, and never after now", async () => {
  expect((await restoredAs("copy.db")).takenAt).toBe(MADE_AT - 3 * HOUR);
  till.clock.now = NOW + DAY;
  till.book();
  const { path } = await makeBackup(till.deps.db, { folder: scratch, keep: 9, now: NOW + DAY });
  theCopy = join(scratch, "of-a-clock-ahead.db");
  renameSync(path, theCopy);
  expect((await restoredAs("of-a-clock-ahead.db")).takenAt).toBe(NOW);
});

it("the time of a copy is what the caller knows of one that came from the store", async () => {
  expect((await restoredAs("fetched.db", MADE_AT + HOUR)).takenAt).toBe(MADE_AT + HOUR);
});

it("a copy is put back where there is no folder for it yet, as after a fresh clone", async () => {
  const target = join(scratch, "fresh", "data", "bookings.db");
  await restoreBackup(theCopy, target, NOW, scratch);
  expect(readdirSync(dirname(target))).toEqual(["bookings.db"]);
});
