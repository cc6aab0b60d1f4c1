/** One order for one booking, whatever the provider's answers come to, read for as long as money can come on it. */
import { describe, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-and-refund.server.ts";
import { deleteAppointment } from "#app/booking/edit-appointment.server.ts";
import { runClock } from "#app/jobs/worker.server.ts";
import { DAY, HOUR, SECOND } from "#app/model/dates.ts";
import { createOrder } from "#app/payments/create-order.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { openDb } from "#db/connection.server.ts";
import { UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR, aboutPayment } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const REFUSED = refused("no");

const till = moneyTill();

const set = (sql: string, ...parameters: (string | number)[]) =>
  till.deps.db.runRaw(sql, parameters);
const orderRow = (appointmentId: string) =>
  till.rows("SELECT * FROM payment_order WHERE appointment_id = ?", appointmentId)[0];
const makeDue = () => set("UPDATE payment_order SET next_check_at = 0");
const firstLook = () => till.deps.env.reconcileAfterSeconds * SECOND;
const orderIds = () => till.razorpay.orders.map(({ id }) => id);

/** Makes a call to the provider throw an error that is our own bug. */
function breakCall(call: "listPayments" | "fetchPayment" | "createOrder"): void {
  const broken = () => Promise.reject(new Error("a bug"));
  till.deps.provider = { ...till.deps.provider, [call]: broken };
}

describe("an order", () => {
  it("is asked for once, however many requests come at a time, and answers what to pay", async () => {
    const id = till.book();
    const [one, two] = await Promise.all([till.createOrder(id), till.createOrder(id)]);
    expect(one).toBe(two);
    const [{ pay_before, hold_until }] = till.rows(
      "SELECT pay_before, hold_until FROM appointment",
    );
    expect(one).toMatchObject({
      value: {
        orderId: orderIds()[0],
        amountPaise: WHOLE,
        currency: "INR",
        appointment: { id },
        window: { payBefore: pay_before, holdUntil: hold_until },
      },
    });
    const again = await till.createOrder(id);
    expect(again).toEqual(one);
    expect(again).not.toBe(one);
    expect(till.razorpay.calls).toEqual(["POST /v1/orders"]);
  });

  it.each([
    ["refuses", REFUSED, "rejected: no", []],
    ["is broken", BROKEN, "down: broken", ["GET /v1/orders"]],
  ])("of a provider that %s is kept, and looked for later", async (_, answer, error, more) => {
    const id = till.book();
    till.razorpay.instead = () => answer;
    expect(await till.createOrder(id)).toMatchObject({
      ok: false,
      code: "provider_unavailable",
      retryAfter: 5,
    });
    expect(till.razorpay.calls).toEqual(["POST /v1/orders", ...more]);
    expect(orderRow(id)).toMatchObject({
      state: "creating",
      order_id: null,
      checks: 0,
      amount_paise: WHOLE,
      next_check_at: till.clock.now + firstLook(),
      last_error: error,
    });
    till.razorpay.instead = () => undefined;
    await till.order(id);
    expect(orderRow(id)).toMatchObject({ state: "open", last_error: null });
  });

  it("whose answer was lost is found by its receipt, and no second one is made", async () => {
    till.razorpay.isLost = (call) => call === "POST /v1/orders";
    const found = await till.order(till.book());
    const id = till.book();
    till.razorpay.isLost = () => true;
    expect(await till.createOrder(id)).toMatchObject({ code: "provider_unavailable" });
    till.razorpay.isLost = () => false;
    expect(orderIds()).toEqual([found, await till.order(id)]);
  });

  it("whose answer was lost is found by the reconciler, with the money that came for it", async () => {
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
    expect(till.ordersOf(id)).toEqual([{ order_id: order.id, state: "paid" }]);
    expect(till.statusOf(id)).toBe("confirmed");
    expect(till.ordersOf(otherId)).toEqual([{ order_id: other, state: "open" }]);
  });

  it("is none for a booking that nobody knows, or that is paid or cancelled", async () => {
    const { id: paid } = await till.bookAndPay();
    const cancelled = till.book();
    till.cancel(cancelled);
    const { length } = till.razorpay.calls;
    expect(await till.createOrder(UNKNOWN_ID)).toMatchObject({ code: "not_found" });
    expect(await till.createOrder(paid)).toMatchObject({ code: "already_paid" });
    expect(await till.createOrder(cancelled)).toMatchObject({ code: "already_cancelled" });
    expect(till.razorpay.calls).toHaveLength(length);
  });

  it.each([
    ["is deleted", deleteAppointment, "not_found"],
    ["is cancelled", cancelAppointment, "already_cancelled"],
  ])("is none for a booking that %s during the call", async (_, end, code) => {
    const id = till.book();
    till.razorpay.instead = () => {
      end(till.deps, ADMIN_ACTOR, id);
      return undefined;
    };
    expect(await till.createOrder(id)).toMatchObject({ code });
  });

  it("of a package that was given up during the call stays closed, and that of the new one is answered", async () => {
    const choose = till.openBrowser();
    const { id } = choose({ date: dayAhead(60) }).appointment;
    till.razorpay.instead = () => {
      till.razorpay.instead = () => undefined;
      till.clock.now += 1;
      choose({ date: dayAhead(60), package: 60 });
      return undefined;
    };
    const ordered = await till.createOrder(id);
    const [closed, open] = orderIds();
    expect(ordered).toMatchObject({ value: { orderId: open, amountPaise: 176_900 } });
    expect(till.ordersOf(id)).toEqual([
      { order_id: closed, state: "closed" },
      { order_id: open, state: "open" },
    ]);
  });

  it.each([
    ["made", "createOrder"],
    ["looked up", "findOrderByReceipt"],
  ] as const)(
    "that is closed while it is %s stays closed, though the other one is paid meanwhile",
    async (_, call) => {
      const choose = till.openBrowser();
      const { id } = choose({ date: dayAhead(60) }).appointment;
      const isLookedUp = call === "findOrderByReceipt";
      till.razorpay.isLost = () => true;
      if (isLookedUp) await till.createOrder(id);
      till.razorpay.isLost = () => false;
      const { provider } = till.deps;
      // Under another name, as in another process, where it does not join the call under way.
      const db = openDb(till.deps.db.path.replace(/\/(?=[^/]*$)/, "/./"));
      const slowly = async (asked: never) => {
        const answer = await provider[call](asked);
        till.deps.provider = provider;
        till.clock.now += 1;
        choose({ date: dayAhead(60), package: 60 });
        await createOrder({ ...till.deps, db }, id);
        await till.tell("payment.captured", aboutPayment(till.pay(orderIds()[1]!)));
        return answer;
      };
      till.deps.provider = { ...provider, [call]: slowly };
      if (isLookedUp) await till.look();
      else expect(await till.createOrder(id)).toMatchObject({ code: "already_paid" });
      db.close();
      const [closed, paid] = orderIds();
      expect(till.ordersOf(id)).toEqual([
        { order_id: closed, state: "closed" },
        { order_id: paid, state: "paid" },
      ]);
    },
  );

  it("throws what is a bug", async () => {
    breakCall("createOrder");
    await expect(till.createOrder(till.book())).rejects.toThrow("a bug");
  });

  it("makes way for another one when its money went back: the provider takes no more for it", async () => {
    const id = till.book();
    const first = await till.order(id);
    till.pay(first, { status: "refunded", amount_refunded: 117_900 });
    await till.look();
    const second = await till.order(id);
    expect(second).not.toBe(first);
    till.pay(second);
    await till.look();
    expect(till.booking(id).status).toBe("confirmed");
  });

  it("is paid once its price came, whatever becomes of the money, and not by another sum", async () => {
    const ids = [till.book(), till.book(), till.book()] as const;
    for (const id of ids) await till.order(id);
    const [begun, cancelled, wrong] = orderIds();
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
    expect(ids.map((id) => orderRow(id).state)).toEqual(["paid", "paid", "closed"]);
  });
});

describe("the reconciler", () => {
  it("reads ten orders at a time, none once it is to stop, and wakes nobody without money", async () => {
    for (let i = 0; i < 12; i++) await till.order(till.book());
    till.clock.now += firstLook();
    const wakes = till.wakes();
    expect(await runReconciler(till.deps, AbortSignal.abort())).toBe(0);
    expect([await till.reconcile(), await till.reconcile(), await till.reconcile()]).toEqual([
      ...[10, 2, 0],
    ]);
    expect(till.wakes()).toBe(wakes);
    const [again] = till.rows("SELECT DISTINCT checks, next_check_at FROM payment_order");
    expect(again).toEqual({ checks: 1, next_check_at: till.clock.now + firstLook() });
  });

  it("looks at once, and once, at an order of an hour that the clock went back", async () => {
    const id = till.book();
    await till.order(id);
    till.clock.now -= HOUR;
    await runClock(till.deps);
    expect(orderRow(id).next_check_at).toBe(till.clock.now);
    expect(await till.reconcile()).toBe(1);
    await runClock(till.deps);
    expect(orderRow(id)).toMatchObject({ next_check_at: till.clock.now + firstLook() });
  });

  it("goes on after an order that is refused, which counts as a look", async () => {
    const [bad, good] = [till.book(), till.book()];
    const orderId = await till.order(bad);
    await till.order(good);
    makeDue();
    set("UPDATE payment_order SET next_check_at = -1 WHERE order_id = ?", orderId);
    till.razorpay.instead = (call) => (call.includes(orderId) ? REFUSED : undefined);
    expect(await till.reconcile()).toBe(1);
    expect(orderRow(good)).toMatchObject({ checks: 1, last_error: null });
    const dueAt = "UPDATE payment_order SET next_check_at = 0, checks = ? WHERE order_id = ?";
    const half = DAY / 2;
    for (const [checks, wait] of [
      [0, firstLook()],
      [1, 2 * firstLook()],
      [8, half],
      [30, half],
    ] as const) {
      set(dueAt, checks, orderId);
      expect(await till.reconcile()).toBe(0);
      const refusedOnce = { checks: checks + 1, last_error: "rejected: no" };
      expect(orderRow(bad)).toMatchObject({
        ...refusedOnce,
        next_check_at: till.clock.now + wait,
      });
    }
    till.razorpay.instead = () => undefined;
    set(dueAt, 1, orderId);
    expect(await till.reconcile()).toBe(1);
    const next_check_at = till.clock.now + 2 * firstLook();
    expect(orderRow(bad)).toMatchObject({ checks: 2, last_error: null, next_check_at });
  });

  it("waits five minutes at most for a provider that is down, and asks it for no other order", async () => {
    const { id, orderId } = await till.bookAndOrder();
    await till.order(till.book());
    till.razorpay.instead = () => BROKEN;
    for (const [checks, seconds] of [
      [0, 30],
      [1, 60],
      [8, 270],
      [9, 300],
      [30, 300],
    ] as const) {
      set("UPDATE payment_order SET next_check_at = 1, checks = 0");
      set(
        "UPDATE payment_order SET next_check_at = 0, checks = ? WHERE order_id = ?",
        ...[checks, orderId],
      );
      const { length } = till.razorpay.calls;
      expect(await till.reconcile()).toBe(0);
      expect(till.razorpay.calls).toHaveLength(length + 1);
      const next_check_at = till.clock.now + seconds * SECOND;
      expect(orderRow(id)).toMatchObject({ checks, next_check_at, last_error: "down: broken" });
    }
  });

  it.each([
    ["no longer", undefined, 0],
    ["no longer where it is refused", REFUSED, 0],
    ["five days longer while the provider is down", BROKEN, 5 * DAY],
  ])(
    "looks for five days from the last moment to pay, and %s, to the moment",
    async (_, answer, longer) => {
      const id = till.book();
      await till.order(id);
      const [{ pay_before }] = till.rows("SELECT pay_before FROM appointment");
      expect(orderRow(id).watch_until).toBe(pay_before + 5 * DAY);
      till.razorpay.instead = () => answer;
      till.clock.now = pay_before + 5 * DAY + longer;
      for (const isWatched of [true, false]) {
        makeDue();
        await till.reconcile();
        expect(orderRow(id).next_check_at !== null).toBe(isWatched);
        till.clock.now += 1;
      }
      expect(till.queued("admin_given_up")).toHaveLength(answer ? 1 : 0);
    },
  );

  it("looks daily at money that stays authorised, two days longer from look to look, for 180 days", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.pay(orderId, { status: "authorized" });
    till.clock.now = orderRow(id).watch_until;
    makeDue();
    expect(await till.reconcile()).toBe(1);
    const { now } = till.clock;
    expect(orderRow(id)).toMatchObject({ next_check_at: now + DAY, watch_until: now + 2 * DAY });
    const aged = "UPDATE payment_order SET created_at = ?, watch_until = ?, next_check_at = 0";
    set(aged, now - 180 * DAY + 1, now);
    await till.reconcile();
    expect(orderRow(id)).toMatchObject({ next_check_at: now + DAY, watch_until: now + 1 });
    till.clock.now += 2;
    makeDue();
    await till.reconcile();
    expect(orderRow(id).next_check_at).toBeNull();
  });

  it("counts a look for an order that the provider does not have, and one that met a bug", async () => {
    const id = till.book();
    till.razorpay.instead = () => BROKEN;
    await till.createOrder(id);
    till.razorpay.instead = () => undefined;
    till.clock.now += firstLook();
    expect(await till.reconcile()).toBe(1);
    expect(orderRow(id)).toMatchObject({ order_id: null, state: "creating", checks: 1 });
    await till.order(id);
    breakCall("listPayments");
    makeDue();
    expect(await till.reconcile()).toBe(0);
    const last_error = "Could not be worked on: Error";
    expect(orderRow(id)).toMatchObject({ state: "open", checks: 2, last_error });
    expect(orderRow(id).next_check_at).toBeGreaterThan(till.clock.now);
  });
});

