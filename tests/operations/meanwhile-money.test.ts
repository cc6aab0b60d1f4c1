/** What the app and the provider know of money at different moments: nothing old is acted on, no refund is missed or made twice. */
import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE } from "#app/model/dates.ts";
import { updatePayment, updateRefund } from "#db/queries/payments.server.ts";
import { isSend, WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, stubId } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

/** Does it when the provider is asked next, before the answer. */
function meanwhile(act: () => void): void {
  till.razorpay.instead = () => {
    till.razorpay.instead = () => undefined;
    act();
    return undefined;
  };
}

describe("a refund of which a person was asked", () => {
  const refund = () => till.rows("SELECT * FROM refund")[0];
  const done = () => till.rows("SELECT 1 FROM activity WHERE action LIKE 'refund_%'").length;
  let id: string;
  beforeEach(async () => {
    await till.bookAndCancel();
    await till.sendRefused();
    id = refund().id;
  });
  const set = (change: Parameters<typeof updateRefund>[2]) =>
    updateRefund(till.deps.db, id, change);

  it.each([
    ["is tried again", { state: "wanted", nextTryAt: 1 }],
    ["is sent", { state: "sent" }],
    ["is accepted", { state: "pending", providerRefundId: "rfnd_ABCDEFGHIJKLMN" }],
    ["is paid back by another", { state: "processed", way: "by_hand", settledAt: 5 }],
    ["went back from the dashboard", { state: "superseded" }],
    ["went back in part", { amountPaise: 100 }],
    ["may be made after all", { fault: "down" }],
  ] as const)("is not settled by who has not seen that it %s", async (_, change) => {
    meanwhile(() => set(change));
    expect(await till.settle(id)).toMatchObject({ ok: false, code: "stale" });
    expect(refund()).toMatchObject({ settled_at: "settledAt" in change ? change.settledAt : null });
    expect([done(), till.rows("SELECT 1 FROM document WHERE kind = 'credit_note'")]).toEqual([
      0,
      [],
    ]);
  });

  it.each([
    ["is under way", { state: "sent", leaseUntil: null }],
    ["was paid back by hand", { state: "processed", way: "by_hand", settledAt: 5 }],
  ] as const)("is not tried again by who has not seen that it %s", async (_, change) => {
    meanwhile(() => set(change));
    expect(await till.retry(id)).toMatchObject({ ok: true, value: { state: change.state } });
    expect([refund().state, done()]).toEqual([change.state, 0]);
  });
});

it("a payment that cannot be read is not shown as being checked once its webhook has come", async () => {
  const { id, orderId } = await till.bookAndOrder();
  const paymentId = till.pay(orderId).id;
  till.razorpay.instead = () => {
    till.markPaid(id, { method: "cash" });
    return BROKEN;
  };
  const claim = till.claim(id, orderId, paymentId);
  expect(await till.verify(claim)).toMatchObject({
    value: { checking: false, appointment: { status: "confirmed" } },
  });
});

describe("money of which nobody knows whose it is", () => {
  let paymentId: string;
  let booking: string;
  let other: string;
  beforeEach(async () => {
    const payment = till.pay(null, { email: "payer@example.in" });
    await till.hearCaptured(payment);
    [paymentId, booking, other] = [payment.id, till.book(), till.book()];
  });
  const payment = () => till.rows("SELECT * FROM payment WHERE payment_id = ?", paymentId)[0];
  const update = (change: Parameters<typeof updatePayment>[2]) =>
    updatePayment(till.deps.db, paymentId, change);
  const given = () => update({ outcome: "assigned", appointmentId: other });
  const assign = () => till.assign(paymentId, booking);

  it("pays no second booking once another has it", async () => {
    meanwhile(given);
    expect(await assign()).toMatchObject({ ok: false, code: "stale" });
    expect(payment().appointment_id).toBe(other);
    expect(till.statusOf(booking)).toBe("pending_payment");
  });

  it("pays no booking that was cancelled or paid", async () => {
    meanwhile(() => till.markPaid(booking, { method: "cash" }));
    expect(await assign()).toMatchObject({ code: "already_paid" });
    meanwhile(() => till.cancel(booking));
    expect(await assign()).toMatchObject({ code: "already_cancelled" });
    expect(payment()).toMatchObject({ outcome: "unmatched", appointment_id: null });
  });
});

