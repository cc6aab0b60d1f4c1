/** One order for one booking, whatever the provider's answers come to. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#app/model/duration.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { nextLookAt, ordersOf, refundInDashboard, statusOf } from "#tests/support/money-outside.ts";
import { BROKEN } from "#tests/support/razorpay-stub.ts";

const till = freshTill();

const isOrderMade = (call: string) => call === "POST /v1/orders";

describe("an order whose answer was lost", () => {
  it("is found by its receipt at once", async () => {
    till.razorpay.isLost = isOrderMade;
    const orderId = await till.order(till.book());
    expect(till.razorpay.orders.map(({ id }) => id)).toEqual([orderId]);
  });

  it("is looked for before the next request makes another one", async () => {
    const id = till.book();
    till.razorpay.isLost = () => true;
    expect(await till.createOrder(id)).toMatchObject({ code: "provider_unavailable" });
    till.razorpay.isLost = () => false;
    const orderId = await till.order(id);
    expect(till.razorpay.orders.map((order) => order.id)).toEqual([orderId]);
  });

  it("is found by the reconciler, with the money that came for it", async () => {
    const [id, otherId] = [till.book(), till.book()];
    const other = await till.order(otherId);
    till.razorpay.isLost = () => true;
    await till.createOrder(id);
    till.razorpay.isLost = () => false;
    const order = till.razorpay.orders.at(-1)!;
    till.pay(order.id);
    const wakes = till.wakes();
    await till.look();
    // The confirmation goes out at once.
    expect(till.wakes()).toBeGreaterThan(wakes);
    expect(ordersOf(till, id)).toEqual([{ order_id: order.id, state: "paid" }]);
    expect(statusOf(till, id)).toBe("confirmed");
    expect(ordersOf(till, otherId)).toEqual([{ order_id: other, state: "open" }]);
  });
});

it("a booking that is paid or cancelled gets no order", async () => {
  const { id: paid } = await till.bookAndPay();
  const cancelled = till.book();
  till.cancel(cancelled);
  const made = till.razorpay.orders.length;
  expect(await till.createOrder(paid)).toMatchObject({ code: "already_paid" });
  expect(await till.createOrder(cancelled)).toMatchObject({ code: "already_cancelled" });
  expect(till.razorpay.orders).toHaveLength(made);
});

it("an order is paid once its price came, whatever becomes of the money, and not by another sum", async () => {
  const stateOf = (orderId: string) =>
    till.rows("SELECT state FROM payment_order WHERE order_id = ?", orderId)[0].state;
  const ids = [till.book(), till.book(), till.book()] as const;
  const [begun, cancelled, wrong] = [
    ...[await till.order(ids[0]), await till.order(ids[1]), await till.order(ids[2])],
  ];
  till.cancel(ids[1]);
  till.pay(wrong!, { amount: 100 });
  till.clock.now = till.booking(ids[0]).startsAt;
  for (const order of [begun!, cancelled!]) till.pay(order);
  await till.look();
  const outcomes = till.rows("SELECT order_id AS id, outcome FROM payment ORDER BY rowid");
  expect(Object.fromEntries(outcomes.map(({ id, outcome }) => [id, outcome]))).toEqual({
    [begun!]: "session_begun",
    [cancelled!]: "booking_cancelled",
    [wrong!]: "wrong_amount",
  });
  expect([stateOf(begun!), stateOf(cancelled!), stateOf(wrong!)]).toEqual(["paid", "paid", "open"]);
});

describe("the reconciler", () => {
  const nextLook = (orderId: string) => nextLookAt(till, orderId)!;

  it("looks again after twice the time, at most half a day, and for five days", async () => {
    const orderId = await till.order(till.book());
    const first = till.deps.env.reconcileAfterSeconds * 1000;
    expect(nextLook(orderId)).toBe(till.clock.now + first);
    const waits: number[] = [];
    for (let looks = 0; looks < 40; looks++) {
      const due = nextLook(orderId);
      if (due === null) break;
      till.clock.now = due;
      expect(await till.reconcile()).toBe(1);
      if (nextLook(orderId) !== null) waits.push(nextLook(orderId) - till.clock.now);
    }
    expect(waits.slice(0, 4)).toEqual([first, 2 * first, 4 * first, 8 * first]);
    expect(Math.max(...waits)).toBe(12 * HOUR);
    const watched = waits.reduce((sum, wait) => sum + wait, first);
    expect(watched).toBeGreaterThan(5 * DAY);
    expect(watched).toBeLessThan(6 * DAY);
  });

  it("reads an order by its id once it has one, and the refunds that no event reported", async () => {
    const { id, orderId, payment } = await till.bookAndPay();
    refundInDashboard(till, payment, 900);
    const calls = till.razorpay.calls.length;
    await till.look();
    expect(till.razorpay.calls.slice(calls)).toEqual([
      `GET /v1/orders/${orderId}/payments`,
      `GET /v1/payments/${payment.id}/refunds`,
    ]);
    expect(till.rows("SELECT appointment_id, amount_paise, state, way FROM refund")).toEqual([
      { appointment_id: id, amount_paise: 900, state: "processed", way: "dashboard" },
    ]);
  });

  it("gives a provider that is down half a minute, then a minute, and asks for no other order", async () => {
    const orderIds = [await till.order(till.book()), await till.order(till.book())];
    till.clock.now += HOUR;
    const before = till.razorpay.calls.length;
    till.razorpay.instead = () => BROKEN;
    expect(await till.reconcile()).toBe(0);
    expect(till.razorpay.calls).toHaveLength(before + 1);
    const due = orderIds.map(nextLook).filter((at) => at > till.clock.now);
    expect(due).toEqual([till.clock.now + 30_000]);
    till.razorpay.instead = () => undefined;
    expect(await till.reconcile()).toBe(1);
    till.clock.now += 30_000;
    expect(await till.reconcile()).toBe(1);
  });
});
