/** Another process holds the database for longer than the app waits. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { book, makeOrder } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

// Each write of the background would hold everybody up too.
const app = sharedApp({ separateProcess: true, env: { WORKER_INTERVAL_MS: "600000" } });
let holder: OpenDb;
beforeAll(() => {
  holder = openDb(app.env.DATABASE_PATH!);
});
afterAll(() => holder.close());

it("answers 503 to what must be written, serves what is read, and goes on after", async () => {
  const { id, body } = await book(app, { date: dayAhead(10) });
  const { data: order } = await makeOrder(app, id);
  holder.driver.exec("BEGIN EXCLUSIVE");
  const { payment: _, ...proof } = app.sandbox.pay(order.orderId, { webhooks: false });
  const bookAgain = () =>
    app.api("/api/appointments", { json: bookingBody({ date: dayAhead(11) }) });
  const verify = () => app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  const [booked, verified, slots] = await Promise.all([
    bookAgain(),
    verify(),
    app.api(`/api/slots?counselor=${encodeURIComponent(body.counselor)}&date=${body.date}`),
  ]);
  for (const answer of [booked, verified]) {
    expect([answer.status, answer.code]).toEqual([503, "unavailable"]);
    expect(answer.headers.get("retry-after")).toBeTruthy();
  }
  expect(slots.status).toBe(200);
  holder.driver.exec("ROLLBACK");

  expect((await verify()).data.status).toBe("confirmed");
  expect((await bookAgain()).status).toBe(201);
  expect(app.db.allRaw("SELECT status FROM appointment ORDER BY seq")).toEqual([
    { status: "confirmed" },
    { status: "pending_payment" },
  ]);
  await eventually(() => expect(app.sandbox.mailbox.list({ to: body.email })).toHaveLength(1));
});
