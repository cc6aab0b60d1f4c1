/**
 * What one client or a few do all at once, and what a visitor from elsewhere waits meanwhile: the
 * page, its times and a booking, each within a second at the 99th percentile.
 */
import { beforeAll, beforeEach, expect, it } from "vitest";
import { openDb } from "#db/connection.server.ts";
import { callsAs } from "#tests/support/admin.ts";
import { captainOf } from "#tests/support/captain.ts";
import { crowd, HOSTILE_CALENDAR, residentMiB, type Shot, Visitor } from "#tests/support/crowd.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";

const COUNT = 100_000;
const MOST_WAIT_MS = 1_000;
const ADDRESS_HEADER = "x-client";

const app = sharedApp({
  separateProcess: true,
  env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: ADDRESS_HEADER, LOG_LEVEL: "error" },
});
let owner: string;
let captain: string;
let visitor: Visitor;
beforeAll(async () => {
  const db = openDb(app.env.DATABASE_PATH!);
  insertManyAppointments(db, COUNT);
  db.close();
  ({ token: owner } = await callsAs(app));
  ({ token: captain } = await captainOf(app));
  visitor = new Visitor(app, ADDRESS_HEADER);
}, 120_000);

beforeEach(async () => {
  await visitor.visit(false);
  visitor.begin();
});

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const from = (n: number) => ({ [ADDRESS_HEADER]: `203.0.113.${n}` });
const as = (token: string, n: number) => ({ Authorization: `Bearer ${token}`, ...from(n) });

/** Visits until the crowd is answered or has hung up; answers how often each status came. */
async function beside(shots: readonly Shot[], hangUpAfterMs = 6_000) {
  const attack = crowd(app, shots, hangUpAfterMs);
  await visitor.visitUntil(attack);
  const statuses = await attack;
  const rss = Math.round(residentMiB(app.server!.pid));
  console.log(expect.getState().currentTestName);
  console.log(JSON.stringify({ ...visitor.figures(), rss, statuses }));
  expect(visitor.wrong).toEqual([]);
  expect(visitor.figures().p99).toBeLessThan(MOST_WAIT_MS);
  return statuses;
}

it("five addresses ask 300 times each for captains that nobody knows", async () => {
  const shots = times(1_500, (i) => ({ path: `/?counselor=zz${i}`, headers: from(i % 5) }));
  await beside(shots);
});

it("one client asks 400 times: 304 are taken, the others refused at once", async () => {
  // Each takes long, so that all have come before many are answered.
  const shots = times(400, () => ({ path: "/api/admin/appointments", headers: as(owner, 20) }));
  const statuses = await beside(shots);
  expect(statuses[429]).toBeGreaterThan(0);
  expect(statuses[429]).toBeLessThanOrEqual(96);
});

it("an owner asks for insights of 500 days and 60 exports", async () => {
  const insights = "/api/admin/insights?from=2026-01-01&to=2027-05-15";
  const shots: Shot[] = [
    ...times(2, () => ({ path: insights, headers: as(owner, 40) })),
    ...times(60, (i) => ({
      path: `/api/admin/export?endDate=2026-03-${10 + (i % 20)}`,
      headers: as(owner, 40),
    })),
  ];
  await beside(shots);
});

it("a captain reads a calendar 200 times that takes the parser's whole time", async () => {
  app.sandbox.calendars.texts.set("roster", HOSTILE_CALENDAR);
  const url = app.sandbox.addresses.calendarUrl;
  const path = "/api/admin/counselors/asha/busy-calendar";
  const headers = as(captain, 50);
  await app.api(path, { method: "PUT", json: { url }, headers });
  const before = residentMiB(app.server!.pid);
  const shots = times(200, () => ({ method: "POST", path: `${path}/refresh`, headers }));
  await beside(shots, 4_000);
  expect(residentMiB(app.server!.pid) - before).toBeLessThan(120);
  // Nobody waits for them any more: another captain's is read at once.
  app.sandbox.calendars.texts.delete("roster");
  const startedAt = performance.now();
  const other = "/api/admin/counselors/rohan/busy-calendar";
  const read = await app.api(other, { method: "PUT", json: { url }, headers: as(owner, 51) });
  expect(read.data).toMatchObject({ error: null });
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
