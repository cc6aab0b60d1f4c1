/** What happens to money while an operation on it waits for the provider: nothing old is acted on. */
import { beforeEach, describe, expect, it } from "vitest";
import { readPayer } from "#app/payments/unmatched.server.ts";
import { updatePayment, updateRefund } from "#db/queries/payments.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR, aboutPayment } from "#tests/support/till.ts";

const NO_BALANCE = refused("Your account does not have enough balance to carry out the refund");

const till = freshTill();

/** Does it when the provider is asked next, before the answer. */
function meanwhile(act: () => void): void {
  till.razorpay.instead = () => {
    till.razorpay.instead = () => undefined;
    act();
    return undefined;
  };
}

describe("a refund of which a person was asked", () => {
  let id: string;
  beforeEach(async () => {
    const { id: appointment } = await till.bookAndPay();
    till.cancel(appointment);
    await till.whileProvider(
      (call) => (call.startsWith("POST") ? NO_BALANCE : undefined),
      () => till.sendRefunds(),
    );
    id = refund().id;
  });
  const refund = () => till.rows("SELECT * FROM refund")[0];
  const set = (change: Parameters<typeof updateRefund>[2]) =>
    updateRefund(till.deps.db, id, change);
  const done = () => till.rows("SELECT 1 FROM activity WHERE action LIKE 'refund_%'").length;

  it.each([
    ["is tried again", { state: "wanted", nextTryAt: 1 }],
    ["is sent", { state: "sent" }],
    ["is accepted", { state: "pending", providerRefundId: "rfnd_ABCDEFGHIJKLMN" }],
    ["is paid back by another", { state: "processed", way: "by_hand", settledAt: 5 }],
    ["went back from the dashboard", { state: "superseded" }],
    ["went back in part", { amountPaise: 100 }],
  ] as const)("is not settled by who has not seen that it %s", async (_, change) => {
    meanwhile(() => set(change));
    const settling = await till.settle(id);
    expect(settling).toMatchObject({ ok: false, code: "stale" });
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
    const retrying = await till.retry(id);
    expect(retrying).toMatchObject({ ok: true, value: { state: change.state } });
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
    await till.tell("payment.captured", aboutPayment(payment));
    [paymentId, booking, other] = [payment.id, till.book(), till.book()];
  });
  const payment = () => till.rows("SELECT * FROM payment WHERE payment_id = ?", paymentId)[0];
  const given = () =>
    updatePayment(till.deps.db, paymentId, { outcome: "assigned", appointmentId: other });
  const assign = () => till.assign(paymentId, booking);

  it("pays no second booking once another has it", async () => {
    meanwhile(given);
    expect(await assign()).toMatchObject({ ok: false, code: "stale" });
    expect([payment().appointment_id, till.booking(booking).status]).toEqual([
      other,
      "pending_payment",
    ]);
  });

  it("pays no booking that was cancelled or paid", async () => {
    meanwhile(() => till.markPaid(booking, { method: "cash" }));
    expect(await assign()).toMatchObject({ code: "already_paid" });
    meanwhile(() => till.cancel(booking));
    expect(await assign()).toMatchObject({ code: "already_cancelled" });
    expect(payment()).toMatchObject({ outcome: "unmatched", appointment_id: null });
  });

  it("has no payer any more once it is a booking's", async () => {
    updatePayment(till.deps.db, paymentId, { payerEmail: null });
    meanwhile(given);
    expect(await readPayer(till.deps, ADMIN_ACTOR, paymentId)).toMatchObject({
      ok: false,
      code: "stale",
    });
    expect(payment().payer_email).toBeNull();
    updatePayment(till.deps.db, paymentId, { outcome: "unmatched", appointmentId: null });
    expect(await readPayer(till.deps, ADMIN_ACTOR, paymentId)).toMatchObject({ ok: true });
    expect(payment().payer_email).toBe("payer@example.in");
  });
});
