import { afterAll, beforeAll, expect, it } from "vitest";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { readInsights } from "#app/insights/read.server.ts";
import { insightsView } from "#app/routes/admin/insights/insights-view.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { heldMs, slowness } from "#tests/support/slowness.ts";

const COUNT = 100_000;
/** Milliseconds of server time at the median, on a machine as fast as ours: in all, and at a time. */
const LIMIT = 150;
const LIMIT_OF_SLICE = 50;
/** All of the appointments lie in it. */
const FIVE_YEARS = { from: "2025-01-01", to: "2029-12-31" };

let test: TestDeps;
let slower: number;
beforeAll(async () => {
  test = await makeDeps();
  insertManyAppointments(test.deps.db, COUNT);
  slower = slowness(test.deps.db);
}, 120_000);
afterAll(() => test.close());

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
    expect(all).toBeLessThan(LIMIT * slower);
    expect(most).toBeLessThan(LIMIT_OF_SLICE * slower);
  }
});

it("reads no row of the table", async () => {
  const { db } = test.deps;
  const seen: string[] = [];
  const { allRaw } = db;
  db.allRaw = ((sql: string, parameters?: readonly unknown[]) => {
    const plan = allRaw.call(db, `EXPLAIN QUERY PLAN ${sql}`, parameters) as { detail: string }[];
    seen.push(
      ...plan.map(({ detail }) => detail).filter((detail) => detail.includes("appointment")),
    );
    return allRaw.call(db, sql, parameters);
  }) as typeof allRaw;
  await readInsights(db, { from: "2026-01-01", to: "2026-02-28", counselor: null, all: [] });
  db.allRaw = allRaw;
  expect(new Set(seen)).toEqual(
    new Set([
      "SEARCH appointment USING COVERING INDEX appointment_for_list (on_date>? AND on_date<?)",
    ]),
  );
});
