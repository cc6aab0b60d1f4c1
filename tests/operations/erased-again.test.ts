/** What a restored copy holds of those erased, and of those who were not. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { invite } from "#app/auth/team.server.ts";
import { deleteAppointment } from "#app/booking/edit-appointment.server.ts";
import { DAY } from "#app/model/dates.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { listActivityOf, logActivity } from "#db/queries/activity.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { scratchFolder, sharedDeps } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

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