describe("what the browser says of a payment", () => {
  it("is checked: the booking, the signature, whose order it is, and the sum", async () => {
    const [id, other] = [till.book(), till.book()];
    const orderId = await till.order(id);
    const payment = till.pay(orderId, { amount: 100 });
    const claim = till.claim(id, orderId, payment.id);
    const codeOf = async (changes: object) => {
      const verified = await till.verify({ ...claim, ...changes });
      return verified.ok ? "ok" : verified.code;
    };
    const calls = till.razorpay.calls.length;
    expect(await codeOf({ appointmentId: UNKNOWN_ID })).toBe("not_found");
    expect(await codeOf({ signature: "0".repeat(64) })).toBe("invalid_signature");
    expect(await codeOf({ appointmentId: other })).toBe("order_mismatch");
    expect(till.razorpay.calls).toHaveLength(calls);
    const wakes = till.wakes();
    expect(await codeOf({})).toBe("amount_mismatch");
    expect(till.wakes()).toBe(wakes + 1);
  });

  it("is kept while the provider cannot be read, and the worker looks at once", async () => {
    const { id, orderId } = await till.bookAndOrder();
    const claim = till.claim(id, orderId, "pay_00000000claim1");
    till.razorpay.instead = () => BROKEN;
    const wakes = till.wakes();
    expect(await till.verify(claim)).toMatchObject({
      value: { appointment: { id }, checking: true, refund: null },
    });
    expect(till.wakes()).toBe(wakes + 1);
    expect(orderRow(id).next_check_at).toBe(till.clock.now);
    const kept = { payment_id: claim.paymentId, order_id: orderId, appointment_id: id };
    expect(till.rows("SELECT * FROM payment")).toMatchObject([
      { ...kept, amount_paise: WHOLE, provider_status: "unknown", outcome: "authorized" },
    ]);
    breakCall("fetchPayment");
    await expect(till.verify(claim)).rejects.toThrow("a bug");
  });
});
