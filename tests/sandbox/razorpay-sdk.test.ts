import { describe, expect, test } from "vitest";
import { settlementReport } from "#scripts/sandbox/razorpay/settlements.ts";
import { sharedSandbox } from "#tests/support/hooks.ts";
import { call, clientOf, newOrder } from "./client.ts";

const sandbox = sharedSandbox({ clockScale: 1 });

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: { statusCode: number; error?: { code: string; description: string } }) => error,
  );

test("a repeated unique receipt gives the same order", async () => {
  const body = { amount: 500, currency: "INR", receipt: "once", unique_receipt: true };
  const first = await call<{ id: string }>(sandbox, "POST", "/v1/orders", body);
  const second = await call<{ id: string }>(sandbox, "POST", "/v1/orders", body);
  expect(second.body.id).toBe(first.body.id);
});

describe("payments", () => {
  test("authorised after the automatic period it is held, after the manual one it goes back", async () => {
    const payment = { isManual: false, automaticMinutes: 12, manualMinutes: 20 };
    const { id } = newOrder(sandbox, 5000, { payment });
    const { razorpay_payment_id } = sandbox.pay(id, { outcome: "late", afterSeconds: 13 * 60 });
    const status = () => sandbox.ledger.payments.get(razorpay_payment_id)?.status;
    sandbox.clock.advance(14 * 60);
    await expect.poll(status).toBe("authorized");
    sandbox.clock.advance(8 * 60);
    await expect.poll(status).toBe("refunded");
    expect(sandbox.ledger.payments.get(razorpay_payment_id)?.captured).toBe(false);
  });

  test("a paid order takes no other payment; a failed one may be tried again", async () => {
    const order = newOrder(sandbox);
    expect(sandbox.pay(order.id, { outcome: "failed" }).payment.status).toBe("failed");
    expect(sandbox.ledger.orders.get(order.id)).toMatchObject({ status: "attempted", attempts: 1 });
    sandbox.pay(order.id);
    expect(() => sandbox.pay(order.id)).toThrow(/order is already paid/);
    sandbox.pay(order.id, { force: true });
    expect(sandbox.ledger.paymentsOf(order.id)).toHaveLength(3);
  });
});

test("refunds in parts, then the rest, then no more", async () => {
  const { payments } = clientOf(sandbox);
  const { razorpay_payment_id: id } = sandbox.pay(newOrder(sandbox, 10_000).id);
  const partly = { status: "captured", amount_refunded: 4000, refund_status: "partial" };
  await payments.refund(id, { amount: 4000 });
  expect(await payments.fetch(id)).toMatchObject(partly);
  expect(await rejection(payments.refund(id, { amount: 7000 }))).toMatchObject({
    error: { description: "The total refund amount is greater than the refund payment amount" },
  });
  expect(await payments.refund(id, {})).toMatchObject({ amount: 6000, status: "processed" });
  expect(await payments.fetch(id)).toMatchObject({ status: "refunded", refund_status: "full" });
});

describe("disputes", () => {
  test("one is moved through phases, each with its event, and lists hold what was made", async () => {
    const { disputes, payments, refunds } = clientOf(sandbox);
    const { payment } = sandbox.pay(newOrder(sandbox, 10_000).id);
    const { desk } = sandbox;
    const dispute = desk.openDispute(sandbox.ledger.requirePayment(payment.id));
    expect(await disputes.fetch(dispute.id)).toMatchObject({ phase: "chargeback", status: "open" });
    desk.moveDispute(dispute, { status: "won" });
    desk.moveDispute(dispute, { phase: "pre_arbitration", status: "open" });
    desk.moveDispute(dispute, { status: "lost", amount_deducted: 9_000 });
    expect(await disputes.fetch(dispute.id)).toMatchObject({
      phase: "pre_arbitration",
      status: "lost",
      amount: 10_000,
      amount_deducted: 9_000,
    });
    expect(sandbox.events.sent.slice(-4).map(({ event }) => event)).toEqual(
      ["created", "won", "action_required", "lost"].map((name) => `payment.dispute.${name}`),
    );
    expect((await disputes.all()).items.map((one) => one.id)).toEqual([dispute.id]);
    desk.create(sandbox.ledger.requirePayment(payment.id), { amount: 100 });
    expect((await refunds.all({ count: 1 })).items).toMatchObject([{ payment_id: payment.id }]);
    expect((await payments.all({ count: 1 })).items).toMatchObject([{ id: payment.id }]);
    expect((await payments.all({ to: 1 })).items).toEqual([]);
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
});

describe("settlements", () => {
  test("name what was captured and refunded two minutes later, and add up to the bank", async () => {
    const client = clientOf(sandbox);
    const order = await client.orders.create({ amount: 117900, currency: "INR" });
    const paid = sandbox.pay(order.id, {});
    const monthOf = (seconds: number) => {
      const day = new Date(seconds * 1000 + 19_800_000);
      return { year: day.getUTCFullYear(), month: day.getUTCMonth() + 1 };
    };
    const asked = monthOf(Date.now() / 1000);
    const report = await client.settlements.reports({ ...asked, count: 100 });
    expect(report).toMatchObject({ entity: "collection", count: 0, items: [] });

    const later = Math.floor(Date.now() / 1000) + 200;
    const { year, month } = monthOf(later);
    const query = new URLSearchParams({ year: `${year}`, month: `${month}`, count: "100" });
    const { items } = settlementReport(sandbox.ledger, query, later);
    expect(items.find(({ entity_id }) => entity_id === paid.razorpay_payment_id)).toMatchObject({
      type: "payment",
      amount: 117900,
      fee: 2782,
      tax: 424,
      credit: 115118,
      debit: 0,
      settlement_id: expect.stringMatching(/^setl_\w{14}$/),
      settlement_utr: expect.any(String),
    });
    const wrong = client.settlements.reports({ year: 2026, month: 13, count: 1 });
    expect(await rejection(wrong)).toMatchObject({
      error: { description: "The month is not a valid month." },
    });
  });
});
