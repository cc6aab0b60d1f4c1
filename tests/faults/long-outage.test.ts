/** The payment provider does not answer for six hours, while people book, pay and cancel. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { HOUR, MINUTE } from "#app/model/duration.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf, book, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead, wish } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

const LONGEST_MS = 180_000;
const OWNER = "hello@captains.example";

let ahead = 0;
let app: TestApp;
let admin: AdminApi;
beforeAll(async () => {
  app = await startTestApp({ now: () => Date.now() + ahead });
  admin = await adminOf(app);
});
afterAll(() => app.stop());

const rows = <Row>(sql: string) => app.db.allRaw<Row>(sql);
const states = () =>
  new Map(
    rows<{ id: string; status: string }>("SELECT id, status FROM appointment").map((row) => [
      row.id,
      row.status,
    ]),
  );

/** Lets the time pass in steps, in each of which the worker runs. */
async function passes(total: number, step: number): Promise<void> {
  for (let gone = 0; gone < total; gone += step) {
    ahead += step;
    const { length } = app.sandbox.requests;
    await book(app, { date: dayAhead(40 + (steps++ % 40)), timeSlot: "16:00" });
    await Promise.race([
      eventually(() => expect(app.sandbox.requests.length).toBeGreaterThan(length), 400),
      new Promise((done) => setTimeout(done, 400)),
    ]).catch(() => undefined);
  }
}
let steps = 0;

async function ordered(day: number) {
  const { id, body } = await book(app, { date: dayAhead(day) });
  const { data } = await app.api("/api/payments/create-order", { json: { appointmentId: id } });
  return { id, body, orderId: data.orderId as string };
}

it(
  "what was paid is booked or goes back in the end, once; staff and customers hear of it, once",
  async () => {
    const told = await ordered(20);
    const silent = await ordered(21);
    const beaten = await ordered(22);
    const cancelled = await bookAndPay(app, { date: dayAhead(23) });
    await app.sandbox.idle();

    const { switches } = app.sandbox;
    switches.set({ name: "api_json_error", value: 503 });
    switches.set({ name: "webhook_off" });
    const proof = app.sandbox.pay(told.orderId, { outcome: "captured" });
    const claim = { json: { ...proof, appointmentId: told.id } };
    const verified = await app.api("/api/payments/verify", claim);
    expect([verified.httpStatus, verified.data.payment]).toEqual([200, "checking"]);
    app.sandbox.pay(silent.orderId, { outcome: "captured" });
    app.sandbox.pay(beaten.orderId, { outcome: "captured" });
    expect(
      (await admin(`/appointments/${cancelled.id}/cancel`, { method: "POST" })).httpStatus,
    ).toBe(200);
    const waiting = await book(app, { date: dayAhead(24) });
    const order = { json: { appointmentId: waiting.id } };
    const refused = await app.api("/api/payments/create-order", order);
    expect([refused.httpStatus, refused.code]).toEqual([502, "provider_unavailable"]);

    await passes(HOUR, 5 * MINUTE);
    // The holds are over. Somebody else takes a time and pays at the desk.
    const offline = { ...wish({ date: dayAhead(22) }), payment: { by: "offline", method: "cash" } };
    expect((await admin("/appointments", { json: offline })).httpStatus).toBe(201);
    await passes(5 * HOUR, 15 * MINUTE);
    expect([told.id, silent.id].map((id) => states().get(id))).toEqual([
      ...["pending_payment", "pending_payment"],
    ]);
    await eventually(() => {
      const asked = app.sandbox.mailbox.list({ to: OWNER }).map(({ subject }) => subject);
      expect(asked.filter((subject) => /refund needs/i.test(subject))).toHaveLength(1);
    });
    expect(app.sandbox.ledger.refunds.size).toBe(0);

    switches.clear();
    await passes(90 * MINUTE, 5 * MINUTE);
    await eventually(() => {
      expect([told.id, silent.id].map((id) => states().get(id))).toEqual([
        "confirmed",
        "confirmed",
      ]);
      expect([beaten.id, cancelled.id].map((id) => states().get(id))).toEqual([
        ...["cancelled", "cancelled"],
      ]);
      expect(rows("SELECT 1 FROM refund WHERE state <> 'processed'")).toEqual([]);
      expect(rows("SELECT 1 FROM message WHERE next_try_at IS NOT NULL")).toEqual([]);
    });
    // Who could not pay then books anew: nobody holds a time for six hours.
    expect((await app.api("/api/payments/create-order", order)).code).toBe("payment_window_over");
    const anew = await bookAndPay(app, { date: dayAhead(24) });
    expect(anew.status).toBe("confirmed");

    const refunds = [...app.sandbox.ledger.refunds.values()];
    const beatenPayment = [...app.sandbox.ledger.payments.values()].find(
      ({ order_id }) => order_id === beaten.orderId,
    );
    expect(refunds.map(({ payment_id }) => payment_id).sort()).toEqual(
      [cancelled.paymentId, beatenPayment!.id].sort(),
    );
    expect(refunds.every(({ amount }) => amount === 117_900)).toBe(true);
    const invoices = "SELECT appointment_id FROM document WHERE kind = 'invoice' GROUP BY 1";
    expect(rows(`${invoices} HAVING count(*) > 1`)).toEqual([]);
    expect(
      rows("SELECT 1 FROM session_time GROUP BY counselor_key, starts_at HAVING count(*) > 1"),
    ).toEqual([]);
    const subjects = (to: string, pattern: RegExp) =>
      app.sandbox.mailbox.list({ to }).filter(({ subject }) => pattern.test(subject)).length;
    await eventually(() => {
      for (const { body } of [told, silent, anew]) {
        expect(subjects(body.email, /confirmed/i)).toBe(1);
      }
      for (const { body } of [beaten, cancelled]) {
        expect(subjects(body.email, /refund/i)).toBe(1);
      }
    });
    expect(subjects(beaten.body.email, /confirmed/i)).toBe(0);
  },
  LONGEST_MS,
);
