/** Quick find, likely bookings, the log's search and insights over a file as large as it may become. */
import { beforeAll, expect, it } from "vitest";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { readInsights } from "#app/insights/read.server.ts";
import { DAY } from "#app/model/dates.ts";
import { find } from "#app/routes/admin/find/find-view.server.ts";
import { insightsView } from "#app/routes/admin/insights/insights-view.server.ts";
import { listActivity } from "#db/queries/activity.server.ts";
import { listToRate } from "#db/queries/ratings.server.ts";
import { listLikelyBookings } from "#db/queries/refunds.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { plansOf } from "#tests/support/plans.ts";
import { heldMs, medianMs, slowness } from "#tests/support/slowness.ts";

const COUNT = 100_000;
/** Milliseconds of server time at the median, on a machine as fast as ours. */
const FIND_LIMIT = 20;
/** A third or all of the lines are found. */
const LOG_LIMIT = 75;
/** Of what the background loop asks every ten seconds. */
const LOOP_LIMIT = 5;
/** Of insights: in all, and at a time. */
const LIMIT = 150;
const LIMIT_OF_SLICE = 50;
/** All of the appointments lie in it. */
const FIVE_YEARS = { from: "2025-01-01", to: "2029-12-31" };

const test = sharedDeps();
let factor: number;
beforeAll(() => {
  const { db } = test.deps;
  insertManyAppointments(db, COUNT);
  // By SQL alone, in the words of the lines that are written.
  const lines = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})`;
  const when = "'13 Nov 2026, 10:30 AM IST '";
  const moved = "'Session moved from 12 Nov 2026, 10:00 AM to 13 Nov 2026, 10:00 AM IST'";
  const words = `iif(i % 3, 'Signed in', ${moved})`;
  const id = "printf('%06d', i) || 'abcdefghijkmnpqrstuv'";
  const line = `${when} || ' meera ' || ${words} || ' #qrstuv ' || ${id}`;
  db.runRaw(`INSERT INTO activity (id, at, actor, action, target, words, about, line) ${lines}
    SELECT i, i, 'meera', iif(i % 3, 'login', 'reschedule'), ${id}, ${words}, '#qrstuv', ${line} FROM n`);
  factor = slowness(db);
}, 120_000);

const measure = (name: string, limit: number, work: () => unknown) => {
  const ms = medianMs(work);
  console.log(`${name}: ${ms.toFixed(1)} ms`);
  expect(ms).toBeLessThan(limit * factor);
};

const ALL = { documents: true, unmatched: true };

it("finds whom to ask for a rating", () => {
  const until = test.deps.now();
  measure("ratings due", LOOP_LIMIT, () =>
    listToRate(test.deps.db, { since: until - 7 * DAY, until }, 20),
  );
});

it.each([
  ["a name", "priya nair"],
  ["one of ten", "sharma"],
  ["an address of most", "mail.example"],
  ["a phone number", "98765 43"],
  ["two letters", "an"],
  ["six letters that are no ID", "kabirx"],
  ["a document", "AC/26-27/00001"],
  ["a payment", "pay_ABCDEFGHIJKLMN"],
])("finds %s", (name, q) => measure(name, FIND_LIMIT, () => find(test.deps, q, ALL)));

it("finds an id by its end", () => {
  // With an end that no other has, and that is no part of a phone number.
  const id = "k3m9abcdefghijkmnpqrstuvwx";
  test.deps.db.runRaw("UPDATE appointment SET id = ? WHERE seq = 5", [id]);
  for (const q of [id, id.slice(-6), `#${id.slice(-8)}`]) {
    expect(find(test.deps, q, ALL).only).toContain(id);
    measure(q.length.toString(), FIND_LIMIT, () => find(test.deps, q, ALL));
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

it(`five years with ${COUNT} appointments, as the call and the page read them`, async () => {
  const { db } = test.deps;
  const asked = { ...FIVE_YEARS, counselor: null, all: readCatalogue(db).counselors };
  expect((await readInsights(db, asked)).total.booked).toBe(COUNT);
  // The first time compiles.
  await insightsView(db, asked, "2027-06-15");
  const call = await heldMs(() => readInsights(db, asked));
  const page = await heldMs(() => insightsView(db, asked, "2027-06-15"));
  console.log(`insights: call ${JSON.stringify(call)}, page ${JSON.stringify(page)}`);
  for (const { all, most } of [call, page]) {
    expect(all).toBeLessThan(LIMIT * factor);
    expect(most).toBeLessThan(LIMIT_OF_SLICE * factor);
  }
});

it("reads no row of the table", async () => {
  const { db } = test.deps;
  const asked = { from: "2026-01-01", to: "2026-02-28", counselor: null, all: [] };
  const plan = await plansOf(db, () => readInsights(db, asked));
  const steps = plan.split("\n").filter((step) => step.includes("appointment"));
  expect(new Set(steps)).toEqual(
    new Set([
      "SEARCH appointment USING COVERING INDEX appointment_for_list (on_date>? AND on_date<?)",
    ]),
  );
});
