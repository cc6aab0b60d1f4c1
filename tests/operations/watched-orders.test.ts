/** Orders are read for as long as money can come on them, and two processes open one, not two. */
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
  statusOf,
} from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { aboutPayment } from "#tests/support/till.ts";

const till = freshTill();

const nextLook = (orderId: string) => nextLookAt(till, orderId);

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
    expect(nextLook(orderId)).toBeNull();
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
    expect(nextLook(waits.order_id!)).toBeNull();
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
      expect(nextLook(orderId)).toBeNull();
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
