/** Old rows go by schedule: the clock is moved, the worker does the rest. */
import { describe, expect, it } from "vitest";
import { addDays, DAY, dateInIndia } from "#app/model/dates.ts";
import { makeOrder } from "#tests/support/admin.ts";
import { tablesWith } from "#tests/support/all-rows.ts";
import { allSent } from "#tests/support/all-sent.ts";
import { bookingBody } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

let clock = Date.now();
const app = sharedApp({ now: () => clock });

let day = 20;
async function book(name: string, email: string) {
  day += 1;
  const date = addDays(dateInIndia(clock), day);
  const json = bookingBody({ date, name, email, notes: `Asked by ${name}` });
  const { data } = await app.api("/api/appointments", {
    json,
    headers: { "Idempotency-Key": email },
  });
  return data.id as string;
}

const orderIdOf = async (id: string): Promise<string> => (await makeOrder(app, id)).data.orderId;

/** Whether it stands anywhere in the database. */
const isStored = (word: string) => tablesWith(app.db, word).length > 0;

const count = (table: string) =>
  app.db.firstRaw<{ n: number }>(`SELECT count(*) AS n FROM ${table}`)!.n;

describe("retention", () => {
  const unpaid = { name: "Zubin Unpaidwala", email: "zubin.unpaid@example.in" };
  const failed = { name: "Farah Failedwala", email: "farah.failed@example.in" };
  const cancelled = { name: "Chetan Cancelwala", email: "chetan.cancelled@example.in" };
  const paid = { name: "Priya Paidwala", email: "priya.paid@example.in" };
  const recent = { name: "Rhea Recentwala", email: "rhea.recent@example.in" };
  const ids: Record<string, string> = {};

  it("keeps everything while it is young", async () => {
    for (const [key, person] of Object.entries({ unpaid, failed, cancelled, paid })) {
      ids[key] = await book(person.name, person.email);
    }
    app.sandbox.pay(await orderIdOf(ids.failed!), { outcome: "failed", email: failed.email });
    const { payment: _, ...proof } = app.sandbox.pay(await orderIdOf(ids.paid!), {
      outcome: "captured",
      email: paid.email,
    });
    await app.api("/api/payments/verify", { json: { ...proof, appointmentId: ids.paid } });
    app.db.runRaw(
      `UPDATE appointment SET status = 'cancelled', cancel_reason = 'by_admin', hold_until = NULL WHERE id = ?`,
      [ids.cancelled],
    );
    app.db.runRaw(
      `INSERT INTO activity (at, actor, action, target, "before") VALUES (?, 'admin', 'edit', ?, ?)`,
      [clock, ids.unpaid, JSON.stringify({ email: unpaid.email })],
    );
    await app.sandbox.idle();
    await eventually(() => expect(count("provider_event")).toBeGreaterThan(1));
    await eventually(() => expect(count("provider_event WHERE state = 'new'")).toBe(0));
    await allSent(app);
    clock += 80 * DAY;
    ids.recent = await book(recent.name, recent.email);
    await app.restart();
    await eventually(() => expect(count("idempotency")).toBe(1));
    for (const { email } of [unpaid, failed, cancelled, paid]) expect(isStored(email)).toBe(true);
  });

  it("takes the person out of what was not paid for 90 days, everywhere", async () => {
    clock += 11 * DAY;
    await app.restart();
    await eventually(() => {
      for (const { name, email } of [unpaid, failed, cancelled]) {
        expect([name, email].filter(isStored)).toEqual([]);
      }
    });
    for (const { name, email } of [paid, recent]) {
      expect([name, email].filter(isStored)).toEqual([name, email]);
    }
    const found = app.db.allRaw<{ id: string }>(
      `SELECT id FROM appointment_search WHERE appointment_search MATCH '"wala"'`,
    );
    expect(found.map(({ id }) => id).sort()).toEqual([ids.paid, ids.recent].sort());
    expect((await app.api(`/booking/${ids.unpaid}`)).status).toBe(200);
    expect((await makeOrder(app, ids.unpaid!)).code).toBe("payment_window_over");
  });

  it("removes sessions, codes, events and logs when their time is over", async () => {
    const admin = app.db.firstRaw<{ id: string }>("SELECT id FROM admin")?.id ?? "a";
    app.db.runRaw(
      "INSERT OR IGNORE INTO admin (id, username, email, password_hash, created_at, updated_at) VALUES ('a', 'old', 'old@example.in', 'x', 0, 0)",
    );
    for (const [hash, at] of [
      ["over", clock - 1],
      ["live", clock + 400 * DAY],
    ] as const) {
      app.db.runRaw("INSERT INTO admin_session VALUES (?, ?, NULL, 0, 0, ?)", [hash, admin, at]);
      app.db.runRaw(
        "INSERT INTO one_time_code (email_key, requested_at, expires_at) VALUES (?, 0, ?)",
        [hash, at],
      );
    }
    const invoices = count("document");
    expect(count("message")).toBeGreaterThan(0);
    clock += 366 * DAY;
    await app.restart();
    await eventually(() => expect(count("provider_event")).toBe(0));
    await eventually(() => expect(count("activity")).toBe(0));
    await eventually(() => expect(count("message")).toBe(0));
    expect(app.db.allRaw("SELECT token_hash FROM admin_session")).toEqual([{ token_hash: "live" }]);
    expect(app.db.allRaw("SELECT email_key FROM one_time_code")).toEqual([{ email_key: "live" }]);
    expect(count("idempotency")).toBe(0);
    // What was paid, and what tax law wants, stays.
    expect(count("document")).toBe(invoices);
    expect(isStored(paid.email)).toBe(true);
    const payments = app.db.allRaw("SELECT outcome FROM payment WHERE outcome = 'applied'");
    expect(payments).toHaveLength(1);
  });
});
