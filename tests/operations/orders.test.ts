/** One order for one booking, whatever the provider's answers come to, read for as long as money can come on it. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { forgetPowerCuts } from "#tests/support/fresh-db.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  nextLookAt,
  openBrowser,
  ordersOf,
  pageOf,
  refundInDashboard,
  statusOf,
} from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { aboutPayment } from "#tests/support/till.ts";

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

/** The worker runs; nothing comes from browser or webhook. */
async function pass(time: number): Promise<void> {
  const end = till.clock.now + time;
  while (till.clock.now < end) {
    till.clock.now = Math.min(end, till.clock.now + 6 * HOUR);
    await till.reconcile();
  }
}

/** A booking by staff for a session of next month, with the longest link. */
function linked(): string {
  const payBefore = new Date(till.clock.now + 7 * DAY).toISOString();
  return till.bookByStaff({ date: dayAhead(45), payment: { by: "link", payBefore } }).id;
}

describe("money that neither browser nor webhook reports", () => {
  it("is found when it is paid at the end of a link and the bank says yes four days later", async () => {
    const id = linked();
    const orderId = await till.order(id);
    await pass(7 * DAY - MINUTE);
    const payment = till.pay(orderId, { status: "authorized" });
    await pass(4 * DAY);
    payment.status = "captured";
    await pass(2 * DAY);
    expect(statusOf(till, id)).toBe("confirmed");
  });

  it("is found on an order that is opened again after its watch has ended", async () => {
    const { id, orderId } = await till.bookAndOrder({ date: dayAhead(45) });
    await pass(8 * DAY);
    expect(nextLookAt(till, orderId)).toBeNull();
    const { date, timeSlot } = till.booking(id);
    const moved = till.move(id, { date, timeSlot });
    expect(moved.ok).toBe(true);
    expect(await till.order(id)).toBe(orderId);
    till.pay(orderId);
    await pass(DAY);
    expect(statusOf(till, id)).toBe("confirmed");
  });

  it("is found while it is authorised, by one look a day, for 180 days", async () => {
    const { id, orderId } = await till.bookAndOrder({ date: dayAhead(80) });
    const payment = till.pay(orderId, { status: "authorized" });
    const waits = till.pay(await till.order(till.book()), { status: "authorized" });
    await pass(30 * DAY);
    payment.status = "captured";
    await pass(2 * DAY);
    expect(statusOf(till, id)).toBe("confirmed");
    const looks = () => till.razorpay.calls.filter((call) => call.includes(waits.order_id!)).length;
    const before = looks();
    await pass(50 * DAY);
    expect(looks() - before).toBeGreaterThanOrEqual(35);
    expect(looks() - before).toBeLessThanOrEqual(55);
    await pass(110 * DAY);
    expect(nextLookAt(till, waits.order_id!)).toBeNull();
  });

  it.each([
    ["refuses a look", refused("no")],
    ["is down for days", BROKEN],
  ])("is found after weeks as authorised, also when the provider %s", async (_, answer) => {
    const orderId = await till.order(till.book());
    const payment = till.pay(orderId, { status: "authorized" });
    await pass(14 * DAY);
    till.razorpay.instead = () => answer;
    await pass(answer === BROKEN ? 4 * DAY : 18 * HOUR);
    till.razorpay.instead = () => undefined;
    payment.status = "captured";
    await pass(2 * DAY);
    expect(till.rows("SELECT outcome FROM payment")).not.toEqual([{ outcome: "authorized" }]);
  });

  // The watch ends on day 5, and waits five days more for an outage.
  it.each([
    ["is found", 9.5, 1],
    ["is not sought any more", 10.75, 0],
  ])(
    "money that comes while the provider is down past the end of the watch %s (it is up again on day %s)",
    async (_, day, found) => {
      const orderId = await till.order(till.book({ date: dayAhead(45) }));
      await pass(4 * DAY);
      till.pay(orderId);
      till.razorpay.instead = () => BROKEN;
      await pass((day - 4) * DAY);
      till.razorpay.instead = () => undefined;
      await pass(2 * DAY);
      expect(till.rows("SELECT outcome FROM payment")).toHaveLength(found);
      expect(nextLookAt(till, orderId)).toBeNull();
    },
  );
});

describe("two processes on one file", () => {
  let second: Deps & { db: OpenDb };
  beforeEach(() => {
    // Under another name, so that nothing in memory is shared.
    const db = openDb(till.deps.db.path.replace(/\/(?=[^/]*$)/, "/./"));
    forgetPowerCuts(db);
    second = { ...till.deps, db };
  });
  afterEach(() => second.db.close());

  /**
   * The first process waits for an answer about its order. Meanwhile the second lets the visitor
   * choose another package, which closes that order, and opens another one.
   */
  async function meanwhile(
    call: "createOrder" | "findOrderByReceipt",
    ask: (first: Deps, id: string) => Promise<unknown>,
    then: (id: string, openOrder: string) => Promise<unknown> = async () => {},
  ) {
    const choose = openBrowser(till);
    const { id } = choose({ date: dayAhead(60) }).appointment;
    if (call === "findOrderByReceipt") {
      till.razorpay.isLost = () => true;
      await till.createOrder(id);
      till.razorpay.isLost = () => false;
      till.clock.now += 20 * MINUTE;
    }
    const asked = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const { provider } = till.deps;
    const slowly =
      <Input, Answer>(work: (input: Input) => Promise<Answer>) =>
      async (input: Input) => {
        const answer = await work(input);
        asked.resolve();
        await goOn.promise;
        return answer;
      };
    const slow = { ...provider, [call]: slowly(provider[call] as never) };
    const first = ask({ ...till.deps, provider: slow }, id);
    await asked.promise;
    till.clock.now += 1;
    choose({ date: dayAhead(60), package: 60 });
    const opened = await createOrder(second, id);
    if (!opened.ok) throw new Error(opened.message);
    await then(id, opened.value.orderId);
    goOn.resolve();
    const answer = await first;
    const [closed] = till.razorpay.orders;
    return { id, answer, closed: closed!.id, opened: opened.value.orderId };
  }

  const order = (deps: Deps, id: string) => createOrder(deps, id);

  it("both answer the order that is open, and the closed one stays closed", async () => {
    const { id, answer, closed, opened } = await meanwhile("createOrder", order);
    expect(answer).toMatchObject({ ok: true, value: { orderId: opened, amountPaise: 176_900 } });
    expect(ordersOf(till, id)).toEqual([
      { order_id: closed, state: "closed" },
      { order_id: opened, state: "open" },
    ]);
  });

  it("a closed order stays closed when the other one is paid meanwhile", async () => {
    const { id, answer, closed, opened } = await meanwhile(
      "createOrder",
      order,
      async (_, openOrder) => {
        const payment = till.pay(openOrder);
        await till.tell("payment.captured", aboutPayment(payment));
      },
    );
    expect(answer).toMatchObject({ code: "already_paid" });
    expect(ordersOf(till, id)).toEqual([
      { order_id: closed, state: "closed" },
      { order_id: opened, state: "paid" },
    ]);
    expect(pageOf(till, id).hosted).toBeNull();
  });

  it("an order that is looked up while it is closed stays closed", async () => {
    const { id, closed, opened } = await meanwhile("findOrderByReceipt", (deps) =>
      runReconciler(deps),
    );
    expect(ordersOf(till, id)).toEqual([
      { order_id: closed, state: "closed" },
      { order_id: opened, state: "open" },
    ]);
  });
});
