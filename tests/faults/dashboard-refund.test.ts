/** Refunds made in the provider's dashboard, of which the app hears late or never. */
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { type AdminApi, adminOf, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

let app: TestApp;
let admin: AdminApi;
beforeAll(async () => {
  app = await startTestApp({ env: { RECONCILE_AFTER_SECONDS: "1" } });
  admin = await adminOf(app);
});
afterAll(() => app.stop());
beforeEach(() => app.sandbox.switches.clear());

let day = 9;
async function paid() {
  day += 1;
  const booked = await bookAndPay(app, { date: dayAhead(day) });
  return { ...booked, payment: app.sandbox.ledger.requirePayment(booked.paymentId) };
}

const cancel = (id: string) => admin(`/appointments/${id}/cancel`, { method: "POST" });
const notesOf = (id: string) =>
  app.db
    .allRaw<{ total_paise: number }>(
      `SELECT total_paise FROM document WHERE appointment_id = ? AND kind = 'credit_note' ORDER BY serial`,
      [id],
    )
    .map(({ total_paise }) => total_paise);

it("gives back what is left when a part went back untold", async () => {
  const { id, payment } = await paid();
  app.sandbox.switches.set({ name: "webhook_off" });
  app.sandbox.desk.create(payment, { amount: 20_000 });
  await cancel(id);
  await eventually(() => expect(payment.refund_status).toBe("full"));
  await eventually(() => expect(notesOf(id).toSorted()).toEqual([20_000, 97_900]));
});

it("comes to rest when everything went back untold, with one credit note", async () => {
  const { id, payment } = await paid();
  app.sandbox.switches.set({ name: "webhook_off" });
  app.sandbox.desk.create(payment, {});
  await cancel(id);
  await eventually(async () => {
    const { data } = await admin(`/appointments/${id}`);
    expect(data.payments).toMatchObject([{ refund: { status: "processed", amount: 1179 } }]);
  });
  expect(notesOf(id)).toEqual([117_900]);
});

it("gives everything back when the dashboard's refund failed in the end", async () => {
  const { id, payment } = await paid();
  app.sandbox.switches.set({ name: "refund_stays_pending", count: 1 });
  const refund = app.sandbox.desk.create(payment, {});
  const known = (state: string) => () =>
    expect(
      app.db.allRaw("SELECT state FROM refund WHERE provider_refund_id = ?", [refund.id]),
    ).toEqual([{ state }]);
  await eventually(known("pending"));
  app.sandbox.desk.fail(refund);
  await eventually(known("failed"));
  const cancelled = await cancel(id);
  expect(cancelled.data.refund).toMatchObject({ amount: 1179 });
  await eventually(() => expect(payment.refund_status).toBe("full"));
});

it("takes late news of a failed try for what it is once the refund is tried again", async () => {
  const { id, payment, paymentId } = await paid();
  app.sandbox.switches.set({ name: "refund_stays_pending", count: 1 });
  await cancel(id);
  const made = () =>
    [...app.sandbox.ledger.refunds.values()].find((refund) => refund.payment_id === paymentId);
  await eventually(() => expect(made()?.status).toBe("pending"));
  const first = made()!;
  app.sandbox.desk.fail(first);
  const status = async () => (await admin(`/appointments/${id}`)).data.payments[0].refund.status;
  await eventually(async () => expect(await status()).toBe("failed"));
  await admin(`/refunds/${paymentId}/retry`, { method: "POST" });
  await eventually(async () => expect(await status()).toBe("processed"));
  for (const event of app.sandbox.events.sent.filter(({ body }) => body.includes(first.id))) {
    await app.sandbox.events.resend(event.id, true);
  }
  await eventually(() =>
    expect(app.db.allRaw("SELECT 1 FROM provider_event WHERE state = 'new'")).toEqual([]),
  );
  expect(await status()).toBe("processed");
  expect(payment.refund_status).toBe("full");
  expect(notesOf(id)).toEqual([117_900]);
});
