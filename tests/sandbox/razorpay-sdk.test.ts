import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "#scripts/sandbox/sandbox.ts";
import { call, clientOf } from "./client.ts";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ clockScale: 1 });
});
afterAll(() => sandbox.close());

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { statusCode: number; error?: { code: string; description: string } }) => error,
  );

describe("orders", () => {
  test("create, fetch, edit, find by receipt", async () => {
    const { orders } = clientOf(sandbox);
    const made = await orders.create({ amount: 117900, currency: "INR", receipt: "booking-1" });
    expect(made).toMatchObject({
      entity: "order",
      amount: 117900,
      amount_paid: 0,
      amount_due: 117900,
      currency: "INR",
      receipt: "booking-1",
      offer_id: null,
      status: "created",
      attempts: 0,
      notes: [],
    });
    expect(await orders.fetch(made.id)).toEqual(made);
    const edited = await orders.edit(made.id, { notes: { booking: "1" } });
    expect(edited.notes).toEqual({ booking: "1" });
    const found = await orders.all({ receipt: "booking-1" });
    expect(found.items.map(({ id }) => id)).toEqual([made.id]);
  });

  test("expand in the SDK's spelling embeds the payments", async () => {
    const { orders } = clientOf(sandbox);
    const made = await orders.create({ amount: 500, receipt: "expand-1", currency: "INR" });
    sandbox.pay(made.id);
    const listed = await orders.all({ receipt: "expand-1", "expand[]": "payments" });
    const [order] = listed.items as unknown as { payments: { count: number } }[];
    expect(order?.payments.count).toBe(1);
  });

  test("a repeated unique receipt gives the same order", async () => {
    const body = { amount: 500, currency: "INR", receipt: "once", unique_receipt: true };
    const first = await call<{ id: string }>(sandbox, "POST", "/v1/orders", body);
    const second = await call<{ id: string }>(sandbox, "POST", "/v1/orders", body);
    expect(second.body.id).toBe(first.body.id);
  });

  test.each([
    [{ amount: 99, currency: "INR" }, "The amount must be at least INR 1.00."],
    [{ amount: 100.5, currency: "INR" }, "The amount must be an integer."],
    [{ currency: "INR" }, "The amount field is required."],
    [{ amount: 100 }, "The currency field is required."],
    [
      { amount: 100, currency: "INR", receipt: "x".repeat(41) },
      "receipt: the length must be no more than 40.",
    ],
    [
      { amount: 100, currency: "INR", expire_by: 1 },
      "expire_by is/are not required and should not be sent",
    ],
  ])("refuses %j", async (body, description) => {
    const answer = await call(sandbox, "POST", "/v1/orders", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: "BAD_REQUEST_ERROR", description });
  });
});

describe("payments", () => {
  test("an automatic capture pays the order", async () => {
    const client = clientOf(sandbox);
    const order = await client.orders.create({ amount: 117900, currency: "INR" });
    const paid = sandbox.pay(order.id, { method: "card" });
    const payment = await client.payments.fetch(paid.razorpay_payment_id);
    expect(payment).toMatchObject({
      status: "captured",
      captured: true,
      amount: 117900,
      order_id: order.id,
      method: "card",
      fee: 2782,
      tax: 424,
    });
    expect((await client.orders.fetchPayments(order.id)).count).toBe(1);
    expect(await client.orders.fetch(order.id)).toMatchObject({
      status: "paid",
      amount_paid: 117900,
      amount_due: 0,
      attempts: 1,
    });
  });

  test("manual capture: the full amount, once", async () => {
    const client = clientOf(sandbox);
    const order = await client.orders.create({
      amount: 5000,
      currency: "INR",
      payment: {
        capture: "manual",
        capture_options: { manual_expiry_period: 7200, refund_speed: "normal" },
      },
    } as Parameters<typeof client.orders.create>[0]);
    const { razorpay_payment_id: id } = sandbox.pay(order.id);
    expect((await client.payments.fetch(id)).status).toBe("authorized");
    expect(await rejection(client.payments.capture(id, 4000, "INR"))).toMatchObject({
      statusCode: 400,
      error: { description: "Capture amount must be equal to the amount authorized" },
    });
    expect((await client.payments.capture(id, 5000, "INR")).status).toBe("captured");
    expect(await rejection(client.payments.capture(id, 5000, "INR"))).toMatchObject({
      error: { description: "This payment has already been captured" },
    });
  });

  test("authorised after the automatic period it is held, after the manual one it goes back", async () => {
    const order = sandbox.ledger.createOrder({
      amount: 5000,
      currency: "INR",
      receipt: null,
      notes: [],
      capture: { mode: "automatic", automaticMinutes: 12, manualMinutes: 20 },
    });
    const { payment } = sandbox.pay(order.id, { elapsedMinutes: 13 });
    expect(payment.status).toBe("authorized");
    sandbox.clock.advance(8 * 60);
    await expect.poll(() => sandbox.ledger.payments.get(payment.id)?.status).toBe("refunded");
    expect(sandbox.ledger.payments.get(payment.id)?.captured).toBe(false);
  });

  test("a paid order takes no other payment; a failed one may be tried again", async () => {
    const order = sandbox.ledger.createOrder({
      amount: 5000,
      currency: "INR",
      receipt: null,
      notes: [],
    });
    expect(sandbox.pay(order.id, { outcome: "failed" }).payment.status).toBe("failed");
    expect(sandbox.ledger.orders.get(order.id)).toMatchObject({ status: "attempted", attempts: 1 });
    sandbox.pay(order.id);
    expect(() => sandbox.pay(order.id)).toThrow(/order is already paid/);
    sandbox.pay(order.id, { force: true });
    expect(sandbox.ledger.paymentsOf(order.id)).toHaveLength(3);
  });

  test("a late payment of an order paid meanwhile goes straight back", async () => {
    const order = sandbox.ledger.createOrder({
      amount: 5000,
      currency: "INR",
      receipt: null,
      notes: [],
    });
    const late = sandbox.pay(order.id, { outcome: "late", afterSeconds: 100 });
    sandbox.pay(order.id);
    sandbox.clock.advance(101);
    await expect
      .poll(() => sandbox.ledger.payments.get(late.razorpay_payment_id)?.status)
      .toBe("refunded");
  });
});

