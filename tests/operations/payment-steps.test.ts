/** The steps of a payment: how much is worked on at a time, what a fault leaves, who is asked again. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { deleteAppointment } from "#app/booking/edit-appointment.server.ts";
import { DAY } from "#app/model/duration.ts";
import { recordEvent, runProviderEvents } from "#app/payments/provider-events.server.ts";
import { runReconciler } from "#app/payments/reconcile.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR, aboutPayment } from "#tests/support/till.ts";

const UNKNOWN = "abcdefghijkmnpqrstuvwxyz23";

const till = freshTill();

const set = (sql: string, ...parameters: (string | number)[]) =>
  till.deps.db.runRaw(sql, parameters);
const orderRow = (appointmentId: string) =>
  till.rows("SELECT * FROM payment_order WHERE appointment_id = ?", appointmentId)[0];
const callsSince = (from: number) =>
  till.razorpay.calls.slice(from).map((call) => call.replace(/_\d+/g, ""));
const firstLook = () => till.deps.env.reconcileAfterSeconds * 1000;

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
        ...{ orderId: till.razorpay.orders[0]?.id, amountPaise: WHOLE, currency: "INR" },
        ...{ appointment: { id }, window: { payBefore: pay_before, holdUntil: hold_until } },
      },
    });
    const again = await till.createOrder(id);
    expect(again).toEqual(one);
    expect(again).not.toBe(one);
    expect(callsSince(0)).toEqual(["POST /v1/orders"]);
  });

  it.each([
    ["refuses", refused("no"), "rejected: no", []],
    ["is broken", BROKEN, "down: broken", ["GET /v1/orders"]],
  ])("of a provider that %s is kept, and looked for later", async (_, answer, error, more) => {
    const id = till.book();
    till.razorpay.instead = () => answer;
    expect(await till.createOrder(id)).toMatchObject({
      ...{ ok: false, code: "provider_unavailable", retryAfter: 5 },
    });
    expect(callsSince(0)).toEqual(["POST /v1/orders", ...more]);
    const left = { state: "creating", order_id: null, checks: 0, amount_paise: WHOLE };
    const { last_error, ...row } = orderRow(id);
    expect(row).toMatchObject({ ...left, next_check_at: till.clock.now + firstLook() });
    expect(last_error).toBe(error);
    till.razorpay.instead = () => undefined;
    await till.order(id);
    expect(orderRow(id)).toMatchObject({ state: "open", last_error: null });
  });

  it("is none for a booking that nobody knows, or that is paid or cancelled", async () => {
    const { id: paid } = await till.bookAndPay();
    const cancelled = till.book();
    till.cancel(cancelled);
    const { length } = till.razorpay.calls;
    expect(await till.createOrder(UNKNOWN)).toMatchObject({ code: "not_found" });
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

  it("throws what is a bug", async () => {
    breakCall("createOrder");
    await expect(till.createOrder(till.book())).rejects.toThrow("a bug");
  });
});

describe("the reconciler", () => {
  it("reads ten orders at a time, none once it is to stop, and wakes nobody without money", async () => {
    for (let i = 0; i < 12; i++) await till.order(till.book());
    till.clock.now += firstLook();
    const wakes = till.wakes();
    expect(await runReconciler(till.deps, AbortSignal.abort())).toBe(0);
    expect([...[await till.reconcile(), await till.reconcile()], await till.reconcile()]).toEqual([
      10, 2, 0,
    ]);
    expect(till.wakes()).toBe(wakes);
  });

  it("goes on after an order that is refused, which counts as a look", async () => {
    const [bad, good] = [till.book(), till.book()];
    const orderId = await till.order(bad);
    await till.order(good);
    set("UPDATE payment_order SET next_check_at = 0");
    set("UPDATE payment_order SET next_check_at = -1 WHERE order_id = ?", orderId);
    till.razorpay.instead = (call) => (call.includes(orderId) ? refused("no") : undefined);
    expect(await till.reconcile()).toBe(1);
    expect(orderRow(good)).toMatchObject({ checks: 1, last_error: null });
    const dueAt = "UPDATE payment_order SET next_check_at = 0, checks = ? WHERE order_id = ?";
    const half = 12 * 3600;
    for (const [checks, seconds] of [
      ...([[0, firstLook() / 1000] as const, [1, (2 * firstLook()) / 1000] as const] as const),
      ...([[8, half] as const, [30, half] as const] as const),
    ]) {
      set(dueAt, checks, orderId);
      expect(await till.reconcile()).toBe(0);
      const next_check_at = till.clock.now + seconds * 1000;
      const refusedOnce = { checks: checks + 1, last_error: "rejected: no" };
      expect(orderRow(bad)).toMatchObject({ ...refusedOnce, next_check_at });
    }
    till.razorpay.instead = () => undefined;
    set("UPDATE payment_order SET next_check_at = 0, checks = 1 WHERE order_id = ?", orderId);
    expect(await till.reconcile()).toBe(1);
    expect(orderRow(bad)).toMatchObject({ checks: 2, last_error: null });
  });

  it("waits five minutes at most for a provider that is down", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.razorpay.instead = () => BROKEN;
    for (const [checks, seconds] of [
      ...([[0, 30] as const, [1, 60] as const, [8, 270] as const] as const),
      ...([[9, 300] as const, [10, 300] as const, [30, 300] as const] as const),
    ]) {
      set(
        "UPDATE payment_order SET next_check_at = 0, checks = ? WHERE order_id = ?",
        ...[checks, orderId],
      );
      expect(await till.reconcile()).toBe(0);
      const next_check_at = till.clock.now + seconds * 1000;
      expect(orderRow(id)).toMatchObject({ next_check_at, last_error: "down: broken" });
    }
  });

  it("looks for five days from the last moment to pay, to the moment", async () => {
    for (const [late, isWatched] of [...([[0, true]] as const), ...([[1, false]] as const)]) {
      const id = till.book();
      await till.order(id);
      const [{ pay_before }] = till.rows("SELECT pay_before FROM appointment WHERE id = ?", id);
      expect(orderRow(id).watch_until).toBe(pay_before + 5 * DAY);
      till.clock.now = pay_before + 5 * DAY + late;
      set("UPDATE payment_order SET next_check_at = NULL WHERE appointment_id <> ?", id);
      expect(await till.reconcile()).toBe(1);
      expect(orderRow(id).next_check_at !== null).toBe(isWatched);
    }
  });

  it("looks daily at money that stays authorised, two days longer from look to look", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.pay(orderId, { status: "authorized" });
    till.clock.now = orderRow(id).watch_until;
    set("UPDATE payment_order SET next_check_at = 0");
    expect(await till.reconcile()).toBe(1);
    const { now } = till.clock;
    expect(orderRow(id)).toMatchObject({ next_check_at: now + DAY, watch_until: now + 2 * DAY });
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
    set("UPDATE payment_order SET next_check_at = 0");
    expect(await till.reconcile()).toBe(0);
    const last_error = "Could not be worked on: Error";
    expect(orderRow(id)).toMatchObject({ state: "open", checks: 2, last_error });
    expect(orderRow(id).next_check_at).toBeGreaterThan(till.clock.now);
  });
});

describe("the provider's events", () => {
  const event = (kind: string, eventId: string | null = null) => {
    const body = Buffer.from(JSON.stringify({ event: kind }));
    const [secret] = till.deps.env.razorpay.webhookSecrets;
    const signature = createHmac("sha256", secret!).update(body).digest("hex");
    return { body, signature, eventId };
  };
  const rows = () => till.rows("SELECT event_id, state, attempts, last_error FROM provider_event");

  it("are worked on twenty at a time, none once it is to stop", async () => {
    for (let i = 0; i < 22; i++) recordEvent(till.deps, event(`settlement.${i}`));
    expect(await runProviderEvents(till.deps, AbortSignal.abort())).toBe(0);
    const done = [await till.workOnEvents(), await till.workOnEvents()];
    expect([...done, await till.workOnEvents()]).toEqual([20, 2, 0]);
  });

  it("with an empty id are known by their bodies", () => {
    const isNew = (kind: string) => recordEvent(till.deps, event(kind, ""));
    expect(isNew("settlement.a")).toMatchObject({ value: { isNew: true } });
    expect(isNew("settlement.b")).toMatchObject({ value: { isNew: true } });
    expect(isNew("settlement.a")).toMatchObject({ value: { isNew: false } });
  });

  it("wake the worker once each, are due at once, and are none without a right signature", () => {
    const [kept, long] = [event("settlement.a"), event("settlement.b", "e".repeat(300))];
    const before = till.wakes();
    for (const one of [kept, kept, long, long]) recordEvent(till.deps, one);
    expect(till.wakes()).toBe(before + 2);
    for (const signature of [null, "", "0".repeat(64)]) {
      expect(recordEvent(till.deps, { ...kept, signature })).toMatchObject({
        code: "invalid_signature",
      });
    }
    expect(rows().map(({ event_id }) => event_id)).toEqual([
      ...[`body-${kept.signature}`, "e".repeat(200)],
    ]);
    const due = till.rows("SELECT next_try_at, received_at FROM provider_event");
    const now = till.clock.now;
    expect(due).toEqual(Array(2).fill({ next_try_at: now, received_at: now }));
  });

  it("are given up five days after they came, to the moment, and at once if they make no sense", async () => {
    const payment = till.pay(await till.order(till.book()));
    till.razorpay.instead = () => BROKEN;
    await till.tell("payment.captured", aboutPayment(payment));
    const retryAfter = async (age: number) => {
      set("UPDATE provider_event SET next_try_at = 0, received_at = ?", till.clock.now - age);
      await till.workOnEvents();
      return rows()[0];
    };
    expect(await retryAfter(5 * DAY)).toMatchObject({ state: "new", attempts: 2 });
    const last = await retryAfter(5 * DAY + 1);
    expect(last).toMatchObject({ state: "parked", attempts: 3 });
    expect(last.last_error).toBe("down: broken");
    set("UPDATE provider_event SET state = 'new', next_try_at = 0, body = '{}'");
    await till.workOnEvents();
    expect(rows()[0]).toMatchObject({
      ...{ state: "parked", attempts: 4, last_error: "rejected: an event that cannot be read" },
    });
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
    expect(await codeOf({ appointmentId: UNKNOWN })).toBe("not_found");
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

it("a refund is tried again by its own id or its payment's, and only one that is stuck", async () => {
  const { id, payment } = await till.bookAndPay();
  till.cancel(id);
  const refund = () => till.rows("SELECT * FROM refund")[0];
  set("DELETE FROM activity");
  const retry = (of: string) => till.retry(of);
  expect(await retry(UNKNOWN)).toMatchObject({ code: "not_found" });
  const untouched = refund();
  expect(await retry(payment.id)).toMatchObject({ value: { id: untouched.id, state: "wanted" } });
  expect([refund(), till.logged()]).toEqual([untouched, []]);
  for (const [state, fault, generation] of [
    ["needs_person", "unknown", 1],
    ["needs_person", "rejected", 2],
    ["needs_person", "balance", 3],
    ["failed", "unknown", 4],
  ] as const) {
    const error = `${fault}: no`;
    set(
      `UPDATE refund SET state = ?, fault = ?, last_error = ?, attempts = 3, next_try_at = NULL,
         lease_until = 9`,
      ...[state, fault, error],
    );
    expect(await retry(generation % 2 ? payment.id : untouched.id)).toMatchObject({ ok: true });
    const again = { attempts: 0, next_try_at: till.clock.now, lease_until: null };
    expect(refund()).toMatchObject({ ...again, state: "wanted", key_generation: generation });
    expect(till.logged().at(-1)).toEqual({
      ...{
        actor: "admin",
        action: "refund_retry",
        target: id,
        after: { refund: untouched.id, status: "wanted" },
      },
      before: { refund: untouched.id, status: state, error },
    });
  }
});
