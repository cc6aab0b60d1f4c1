/** Quick find, likely bookings and the log's search over a file as large as it may become. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { find } from "#app/routes/admin/find/find-view.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { listActivity, logActivity } from "#db/queries/activity.server.ts";
import { listLikelyBookings } from "#db/queries/likely-bookings.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { medianMs, slowness } from "#tests/support/slowness.ts";

const COUNT = 100_000;
/** Milliseconds of server time at the median, on a machine as fast as ours. */
const FIND_LIMIT = 20;
const LOG_LIMIT = 50;

let test: TestDeps;
let factor: number;
beforeAll(async () => {
  test = await makeDeps();
  const { db } = test.deps;
  insertManyAppointments(db, COUNT);
  inTransaction(db, (tx) => {
    for (let i = 0; i < COUNT; i++) {
      const target = `${String(i).padStart(6, "0")}abcdefghijkmnpqrstuv`;
      const after = { date: "2026-11-13", timeSlot: i % 2 ? "10:00" : "11:00" };
      const change = { before: { ...after, date: "2026-11-12" }, after };
      if (i % 3) logActivity(tx, { at: i, actor: "admin", action: "login" });
      else logActivity(tx, { at: i, actor: "meera", action: "reschedule", target, ...change });
    }
  });
  factor = slowness(db);
}, 120_000);
afterAll(() => test.close());

const measure = (name: string, limit: number, work: () => unknown) => {
  const ms = medianMs(work);
  console.log(`${name}: ${ms.toFixed(1)} ms`);
  expect(ms).toBeLessThan(limit * factor);
};

it.each([
  ["a name", "priya nair"],
  ["one of ten", "sharma"],
  ["an address of most", "mail.example"],
  ["a phone number", "98765 43"],
  ["two letters", "an"],
  ["six letters that are no ID", "kabirx"],
  ["a document", "AC/26-27/00001"],
  ["a payment", "pay_ABCDEFGHIJKLMN"],
])("finds %s", (name, q) => measure(name, FIND_LIMIT, () => find(test.deps, q)));

it("finds an id by its end", () => {
  const { id } = test.deps.db.firstRaw<{ id: string }>("SELECT id FROM appointment WHERE seq = 5")!;
  for (const q of [id, id.slice(-6), `#${id.slice(-8)}`]) {
    expect(find(test.deps, q).only).toContain(id);
    measure(q.length.toString(), FIND_LIMIT, () => find(test.deps, q));
  }
});

it("offers the likely bookings of a payment", () => {
  const { db } = test.deps;
  const wanted = { email: "priya.nair4@mail.example", phone: "+919800031676", at: 50_000_000 };
  const list = () =>
    listLikelyBookings(db, { ...wanted, amountPaise: 117_900 }, { now: -1, limit: 20 });
  expect(list()).toHaveLength(20);
  measure("likely", FIND_LIMIT * 5, list);
});

it.each([
  ["all", undefined],
  ["words", "session moved"],
  ["a date", "13 Nov 2026"],
  ["a person", "meera"],
  ["an ID", "#qrstuv"],
  ["two letters", "me"],
  ["nobody", "zzzzz"],
])("seeks the log for %s", (name, q) =>
  measure(name, LOG_LIMIT, () => listActivity(test.deps.db, { q, page: 1, pageSize: 50 })),
);
