/** Another process holds the database for longer than the app waits. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { book } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

/** Several waits of the app for the file, one after another. */
const PATIENCE_MS = 60_000;

// Each of its own writes would hold everybody up too.
const app = sharedApp({ separateProcess: true, env: { WORKER_INTERVAL_MS: "600000" } });
let holder: OpenDb;
beforeAll(() => {
  holder = openDb(app.env.DATABASE_PATH!);
});
afterAll(() => holder.close());

it(
  "answers 503 to what must be written, serves what is read, and goes on after",
  async () => {
    const { id, body } = await book(app, { date: dayAhead(10) });
    const { data: order } = await app.api("/api/payments/create-order", {
      json: { appointmentId: id },
    });
    const unpaid = await book(app, { date: dayAhead(12) });
    holder.driver.exec("BEGIN EXCLUSIVE");
    const proof = app.sandbox.pay(order.orderId, { webhooks: false });
    const { razorpay_order_id, razorpay_payment_id, razorpay_signature } = proof;
    const form = { razorpay_order_id, razorpay_payment_id, razorpay_signature };
    const post = (path: string, fields: Record<string, string>) =>
      app.api(path, {
        form: fields,
        headers: { Accept: "text/html" },
      });
    const [booked, verified, returned, opened, slots] = await Promise.all([
      app.api("/api/appointments", { json: bookingBody({ date: dayAhead(11) }) }),
      app.api("/api/payments/verify", { json: { ...form, appointmentId: id } }),
      post(`/payments/callback?booking=${id}`, form),
      post(`/booking/${unpaid.id}/pay`, {}),
      app.api(`/api/slots?counselor=${encodeURIComponent(body.counselor)}&date=${body.date}`),
    ]);
    for (const answer of [booked, verified]) {
      expect([answer.httpStatus, answer.code]).toEqual([503, "unavailable"]);
      expect(answer.headers.get("retry-after")).toBeTruthy();
    }
    // Nobody who has paid reads that it failed, nor asked to pay again.
    expect(returned.led).toEqual([303, `/booking/${id}?payment=checking`]);
    expect([opened.httpStatus, opened.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(slots.httpStatus).toBe(200);
    holder.driver.exec("ROLLBACK");

    const again = await app.api("/api/payments/verify", { json: { ...form, appointmentId: id } });
    expect(again.data.status).toBe("confirmed");
    const next = await app.api("/api/appointments", { json: bookingBody({ date: dayAhead(11) }) });
    expect(next.httpStatus).toBe(201);
    expect(app.db.allRaw("SELECT status FROM appointment ORDER BY seq")).toEqual([
      { status: "confirmed" },
      { status: "pending_payment" },
      { status: "pending_payment" },
    ]);
    await eventually(() => expect(app.sandbox.mailbox.list({ to: body.email })).toHaveLength(1));
  },
  PATIENCE_MS,
);
