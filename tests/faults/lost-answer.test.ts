/** The provider does what it is asked, and the app does not live to hear it, or is not told. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { adminOf, book, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ separateProcess: true });
});
afterAll(() => app.stop());
beforeEach(() => app.sandbox.switches.clear());

let day = 9;
const nextDay = () => {
  day += 1;
  return { date: dayAhead(day) };
};

/** Resolves when the provider has received the call. */
function calls(pattern: RegExp): Promise<void> {
  const count = () =>
    app.sandbox.requests.filter(({ method, path }) => pattern.test(`${method} ${path}`)).length;
  const before = count();
  return eventually(() => expect(count()).toBeGreaterThan(before));
}

const kill = async () => {
  await app.server?.kill();
};

describe("of an order", () => {
  const order = (appointmentId: string) =>
    app.api("/api/payments/create-order", { json: { appointmentId } });
  const ordersOf = (id: string) =>
    [...app.sandbox.ledger.orders.values()].filter(
      ({ notes }) => "booking" in notes && notes.booking === id,
    );

  it.each(["reset", "500", 1])("makes one order: answer lost by %s", async (value) => {
    const { id } = await book(app, nextDay());
    app.sandbox.switches.set({ name: "order_answer_lost", value, count: 1 });
    const first = await order(id);
    const again = await order(id);
    expect([first.httpStatus, again.httpStatus]).toEqual([200, 200]);
    expect(ordersOf(id).map((made) => made.id)).toEqual([again.data.orderId]);
  });

  it("makes one order: killed before the answer", async () => {
    const { id } = await book(app, nextDay());
    app.sandbox.switches.set({ name: "order_answer_lost", value: 5, count: 1 });
    const called = calls(/^POST \/v1\/orders$/);
    const first = order(id).catch(() => null);
    await called;
    await kill();
    expect(await first).toBeNull();
    await app.restart();
    const again = await order(id);
    expect(again.httpStatus).toBe(200);
    expect(ordersOf(id).map((made) => made.id)).toEqual([again.data.orderId]);
  });
});

describe("of a refund", () => {
  const refundsOf = (paymentId: string) =>
    [...app.sandbox.ledger.refunds.values()].filter((made) => made.payment_id === paymentId);

  it.each([
    ["while the provider works", { name: "refund_slow", value: 3_000, count: 1 }],
    ["after the provider's work", { name: "refund_answer_lost", value: 5, count: 1 }],
  ] as const)("makes one refund: killed %s", async (_, fault) => {
    const admin = await adminOf(app);
    const { id, paymentId } = await bookAndPay(app, nextDay());
    app.sandbox.switches.set(fault);
    app.sandbox.switches.set({ name: "webhook_off" });
    const called = calls(/^POST \/v1\/payments\/\w+\/refund$/);
    const cancelled = await admin(`/appointments/${id}/cancel`, { method: "POST" });
    expect(cancelled.data.refund).toMatchObject({ amount: 1179 });
    await called;
    await kill();
    await app.restart();
    await eventually(async () => {
      const { data } = await admin(`/appointments/${id}`);
      expect(data.payments).toMatchObject([{ paymentId, refund: { status: "processed" } }]);
      expect(data.creditNote).toBeTruthy();
    });
    expect(refundsOf(paymentId)).toMatchObject([{ amount: 117_900, status: "processed" }]);
    const keys = app.sandbox.requests
      .filter(({ path }) => path.endsWith(`${paymentId}/refund`))
      .map(({ idempotencyKey }) => idempotencyKey);
    // Asked again, or found when the payment was read anew: never under another key.
    expect(new Set(keys).size).toBe(1);
  });
});
