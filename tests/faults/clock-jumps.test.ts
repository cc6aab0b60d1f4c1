/** The machine's clock goes a day ahead, and comes back, while everything is under way. */
import { readdirSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import { madeAtOf } from "#app/jobs/copy-store.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { type AdminApi, adminOf, book, bookAndPay, makeOrder } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { offSiteEnv } from "#tests/support/off-site.ts";

const LONGEST_MS = 120_000;

let ahead = 0;
const app = sharedApp({
  now: () => Date.now() + ahead,
  env: (sandbox) => ({ ...offSiteEnv(sandbox), BACKUP_KEEP: "1", BACKUP_EVERY_HOURS: "1" }),
});
let admin: AdminApi;
beforeAll(async () => {
  admin = await adminOf(app);
});

const rows = <Row>(sql: string, values: unknown[] = []) => app.db.allRaw<Row>(sql, values);
const one = <Row>(sql: string, values: unknown[] = []) => rows<Row>(sql, values)[0]!;
const noted = (key: string) =>
  one<{ at: number }>("SELECT value ->> 'at' AS at FROM setting WHERE key = ?", [key]);
/** Of what is paid: nothing of it may change by a clock alone. */
const ledger = () =>
  ["payment", "document", "session_time WHERE held_until IS NULL"]
    .map((table) => JSON.stringify(rows(`SELECT * FROM ${table} ORDER BY 1`)))
    .concat(
      JSON.stringify(
        rows("SELECT id, status, starts_at FROM appointment WHERE status = 'confirmed'"),
      ),
    );
const copies = () => [...app.sandbox.s3.objects.keys()].filter((key) => key.includes("bookings-"));
/** Runs whatever waits for its interval, as any change by anybody does. */
const wakeAll = () =>
  admin(`/appointments/${paidId}`, { method: "PATCH", json: { staffNote: `${++notes}` } });
let notes = 0;
let paidId = "";

it(
  "a day ahead: unpaid holds end, and nothing that is paid, kept or copied goes",
  async () => {
    const paid = await bookAndPay(app, { date: dayAhead(20) });
    paidId = paid.id;
    const held = await book(app, { date: dayAhead(21) });
    await wakeAll();
    await eventually(() => expect(copies()).toHaveLength(1));
    const before = ledger();

    ahead = DAY;
    admin = await adminOf(app);
    await wakeAll();
    await eventually(() => {
      expect(noted("last_backup").at).toBeGreaterThan(Date.now() + HOUR);
      expect(noted("last_off_site").at).toBeGreaterThan(Date.now() + HOUR);
      expect(
        one<{ n: number }>("SELECT count(*) AS n FROM message WHERE kind = 'booking_unpaid'").n,
      ).toBeGreaterThan(0);
    });
    const { data } = await app.api(
      `/api/slots?counselor=${encodeURIComponent(held.body.counselor)}&date=${dayAhead(21)}`,
    );
    expect(data.availableSlots).toContain("10:00");
    expect(ledger()).toEqual(before);
    expect(copies()).toHaveLength(2);
  },
  LONGEST_MS,
);

it(
  "back again: nothing waits for the day to pass a second time, and nothing is done twice",
  async () => {
    // Under way while the clock is ahead: a mail, a refund, an event, an order, a hold.
    const { switches } = app.sandbox;
    switches.set({ name: "smtp_451" });
    const late = await bookAndPay(app, { date: dayAhead(22) });
    const gone = await bookAndPay(app, { date: dayAhead(23) });
    const open = await book(app, { date: dayAhead(24) });
    const held = await book(app, { date: dayAhead(25) });
    const { data: order } = await makeOrder(app, open.id);
    switches.set({ name: "api_json_error" });
    await admin(`/appointments/${gone.id}/cancel`, { method: "POST" });
    app.sandbox.pay(order.orderId, { outcome: "captured" });
    await app.sandbox.idle();
    await eventually(() => {
      expect(rows("SELECT 1 FROM refund WHERE attempts > 0")).toHaveLength(1);
      expect(rows("SELECT 1 FROM provider_event WHERE attempts > 0")).not.toEqual([]);
      expect(rows("SELECT 1 FROM message WHERE attempts > 0 AND state = 'retrying'")).not.toEqual(
        [],
      );
    });
    // As a process leaves them that is killed with both in hand.
    const leased = Date.now() + DAY + 6_000;
    app.db.runRaw("UPDATE refund SET lease_until = ?", [leased]);
    const madeAhead = copies();

    ahead = 0;
    switches.clear();
    admin = await adminOf(app);
    await wakeAll();
    await eventually(() => {
      const status = (id: string) =>
        one<{ status: string }>("SELECT status FROM appointment WHERE id = ?", [id]).status;
      expect([status(late.id), status(open.id)]).toEqual(["confirmed", "confirmed"]);
      expect(rows("SELECT state FROM refund")).toEqual([{ state: "processed" }]);
      expect(rows("SELECT 1 FROM provider_event WHERE state <> 'done'")).toEqual([]);
      expect(rows("SELECT kind, next_try_at FROM message WHERE next_try_at IS NOT NULL")).toEqual(
        [],
      );
    });
    for (const { body } of [late, open]) {
      const confirmed = app.sandbox.mailbox
        .list({ to: body.email })
        .filter(({ subject }) => /confirmed/i.test(subject));
      expect(confirmed).toHaveLength(1);
    }
    // The hold ends as one that is taken now would.
    await wakeAll();
    await eventually(() => {
      const { hold_until: until } = one<{ hold_until: number }>(
        "SELECT hold_until FROM appointment WHERE id = ?",
        [held.id],
      );
      expect(until).toBeLessThan(Date.now() + 31 * MINUTE);
      const times = rows<{ held_until: number }>(
        "SELECT held_until FROM session_time WHERE appointment_id = ?",
        [held.id],
      );
      expect(times).toEqual([{ held_until: until }]);
    });
    // Copies are made at once, the newest is the newest by name too, and one kept is one kept.
    await eventually(() => {
      for (const key of ["last_backup", "last_off_site"]) {
        expect(Math.abs(noted(key).at - Date.now())).toBeLessThan(HOUR);
      }
    });
    const made = copies().filter((key) => !madeAhead.includes(key));
    expect(made).toHaveLength(1);
    expect(copies().toSorted().at(-1)).toBe(made[0]);
    expect(madeAtOf(made[0]!.replace("here/", ""))).toBeGreaterThan(Date.now() + HOUR);
    const local = readdirSync(app.env.BACKUP_DIR!).filter((name) => name.endsWith(".db"));
    expect(local).toHaveLength(1);
    const { bytes } = one<{ bytes: number }>(
      "SELECT value ->> 'bytes' AS bytes FROM setting WHERE key = 'last_backup'",
    );
    expect(bytes).toBeGreaterThan(0);
  },
  LONGEST_MS,
);
