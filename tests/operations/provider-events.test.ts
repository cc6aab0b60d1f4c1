/** Webhooks recorded and worked on: what the provider confirms counts, whatever they say. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "#app/model/duration.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { refundInDashboard } from "#tests/support/money-outside.ts";
import { BROKEN, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutPayment, aboutRefund } from "#tests/support/till.ts";

const till = freshTill();

const events = () =>
  till.rows("SELECT kind, state, attempts, next_try_at, last_error FROM provider_event");

async function ordered() {
  const id = till.book();
  return { id, payment: till.pay(await till.order(id)) };
}

const captured = (payment: StubPayment) => till.tell("payment.captured", aboutPayment(payment));

it("an event that the provider cannot confirm now is tried again after a second, then after two, and does not hold up others", async () => {
  const first = await ordered();
  const second = await ordered();
  till.razorpay.instead = (call) => (call.endsWith(first.payment.id) ? BROKEN : undefined);
  await captured(first.payment);
  expect(events()).toMatchObject([
    { state: "new", attempts: 1, next_try_at: till.clock.now + 1_000 },
  ]);
  await captured(second.payment);
  expect(events().map(({ state }) => state)).toEqual(["new", "done"]);
  expect(await till.workOnEvents()).toBe(0);
  till.clock.now += 1_000;
  expect(await till.workOnEvents()).toBe(0);
  expect(events()[0]).toMatchObject({ attempts: 2, next_try_at: till.clock.now + 2_000 });
  till.razorpay.instead = () => undefined;
  till.clock.now += 2_000;
  expect(await till.workOnEvents()).toBe(1);
  expect(till.rows("SELECT status FROM appointment")).toEqual([
    { status: "confirmed" },
    { status: "confirmed" },
  ]);
});

it("an event or an order in hand when the process dies is due again within 10 seconds", async () => {
  const { payment } = await ordered();
  const left: number[] = [];
  let rows = "SELECT next_try_at AS at FROM provider_event";
  till.razorpay.instead = () => {
    left.push(till.rows(rows)[0].at - till.clock.now);
    return BROKEN;
  };
  await captured(payment);
  rows = "SELECT next_check_at AS at FROM payment_order";
  till.clock.now += 15 * MINUTE;
  await till.reconcile();
  expect(left).toHaveLength(2);
  for (const ms of left) {
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(10_000);
  }
});

describe("an event", () => {
  it("of something the provider does not know is retried for a day, for keys may be changing, then parked", async () => {
    const { payment } = await ordered();
    till.razorpay.payments.length = 0;
    await captured(payment);
    expect(events()).toMatchObject([{ state: "new", attempts: 1 }]);
    till.clock.now += DAY;
    await till.workOnEvents();
    expect(events()).toMatchObject([{ state: "new", attempts: 2 }]);
    till.clock.now += 60 * MINUTE;
    await till.workOnEvents();
    expect(events()).toMatchObject([{ state: "parked", attempts: 3, next_try_at: null }]);
    expect(till.rows("SELECT 1 FROM payment")).toEqual([]);
  });

  it("of an unknown kind, or with malformed ids, is done and asks nothing", async () => {
    const calls = till.razorpay.calls.length;
    const odd = "pay_../../settlements";
    await till.tell("settlement.processed", {});
    await till.tell("payment.captured", { payment: { entity: { id: odd } } });
    await till.tell("refund.processed", { refund: { entity: { id: odd, payment_id: odd } } });
    expect(events().map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(till.razorpay.calls).toHaveLength(calls);
  });

  it("without a kind is not recorded", () => {
    const record = (text: string) => {
      const [secret] = till.deps.env.razorpay.webhookSecrets;
      const signature = createHmac("sha256", secret!).update(text).digest("hex");
      return recordEvent(till.deps, { body: Buffer.from(text), signature, eventId: null });
    };
    for (const text of ["", "{}", "[]", '{"event":7}', '{"event":"x","payload":{"payment":{}}}']) {
      expect(record(text), text).toMatchObject({ ok: false, code: "malformed_json" });
    }
    expect(events()).toEqual([]);
    // Equal bodies without an id are one event.
    expect(record('{"event":"x"}')).toMatchObject({ value: { isNew: true } });
    expect(record('{"event":"x"}')).toMatchObject({ value: { isNew: false } });
    expect(record('{"event":"y"}')).toMatchObject({ value: { isNew: true } });
  });
});

describe("what an event says", () => {
  it("counts for nothing: the payment is as the provider shows it", async () => {
    const { id, payment } = await ordered();
    payment.status = "failed";
    await captured({ ...payment, status: "captured" });
    expect(till.rows("SELECT outcome FROM payment")).toEqual([{ outcome: "failed" }]);
    expect(till.rows("SELECT status FROM appointment WHERE id = ?", id)).toEqual([
      { status: "pending_payment" },
    ]);
  });

  it("brings the refunds whose own events did not come", async () => {
    const { payment } = await till.bookAndPay();
    await till.bookAndPay();
    refundInDashboard(till, payment, 900);
    await captured(payment);
    expect(till.rows("SELECT payment_id, amount_paise, way, state FROM refund")).toEqual([
      { payment_id: payment.id, amount_paise: 900, way: "dashboard", state: "processed" },
    ]);
    const read = till.razorpay.calls.length;
    await captured(payment);
    // One of them may have failed since.
    expect(till.razorpay.calls.slice(read)).toEqual([
      ...[`GET /v1/payments/${payment.id}`, `GET /v1/payments/${payment.id}/refunds`],
    ]);
    const plain = (await till.bookAndPay()).payment;
    const unread = till.razorpay.calls.length;
    await captured(plain);
    expect(till.razorpay.calls.slice(unread)).toEqual([`GET /v1/payments/${plain.id}`]);
  });

  it("brings the payment with its refund, and the amounts of both", async () => {
    const { payment } = await till.bookAndPay();
    refundInDashboard(till, payment, 900);
    const wakes = till.wakes();
    await till.tell("refund.processed", aboutRefund(till.razorpay.refunds[0]!));
    expect(till.rows("SELECT refunded_paise FROM payment")).toEqual([{ refunded_paise: 900 }]);
    expect(till.rows("SELECT total_paise FROM document WHERE kind = 'credit_note'")).toEqual([
      { total_paise: 900 },
    ]);
    // For the event, and for what it caused.
    expect(till.wakes()).toBeGreaterThanOrEqual(wakes + 2);
  });
});
