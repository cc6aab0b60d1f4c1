/** Money goes on between a message's cause and its sending, and what is said and kept follows it. */
import { describe, expect, it } from "vitest";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import { DAY, HOUR } from "#app/model/duration.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  disputeAtBank,
  failAtBank,
  hear,
  hearFailed,
  keptOf,
  messagesTo,
  pageSays,
  refundInDashboard,
  rest,
  sendRefused,
  WHOLE,
} from "#tests/support/money-outside.ts";
import type { StubPayment } from "#tests/support/razorpay-stub.ts";
import { ADMIN_ACTOR } from "#tests/support/till.ts";

const till = freshTill({ isStrict: true });

const refunds = () => till.rows("SELECT id, state, way FROM refund ORDER BY rowid");

/** The mails of a kind to the admin, as they would go out now. */
async function toAdmin(kind: string): Promise<string[]> {
  return (await messagesTo(till, "admin"))
    .filter((one) => one.kind === kind)
    .map(({ text }) => text);
}

async function hearDispute(payment: StubPayment, status: string): Promise<void> {
  const entity = disputeAtBank(till, payment, { status, respond_by: null });
  await till.tell(`payment.dispute.${status}`, { dispute: { entity } });
}

function erase(id: string): void {
  const { email } = till.booking(id).contact;
  const erased = eraseCustomer(till.deps, ADMIN_ACTOR, findCustomerId(till.deps.db, email)!);
  if (!erased.ok) throw new Error(erased.message);
}

describe("nobody is asked to see to a refund", () => {
  const ASKS = "admin_refund_needs_person";

  it("that was marked as paid back before the mail went out", async () => {
    till.cancel(till.bookByStaff().id);
    expect(await toAdmin(ASKS)).toHaveLength(1);
    await till.settle(refunds()[0].id);
    expect(await toAdmin(ASKS)).toEqual([]);
  });

  it("that was sent in the dashboard instead, in parts", async () => {
    const { id, payment } = await till.bookAndPay();
    till.cancel(id);
    await sendRefused(till);
    expect(await toAdmin(ASKS)).toHaveLength(1);
    refundInDashboard(till, payment, 50_000);
    await hear(till, refundInDashboard(till, payment, WHOLE - 50_000));
    expect(refunds()[0]).toMatchObject({ way: "provider", state: "superseded" });
    expect(await toAdmin(ASKS)).toEqual([]);
  });

  it("whose failure is reported with the dashboard's refund that took its place", async () => {
    const { id, payment } = await till.bookAndPay();
    till.cancel(id);
    await till.sendRefunds();
    failAtBank(till, till.razorpay.refunds[0]!);
    refundInDashboard(till, payment, WHOLE);
    // The provider lists the newest first.
    till.razorpay.refunds.reverse();
    await till.look();
    expect(await toAdmin(ASKS)).toEqual([]);
    expect(keptOf(till, id)).toBe(0);
  });

  it("that the bank took back", async () => {
    const { id, payment } = await till.bookAndPay();
    till.cancel(id);
    await sendRefused(till);
    await hearDispute(payment, "lost");
    expect(await toAdmin(ASKS)).toEqual([]);
  });
});

it("a refund that fails after it was asked about and then accepted is asked about again", async () => {
  const { id } = await till.bookAndPay();
  till.cancel(id);
  await sendRefused(till);
  const asked = () => till.rows("SELECT 1 FROM message WHERE kind = 'admin_refund_needs_person'");
  expect(asked()).toHaveLength(1);
  till.clock.now += 3 * HOUR;
  await till.sendRefunds();
  expect(refunds()).toMatchObject([{ state: "pending" }]);
  await hearFailed(till);
  expect(refunds()).toMatchObject([{ state: "failed" }]);
  expect(asked()).toHaveLength(2);
});

describe("the admin's mail does not say that an erased customer was notified", () => {
  const NOBODY = "The customer is erased, so nobody is notified.";

  it("of late money", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.cancel(id);
    erase(id);
    till.pay(orderId);
    await till.look();
    const [mail] = await toAdmin("admin_late_refund");
    expect(mail).not.toContain("has been notified");
    expect(mail).toContain(NOBODY);
  });

  it("of a refund made in the dashboard", async () => {
    const { id, payment } = await till.bookAndPay();
    till.clock.now = till.booking(id).startsAt + 2 * HOUR;
    erase(id);
    await hear(till, refundInDashboard(till, payment, WHOLE));
    const [mail] = await toAdmin("admin_provider_refund");
    expect(mail).not.toContain("has been notified");
    expect(mail).toContain(NOBODY);
  });
});

it("an unpaid booking whose late money went back and was taken by the bank too is erased", async () => {
  const { id, orderId } = await till.bookAndOrder();
  till.cancel(id);
  const payment = till.pay(orderId);
  await till.look();
  await rest(till);
  await hearDispute(payment, "lost");
  expect(keptOf(till, id)).toBe(-WHOLE);
  till.clock.now += 100 * DAY;
  await till.sweep();
  expect(till.booking(id).contact.email).toBe("");
});

it("a won dispute says nothing of money that goes back all the same", async () => {
  const { id, payment } = await till.bookAndPay();
  till.cancel(id);
  await rest(till);
  await hearDispute(payment, "won");
  const [mail] = await toAdmin("admin_dispute");
  expect(keptOf(till, id)).toBe(0);
  expect(mail).toContain("no longer asks for ₹1,179.");
  expect(mail).not.toMatch(/stays/);
});

it("the dashboard's refund of a second payment is not shown as the cancellation's", async () => {
  const { id, payment, orderId } = await till.bookAndPay();
  const second = till.pay(orderId);
  await till.look();
  await sendRefused(till);
  refundInDashboard(till, second, 50_000);
  await hear(till, refundInDashboard(till, second, WHOLE - 50_000));
  till.cancel(id);
  await hearDispute(payment, "lost");
  expect(pageSays(till, id)).not.toContain("refund sent");
});