const isAsked = () => till.queued("admin_refund_needs_person").length;
/** Orders that were not read without an error. */
const misread = () => till.rows("SELECT 1 FROM payment_order WHERE last_error IS NOT NULL");

it("a refund that failed is owed, though the payment is counted as gone back for a while", async () => {
  const { id, payment } = await till.bookAndCancel();
  await till.sendRefunds();
  const [made] = till.razorpay.refunds;
  made!.status = "failed";
  for (const time of [1, 2]) {
    await till.hear(made!);
    expect([till.refundLines(), isAsked()], `time ${time}`).toEqual([
      [`provider failed ${WHOLE}`],
      1,
    ]);
  }
  await till.tryAllAgain();
  await till.hear(made!);
  await till.look();
  expect(till.refundLines()).toEqual([`provider wanted ${WHOLE}`]);
  payment.amount_refunded = 0;
  await till.rest();
  expect([till.backAtProvider(), till.keptOf(id)]).toEqual([WHOLE, 0]);
});

it("a refund that is counted but not listed stays counted while another is sent, and is listed later", async () => {
  const { id, payment } = await till.bookAndPay();
  payment.amount_refunded = 40_000;
  await till.look();
  expect(till.keptOf(id)).toBe(WHOLE - 40_000);
  till.cancel(id);
  await till.sendRefunds();
  const listed = { id: stubId("rfnd"), payment_id: payment.id, amount: 40_000 };
  for (const state of ["pending", "processed"]) {
    expect([till.keptOf(id), misread(), till.refundLines()]).toEqual([
      ...[0, []],
      [
        ...[`dashboard ${state} 40000`, `provider pending ${WHOLE - 40_000}`],
        "provider superseded 40000",
      ],
    ]);
    till.razorpay.refunds.push({ ...listed, status: "processed" });
    await till.look();
  }
});

it("a lost answer that is counted before it is listed is one refund, and is ours", async () => {
  const { id } = await till.bookAndCancel();
  till.razorpay.isLost = isSend;
  await till.sendRefunds();
  till.razorpay.isLost = () => false;
  const none = { status: 200, body: { entity: "collection", items: [] } };
  await till.whileProvider(
    (call) => (call.endsWith("/refunds") ? none : undefined),
    () => till.look(),
  );
  expect(till.refundLines()).toEqual([
    `dashboard pending ${WHOLE}`,
    `provider superseded ${WHOLE}`,
  ]);
  till.clock.now += MINUTE;
  await till.look();
  expect([misread(), till.refundLines()]).toEqual([[], [`provider pending ${WHOLE}`]]);
  await till.rest();
  expect([till.backAtProvider(), till.keptOf(id)]).toEqual([WHOLE, 0]);
  expect(till.razorpay.refunds).toHaveLength(1);
});

it("a refund of the dashboard as large as what another superseded is a refund of its own", async () => {
  const { id, payment } = await till.bookAndPay();
  await till.hear(till.refundInDashboard(payment, 30_000));
  till.cancel(id);
  await till.hear(till.refundInDashboard(payment, 30_000));
  expect([misread(), till.refundLines(), till.keptOf(id)]).toEqual([
    [],
    [
      ...["dashboard processed 30000", "dashboard processed 30000"],
      ...["provider superseded 30000", "provider superseded 30000"],
      `provider wanted ${WHOLE - 60_000}`,
    ],
    0,
  ]);
});

it("a refund that failed and was sent anew in the dashboard is that refund, and is paid once", async () => {
  const { id, payment } = await till.bookAndPay();
  till.refundPart(id, { amount: 50_000, reason: "It began late" });
  await till.rest();
  await till.hearFailed();
  const anew = till.refundInDashboard(payment, 50_000, "pending");
  await till.hear(anew);
  expect(till.refundLines()).toEqual(["provider pending 50000"]);
  await till.tryAllAgain();
  await till.rest();
  expect(till.refundLines()).toEqual(["provider processed 50000"]);
  expect([till.backAtProvider(), till.keptOf(id)]).toEqual([50_000, WHOLE - 50_000]);
});
