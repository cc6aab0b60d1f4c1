/** "Try the refund again" pays what is owed, and never twice. */
import { describe, expect, it } from "vitest";
import { DAY, MINUTE } from "#app/model/duration.ts";
import { readOrdersSinceRestore } from "#app/payments/provider-lists.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  backAtProvider,
  failAtBank,
  foreignOrder,
  hear,
  keptOf,
  messagesTo,
  pageSays,
  refundInDashboard,
  rest,
  tryAllAgain,
  WHOLE,
} from "#tests/support/money-outside.ts";
import { BROKEN, refused, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutPayment } from "#tests/support/till.ts";

const till = freshTill({ isStrict: true });

const isSend = (call: string) => call.startsWith("POST /v1/payments");
const tryAgain = (id: string) => till.retry(id);
const refundRows = () => till.rows("SELECT * FROM refund ORDER BY rowid");

describe("trying again a refund that was made in the dashboard and failed", () => {
  async function failed(amount: number) {
    const { id, payment } = await till.bookAndPay();
    const refund = refundInDashboard(till, payment, amount);
    await hear(till, refund);
    failAtBank(till, refund);
    await hear(till, refund);
    expect(keptOf(till, id)).toBe(WHOLE);
    return { id, payment, refundId: refundRows()[0].id as string };
  }

  it.each(["its id", "its payment's"])("by %s, sends it", async (by) => {
    const { id, payment, refundId } = await failed(20_000);
    expect((await tryAgain(by === "its id" ? refundId : payment.id)).ok).toBe(true);
    await rest(till);
    expect([backAtProvider(till), keptOf(till, id)]).toEqual([20_000, WHOLE - 20_000]);
    expect(pageSays(till, id)).toContain("Razorpay has sent ₹200 to your bank");
    expect(till.razorpay.calls.filter(isSend)).toHaveLength(1);
  });

  it("twice, sends it once", async () => {
    const { id, refundId } = await failed(20_000);
    await tryAgain(refundId);
    await tryAgain(refundId);
    await rest(till);
    await tryAgain(refundId);
    await rest(till);
    expect([backAtProvider(till), keptOf(till, id)]).toEqual([20_000, WHOLE - 20_000]);
  });

  it("sends what is left where the booking was cancelled since", async () => {
    const { id, refundId } = await failed(20_000);
    till.cancel(id);
    await tryAgain(refundId);
    await rest(till);
    await tryAllAgain(till);
    await rest(till);
    expect([backAtProvider(till), keptOf(till, id)]).toEqual([WHOLE, 0]);
  });
});

describe("trying again after an answer that was lost and then a refusal that could not be looked into", () => {
  /** The provider has made the refund; it refuses the next try, and cannot be read. */
  async function doubtful() {
    const { id } = await till.bookAndPay();
    till.refundPart(id, { amount: 50_000, reason: "Left early" });
    till.razorpay.isLost = isSend;
    await till.sendRefunds();
    till.razorpay.isLost = () => false;
    till.razorpay.instead = (call) =>
      isSend(call)
        ? refused("The request was refused")
        : call.startsWith("GET")
          ? BROKEN
          : undefined;
    till.clock.now += MINUTE;
    await till.sendRefunds();
    expect(refundRows()).toMatchObject([{ provider_refund_id: null }]);
    return { id, refundId: refundRows()[0].id as string };
  }

  const isPaidOnce = (id: string) => {
    expect(till.razorpay.refunds).toHaveLength(1);
    expect(keptOf(till, id)).toBe(WHOLE - 50_000);
    const [made] = till.razorpay.refunds;
    expect(refundRows()).toMatchObject([{ state: "processed", provider_refund_id: made!.id }]);
  };

  it("finds it, where the provider can be read again", async () => {
    const { id, refundId } = await doubtful();
    till.razorpay.instead = () => undefined;
    await tryAgain(refundId);
    await rest(till);
    isPaidOnce(id);
  });

  it("makes no second one, where the provider still cannot be read", async () => {
    const { id, refundId } = await doubtful();
    await tryAgain(refundId);
    till.razorpay.instead = () => undefined;
    await tryAgain(refundId);
    await rest(till);
    await tryAllAgain(till);
    await rest(till);
    isPaidOnce(id);
  });
});

describe("refunds of an unmatched payment from before it was assigned", () => {
  /** Two went back before, one part since. All three are reported late, in any order. */
  const ORDERS = [
    [1, 0, 2],
    [1, 2, 0],
    [0, 1, 2],
    [2, 1, 0],
  ];

  it.each(ORDERS)("are not the booking's, heard in the order %i, %i, %i", async (...order) => {
    const payment = till.pay(foreignOrder(till).id, { amount: WHOLE + 100_000 });
    const before = [60_000, 40_000].map((amount) => refundInDashboard(till, payment, amount));
    writeSetting(till.deps.db, READ_ORDERS_SINCE_SETTING, String(till.clock.now - DAY));
    await readOrdersSinceRestore(till.deps);
    await till.workOnEvents();
    const id = till.book();
    expect((await till.assign(payment.id, id)).ok).toBe(true);
    const refunds = [...before, refundInDashboard(till, payment, 50_000)];
    for (const which of order) await hear(till, refunds[which]!);
    expect(keptOf(till, id)).toBe(WHOLE - 50_000);
    const notes = "SELECT total_paise FROM document WHERE kind = 'credit_note'";
    expect(till.rows(notes)).toEqual([{ total_paise: 50_000 }]);
    const sent = (await messagesTo(till, "customer")).filter(
      ({ kind }) => kind === "refund_under_way",
    );
    expect(sent.map(({ text }) => text)).toEqual([
      expect.stringContaining("Razorpay has sent ₹500"),
    ]);
  });

  it("are seen when it is assigned, though no event reported them", async () => {
    const [exact, more] = [till.pay(null), till.pay(null, { amount: WHOLE + 40_000 })];
    for (const payment of [exact, more]) {
      await till.tell("payment.captured", aboutPayment(payment));
      refundInDashboard(till, payment, 40_000);
    }
    const id = till.book();
    const assign = ({ id: paymentId }: StubPayment) => till.assign(paymentId, id);
    expect(await assign(exact)).toMatchObject({ code: "amount_mismatch" });
    expect(await assign(more)).toMatchObject({ ok: true });
    expect(keptOf(till, id)).toBe(WHOLE);
  });

  it("are paid again by a new try, if they fail after it", async () => {
    const payment = till.pay(null, { amount: WHOLE + 100_000 });
    await till.tell("payment.captured", aboutPayment(payment));
    const before = refundInDashboard(till, payment, 100_000);
    await hear(till, before);
    const id = till.book();
    expect((await till.assign(payment.id, id)).ok).toBe(true);
    failAtBank(till, before);
    await hear(till, before);
    expect((await messagesTo(till, "admin")).map(({ kind }) => kind)).toContain(
      "admin_refund_needs_person",
    );
    await tryAllAgain(till);
    await rest(till);
    expect([backAtProvider(till), keptOf(till, id)]).toEqual([100_000, WHOLE]);
  });
});
