import { beforeAll, expect, it } from "vitest";
import { readCalendar } from "#app/booking/dashboard.server.ts";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { readCalendarView } from "#app/routes/admin/calendar/calendar-view.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { medianMs, slowness } from "#tests/support/slowness.ts";

/** Milliseconds of server time at the median, on a machine as fast as ours. */
const LIMIT = 20;
const MONTH = { from: "2026-12-01", to: "2026-12-31" };

const test = sharedDeps();
let limit: number;
beforeAll(() => {
  const { db } = test.deps;
  test.clock.now = Date.parse("2026-11-20T00:00:00Z");
  insertManyAppointments(db, 20_000);
  // Half an hour apart, 500 of each captain from eight o'clock on, with a busy time beside each.
  db.driver.exec(`
    UPDATE appointment SET on_date = date(on_date, '+3 years') WHERE seq > 1000;
    UPDATE appointment SET status = 'confirmed', counselor_key = iif(seq % 2, 'asha', 'rohan'),
      on_date = date('2026-12-01', '+' || (seq / 2 % 31) || ' days'),
      time_slot = printf('%02d:%02d', 8 + seq / 124, 30 * (seq / 62 % 2))
    WHERE seq <= 1000;
    INSERT INTO session_time (appointment_id, counselor_key, starts_at, ends_at)
      SELECT id, counselor_key, at, at + 1800000 FROM
        (SELECT *, unixepoch(on_date || ' ' || time_slot) * 1000 - 19800000 AS at
         FROM appointment WHERE seq <= 1000);
    INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last)
      SELECT counselor_key, starts_at, ends_at, 0 FROM session_time;
  `);
  limit = LIMIT * slowness(db);
}, 120_000);

it("a month with 1,000 sessions is read within its limit, by as many queries as a day", () => {
  const { deps } = test;
  const { db } = deps;
  const read = (range: { from: string; to: string }) =>
    readCalendar(deps, { counselors: readCatalogue(db).counselors, ...range });
  const sessions = read(MONTH).flatMap(({ counselors }) =>
    counselors.flatMap((one) => one.sessions),
  );
  expect(sessions).toHaveLength(1_000);
  const ms = medianMs(() => JSON.stringify(read(MONTH)));
  console.log(`a month's calendar: ${ms.toFixed(1)} ms`);
  expect(ms).toBeLessThan(limit);

  const page = medianMs(() => readCalendarView(deps, `view=month&date=${MONTH.from}`));
  console.log(`the month's page: ${page.toFixed(1)} ms`);
  expect(page).toBeLessThan(limit);

  const { allRaw } = db;
  const countFor = (range: { from: string; to: string }) => {
    let count = 0;
    db.allRaw = ((...given: Parameters<typeof allRaw>) => {
      count += 1;
      return allRaw.apply(db, given);
    }) as typeof allRaw;
    read(range);
    db.allRaw = allRaw;
    return count;
  };
  expect(countFor(MONTH)).toBe(countFor({ from: MONTH.from, to: MONTH.from }));
});
