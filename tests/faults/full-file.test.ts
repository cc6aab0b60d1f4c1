/** The file may grow no further: where the disk cannot be made small, `max_page_count` can. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf, book, bookAndPay, pay } from "#tests/support/admin.ts";
import { allRows } from "#tests/support/all-rows.ts";
import { dayAhead, wish } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

const LONGEST_MS = 120_000;
/** SQLite's own. */
const NO_LIMIT = 4_294_967_294;

let app: TestApp;
let admin: AdminApi;
beforeAll(async () => {
  app = await startTestApp({ env: { HOLDS_PER_ADDRESS: "500" } });
  admin = await adminOf(app);
});
afterAll(() => app.stop());

const pragma = (text: string) => app.own!.driver.pragma(text, { simple: true }) as number;

let day = 20;
const nextDay = () => dayAhead(20 + (++day % 60));
const times = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
const nextTime = () => ({ date: nextDay(), timeSlot: times[Math.floor(day / 60) % times.length]! });

it(
  "refuses what no longer fits whole, and goes on with more room",
  async () => {
    const paid = await bookAndPay(app, { date: dayAhead(10) });
    const held = await book(app, { date: dayAhead(11) });
    const { data: order } = await app.api("/api/payments/create-order", {
      json: { appointmentId: held.id },
    });
    await eventually(() =>
      expect(app.db.allRaw("SELECT 1 FROM message WHERE next_try_at IS NOT NULL")).toEqual([]),
    );
    pragma(`max_page_count = ${pragma("page_count")}`);
    const acts: Record<string, () => ReturnType<AdminApi>> = {
      booking: () => app.api("/api/appointments", { json: wish(nextTime()) }),
      move: () => {
        const { date, timeSlot: newTimeSlot } = nextTime();
        return admin(`/appointments/${paid.id}/reschedule`, {
          method: "PUT",
          json: { date, newTimeSlot },
        });
      },
      note: () =>
        admin(`/appointments/${paid.id}`, {
          method: "PATCH",
          json: { staffNote: `${++day} ${"x".repeat(1_900)}` },
        }),
    };
    for (const [what, act] of Object.entries(acts)) {
      for (let n = 0; ; n++) {
        const before = allRows(app.db);
        const { httpStatus, code } = await act();
        if (httpStatus < 300) {
          if (n === 300) throw new Error(`there is always room for a ${what}`);
          continue;
        }
        expect([what, httpStatus, code]).toEqual([what, 503, "unavailable"]);
        expect(bookings(allRows(app.db))).toEqual(bookings(before));
        break;
      }
    }
    // Money that comes meanwhile waits at the provider, and is applied once.
    app.sandbox.pay(order.orderId, { outcome: "captured" });
    await app.sandbox.idle();
    expect((await fetch(app.origin)).status).toBe(200);
    expect((await admin(`/appointments/${paid.id}`)).httpStatus).toBe(200);

    pragma(`max_page_count = ${NO_LIMIT}`);
    const { status } = await pay(app, (await book(app, { date: dayAhead(12) })).id);
    expect(status).toBe("confirmed");
    await eventually(() => {
      const rows = app.db.allRaw<{ status: string; payments: number }>(
        `SELECT status, (SELECT count(*) FROM payment p WHERE p.appointment_id = a.id) AS payments
         FROM appointment a WHERE id = ?`,
        [held.id],
      );
      expect(rows).toEqual([{ status: "confirmed", payments: 1 }]);
      const waiting = "SELECT 1 FROM message WHERE next_try_at IS NOT NULL";
      expect(app.db.allRaw(waiting)).toEqual([]);
    });
    expect(app.db.allRaw("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
    const once = app.db.allRaw(
      "SELECT cause, recipient, channel FROM message GROUP BY 1, 2, 3 HAVING count(*) > 1",
    );
    expect(once).toEqual([]);
  },
  LONGEST_MS,
);

/** The worker may mark what it sent meanwhile; nobody's booking, money or papers may change. */
function bookings(rows: string): string[] {
  const kept = /^(appointment|session_time|payment|refund|document|activity|idempotency)$/;
  const lines = rows.split("\n");
  return lines.filter((_, i) => kept.test(lines[i - 1] ?? ""));
}