describe("refunds", () => {
  test("partial, then the rest, then no more", async () => {
    const client = clientOf(sandbox);
    const order = await client.orders.create({ amount: 10000, currency: "INR" });
    const { razorpay_payment_id: id } = sandbox.pay(order.id);
    const first = await client.payments.refund(id, { amount: 4000 });
    expect(first).toMatchObject({
      entity: "refund",
      amount: 4000,
      payment_id: id,
      status: "processed",
      speed_requested: "normal",
      speed_processed: "normal",
      acquirer_data: { arn: null },
    });
    expect(await client.payments.fetch(id)).toMatchObject({
      status: "captured",
      amount_refunded: 4000,
      refund_status: "partial",
    });
    expect(await rejection(client.payments.refund(id, { amount: 7000 }))).toMatchObject({
      error: {
        description: "The total refund amount is greater than the refund payment amount",
      },
    });
    const rest = await client.payments.refund(id, {});
    expect(rest.amount).toBe(6000);
    expect(await client.payments.fetch(id)).toMatchObject({
      status: "refunded",
      refund_status: "full",
    });
    expect(await rejection(client.payments.refund(id, {}))).toMatchObject({
      statusCode: 400,
      error: { description: "The payment has been fully refunded already" },
    });
    expect((await client.payments.fetchMultipleRefund(id, {})).count).toBe(2);
    expect((await client.payments.fetchRefund(id, first.id)).id).toBe(first.id);
    expect((await client.refunds.fetch(rest.id)).amount).toBe(6000);
    const listed = await call<{ count: number }>(sandbox, "GET", `/v1/payments/${id}/refunds`);
    expect(listed.body.count).toBe(2);
    expect((await client.refunds.edit(rest.id, { notes: { why: "moved" } })).notes).toEqual({
      why: "moved",
    });
    expect((await client.orders.fetch(order.id)).status).toBe("paid");
  });
});

describe("errors as the SDK shows them", () => {
  test("wrong keys, unknown and malformed ids, unknown address", async () => {
    const bad = clientOf(sandbox, "wrong");
    expect(await rejection(bad.orders.fetch("order_AAAAAAAAAAAAAA"))).toMatchObject({
      statusCode: 401,
      error: { description: "Authentication failed" },
    });
    const { orders } = clientOf(sandbox);
    expect(await rejection(orders.fetch("order_AAAAAAAAAAAAAA"))).toMatchObject({
      statusCode: 400,
      error: { code: "BAD_REQUEST_ERROR", description: "The id provided does not exist" },
    });
    expect(await rejection(orders.fetch("nonsense"))).toMatchObject({
      error: { description: "nonsense is not a valid id" },
    });
    const unknown = await call(sandbox, "DELETE", "/v1/orders");
    expect(unknown.status).toBe(400);
    expect(unknown.body.error.description).toBe("The requested URL was not found on the server");
  });

  test("an HTML error has no error object, a body of null is a TypeError, a cut connection too", async () => {
    const { orders } = clientOf(sandbox);
    const order = await orders.create({ amount: 500, currency: "INR" });
    sandbox.switches.set({ name: "api_html_error", value: 502, count: 1 });
    const page = await rejection(orders.fetch(order.id));
    expect(page).toEqual({ statusCode: 502, error: undefined });
    sandbox.switches.set({ name: "api_json_error", value: 500, count: 1 });
    expect(await rejection(orders.fetch(order.id))).toMatchObject({
      statusCode: 500,
      error: { code: "SERVER_ERROR" },
    });
    sandbox.switches.set({ name: "api_null", value: 500, count: 1 });
    expect(await rejection(orders.fetch(order.id))).toBeInstanceOf(TypeError);
    sandbox.switches.set({ name: "api_reset", count: 1 });
    expect(await rejection(orders.fetch(order.id))).toBeInstanceOf(TypeError);
    expect((await orders.fetch(order.id)).id).toBe(order.id);
  });
});
