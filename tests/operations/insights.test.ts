/** Each figure of insights beside a plain count over random histories, and beside the list. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { monthsOf } from "#app/insights/ranges.ts";
import { readInsights } from "#app/insights/read.server.ts";
import { addDays } from "#app/model/dates.ts";
import { sumsOf } from "#app/model/refund.ts";
import { readDashboard } from "#app/routes/admin/dashboard/dashboard-view.server.ts";
import { insightsView } from "#app/routes/admin/insights/insights-view.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { pastSessions, store } from "#tests/support/session-histories.ts";
import { storedRows } from "#tests/support/stored-rows.ts";

const { deps, db, add } = storedRows();
const FIRST = "2026-02-20";

/** A range of its days, shorter or longer, cutting months. */
const range = fc
  .tuple(fc.integer({ min: -40, max: 150 }), fc.integer({ min: 0, max: 120 }))
  .map(([start, length]) => ({ from: addDays(FIRST, start), to: addDays(FIRST, start + length) }));
const captain = fc.constantFrom(null, "asha", "rohan");

const empty = () =>
  db().driver.exec(
    "DELETE FROM dispute; DELETE FROM refund; DELETE FROM payment; DELETE FROM appointment",
  );

function askedOf(between: { from: string; to: string }, key: string | null) {
  const { counselors } = readCatalogue(db());
  const counselor = counselors.find((one) => one.key === key) ?? null;
  return { ...between, counselor, all: counselors };
}

type Rows = ReturnType<typeof store>;

function counted(rows: Rows) {
  const count = (is: (row: Rows[number]) => boolean) => rows.filter(is).length;
  const money = rows.map(({ payments }) =>
    sumsOf(
      payments,
      payments.flatMap(({ refunds }) => refunds),
    ),
  );
  return {
    booked: rows.length,
    paid: count(({ isPaid }) => isPaid),
    cancelled: count(({ status }) => status === "cancelled"),
    completed: count(({ attendance }) => attendance === "completed"),
    noShow: count(({ attendance }) => attendance === "no_show"),
    keptPaise: money.reduce((sum, { keptPaise }) => sum + keptPaise, 0),
    refundedPaise: money.reduce((sum, { backPaise }) => sum + backPaise, 0),
    takenBackPaise: money.reduce((sum, { takenPaise }) => sum + takenPaise, 0),
    kept: money.filter(({ keptPaise }) => keptPaise > 0).length,
    refunded: money.filter(({ backPaise }) => backPaise > 0).length,
    takenBack: money.filter(({ takenPaise }) => takenPaise > 0).length,
  };
}

it("each figure is that of a plain count", async () => {
  await fc.assert(
    fc.asyncProperty(pastSessions, range, captain, async (sessions, between, key) => {
      empty();
      const all = store(add, sessions, FIRST);
      const rows = all.filter(
        ({ date, counselorKey }) =>
          date >= between.from && date <= between.to && (key ?? counselorKey) === counselorKey,
      );
      const asked = askedOf(between, key);
      const insights = await readInsights(db(), asked);
      expect(insights.months.map(({ value }) => value)).toEqual(
        monthsOf(between).map(({ value }) => value),
      );
      for (const month of insights.months) {
        const ofMonth = counted(rows.filter(({ date }) => date.startsWith(month.value)));
        expect(month).toEqual({ ...ofMonth, value: month.value, from: month.from, to: month.to });
      }
      const captains = asked.counselor ? [asked.counselor] : asked.all;
      expect(insights.byCounselor).toEqual(
        captains.map((one) => ({
          counselor: one.name,
          ...counted(rows.filter(({ counselorKey }) => counselorKey === one.key)),
        })),
      );
      expect(insights.byPackage).toEqual(
        [30, 45, 60].map((minutes) => ({
          package: minutes,
          ...counted(rows.filter((row) => row.minutes === minutes)),
        })),
      );
      expect(insights.total).toEqual(counted(rows));
      const ahead = rows.filter(({ isPaid }) => isPaid).map(({ leadDays }) => leadDays);
      const days = [...new Set(ahead)].sort((one, other) => one - other);
      expect(insights.leadDays).toEqual(
        days.map((one) => ({ days: one, count: ahead.filter((lead) => lead === one).length })),
      );
    }),
    { numRuns: 150 },
  );
});

it("the list behind each number has it", async () => {
  await fc.assert(
    fc.asyncProperty(pastSessions, range, captain, async (sessions, between, key) => {
      empty();
      store(add, sessions, FIRST);
      const { months, figures } = await insightsView(
        db(),
        askedOf(between, key),
        addDays(FIRST, 30),
      );
      let links = 0;
      for (const { columns, rows } of [months, ...figures.map(({ table }) => table)]) {
        for (const { name, cells } of rows) {
          cells.forEach(({ words, to }, i) => {
            if (to === null) return;
            links += 1;
            const { stats, ignored } = readDashboard(deps(), new URL(to, "http://localhost"), {
              role: "owner",
            });
            // Turned round, the figure names the row.
            const figure = columns[0] === "Sessions of" ? name : columns[i + 1];
            const listed =
              figure === "Revenue kept"
                ? stats.revenue
                : figure === "Refunded"
                  ? stats.refunded
                  : stats.totalAppointments.toLocaleString("en-IN");
            expect([name, figure, words, ignored]).toEqual([name, figure, listed, []]);
          });
        }
      }
      expect(links).toBeGreaterThan(16);
    }),
    { numRuns: 4 },
  );
});

it("the list of refunds holds those of which money went back, and says how much", () => {
  const week = { startDate: "2026-12-01", endDate: "2026-12-07" };
  const pageOf = (refunded?: true) =>
    readAppointmentPage(db(), { ...week, refunded }, { page: 1, pageSize: 10 });
  add("appointment", "whole");
  add("payment", "pay_whole", { appointment_id: "whole", captured_at: 1 });
  add("appointment", "part");
  add("payment", "pay_part", { appointment_id: "part", captured_at: 1 });
  add("refund", "back", { payment_id: "pay_part", amount_paise: 17_900, way: "provider" });
  expect(pageOf(true)).toMatchObject({
    rows: [{ id: "part" }],
    stats: { totalAppointments: 1, totalRevenue: 1_000 },
    refunded: 179,
  });
  expect(pageOf()).toMatchObject({ stats: { totalAppointments: 2 }, refunded: null });
  // What a bank took back is no refund.
  add("dispute", "lost", { payment_id: "pay_whole", amount_paise: 5_000 });
  expect(pageOf(true)).toMatchObject({ stats: { totalAppointments: 1 }, refunded: 179 });
  expect(pageOf()).toMatchObject({ stats: { totalRevenue: 2129 } });
});
