/** What the customers' migration makes of a file from before it. */
import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { migrate, type OpenDb } from "#db/connection.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { isOptedOut } from "#db/queries/opt-outs.server.ts";
import { fileBefore } from "#tests/support/file-before.ts";

const NAME = "20261124T0200_customers";

const book = (db: OpenDb, id: string, email: string, status: string, startsAt: number) =>
  db.runRaw(
    `INSERT INTO appointment (id, name, email, phone, counselor_key, counselor_name, on_date,
       time_slot, minutes, starts_at, ends_at, base_paise, gst_paise, total_paise, status,
       calendar_uid, notice_version, notice_at, created_at, updated_at)
     VALUES (?, 'A', ?, '+91', 'asha', 'A captain', '2026-12-01', '09:00', 30,
       ?, ?, 99900, 18000, 117900, ?, ?, 'x', 0, 0, 0)`,
    [id, email, startsAt, startsAt + 1_800_000, status, id],
  );

it("counts customers, hashes who wants no messages, and the log is found as before", async () => {
  const db = await fileBefore(NAME);
  book(db, "one", "A@b.in", "confirmed", 5);
  book(db, "two", "a@B.in", "cancelled", 7);
  book(db, "erased", "", "pending_payment", 9);
  db.runRaw("INSERT INTO opt_out (phone, at) VALUES ('+919845012345', 3)");
  const line =
    "INSERT INTO activity (at, actor, action, target, words) VALUES (0, 'asha', 'edit', ?, ?)";
  db.runRaw(line, ["one", "Contact corrected: name from “Mira” to “Meera”"]);
  await migrate(db);
  expect(db.allRaw("SELECT email, sessions, paid, last_starts_at FROM customer")).toEqual([
    { email: "a@b.in", sessions: 2, paid: 1, last_starts_at: 7 },
  ]);
  expect(isOptedOut(db, "+919845012345")).toBe(true);
  expect(isOptedOut(db, "+919845012346")).toBe(false);
  expect(JSON.stringify(db.allRaw("SELECT * FROM opt_out"))).not.toContain("98450");
  for (const q of ["mira", "asha", "1970", "edit"]) {
    expect([q, listActivity(db, { q, page: 1, pageSize: 9 }).total]).toEqual([q, 1]);
  }
  db.close();
});

it("keeps a key that is there, and makes one of 32 random bytes where there is none", async () => {
  const keyOf = (db: OpenDb) =>
    db.firstRaw<{ value: string }>("SELECT value FROM setting WHERE key = 'contact_key'")!.value;
  const [given, fresh] = [await fileBefore(NAME), await fileBefore(NAME)];
  const key = "ab".repeat(32);
  given.runRaw("INSERT INTO setting (key, value) VALUES ('contact_key', ?)", [key]);
  given.runRaw("INSERT INTO opt_out (phone, at) VALUES ('+91', 3)");
  for (const db of [given, fresh]) await migrate(db);
  expect(keyOf(given)).toBe(key);
  const hash = createHmac("sha256", Buffer.from(key, "hex")).update("+91").digest("base64url");
  expect(given.allRaw("SELECT * FROM opt_out")).toEqual([{ phone_hash: hash, at: 3 }]);
  expect(keyOf(fresh)).toMatch(/^[0-9a-f]{64}$/);
  expect(keyOf(fresh)).not.toBe(key);
});
