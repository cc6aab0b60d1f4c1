/** Money that comes when the time belongs to somebody else. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, book, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

const OWNER = "hello@captains.example";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    separateProcess: true,
    env: { PAYMENT_WINDOW_SECONDS: "1", HOLD_SECONDS: "1" },
  });
});
afterAll(() => app.stop());

it("goes back in full, both sides are told, and nothing is shown as confirmed", async () => {
  const date = dayAhead(12);
  const late = await book(app, { date });
  const { data: order } = await app.api("/api/payments/create-order", {
    json: { appointmentId: late.id },
  });
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  // Paid at once: the time is taken however long what follows lasts.
  const rival = await bookAndPay(app, { date });
  expect(rival.status).toBe("confirmed");

  const { razorpay_payment_id: paymentId } = app.sandbox.pay(order.orderId);
  const admin = await adminOf(app);
  await eventually(async () => {
    const { data } = await admin(`/appointments/${late.id}`);
    expect(data.appointment.status).toBe("cancelled");
    expect(data.payments).toMatchObject([
      { paymentId, amount: 1179, refund: { amount: 1179, status: "processed" } },
    ]);
    expect(data.invoice).toBeNull();
  });
  const refunds = [...app.sandbox.ledger.refunds.values()];
  expect(refunds.filter(({ payment_id }) => payment_id === paymentId)).toMatchObject([
    { amount: 117_900, status: "processed" },
  ]);

  for (const to of [late.body.email, OWNER]) {
    await eventually(() => {
      const told = app.sandbox.mailbox.list({ to }).find(({ subject }) => /refund/i.test(subject));
      expect(told?.text).toContain("₹1,179");
    });
  }
  for (const { subject } of app.sandbox.mailbox.list({ to: late.body.email })) {
    expect(subject).not.toMatch(/confirmed/i);
  }
  const page = await (await fetch(`${app.origin}/booking/${late.id}`)).text();
  expect(page).toContain("Cancelled");
  expect(page).not.toContain("Confirmed");
  expect((await app.api(`/api/invoice/${late.id}`)).httpStatus).toBe(404);
  const { data: kept } = await admin(`/appointments/${rival.id}`);
  expect(kept.appointment).toMatchObject({
    status: "confirmed",
    date,
    timeSlot: rival.body.timeSlot,
  });
  expect(kept.payments).toHaveLength(1);
  expect(kept.payments[0]).toMatchObject({ paymentId: rival.paymentId });
  expect(kept.payments[0].refund).toBeUndefined();
});
