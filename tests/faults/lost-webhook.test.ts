/** Nobody tells the app: no webhook comes, and the browser is gone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { book } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ env: { RECONCILE_AFTER_SECONDS: "1" } });
  app.sandbox.switches.set({ name: "webhook_off" });
});
afterAll(() => app.stop());

async function bookAndOrder(day: number) {
  const { id, body } = await book(app, { date: dayAhead(day) });
  const { data } = await app.api("/api/payments/create-order", { json: { appointmentId: id } });
  return { id, body, orderId: data.orderId as string };
}

it("is found by the reconciler, which confirms", async () => {
  const { id, body, orderId } = await bookAndOrder(10);
  app.sandbox.pay(orderId);
  await eventually(async () => {
    const answer = await app.api(`/api/invoice/${id}`);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
  });
  expect(await app.sandbox.mailbox.waitFor({ to: body.email })).toHaveLength(1);
});

it("is found too when the order is paid already: a second payment goes back", async () => {
  const { id, orderId } = await bookAndOrder(11);
  const first = app.sandbox.pay(orderId);
  const told = await app.api("/api/payments/verify", { json: { ...first, appointmentId: id } });
  expect(told.data.status).toBe("confirmed");
  const second = app.sandbox.pay(orderId, { force: true });
  await eventually(() => {
    const payment = app.sandbox.ledger.payments.get(second.razorpay_payment_id);
    expect(payment?.refund_status).toBe("full");
  });
  expect(app.sandbox.ledger.payments.get(first.razorpay_payment_id)?.refund_status).toBeNull();
});
