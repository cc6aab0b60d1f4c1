/** What we say we keep is what the world's books say, whatever the provider's dashboard does. */
import { describe, expect, it } from "vitest";
import type { MessageKind } from "#app/model/messages.ts";
import { WHATSAPP, WHOLE } from "#tests/support/money-outside.ts";
import type { StubRefund } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill({ env: WHATSAPP, isStrict: true });

const outcome = (paymentId: string) => till.outcomeOf(paymentId);
const isSent = (kind: MessageKind) => till.queued(kind).length > 0;

/** How a failed refund becomes known: by its own event, or by nothing but the next look at the order. */
const REPORTS = ["its event", "the next look"] as const;
type Report = (typeof REPORTS)[number];

async function fails(refund: StubRefund, report: Report = "its event"): Promise<void> {
  till.failAtBank(refund);
  if (report === "its event") await till.hear(refund);
  else await till.look();
}

describe("a refund asked for that the dashboard sent instead, until the dashboard's failed", () => {
  it.each(REPORTS)("is owed again, known by %s: of a whole cancellation", async (report) => {
    const { id, payment } = await till.bookAndCancel();
    const other = till.refundInDashboard(payment, WHOLE);
    await till.sendRefunds();
    expect(till.backAtProvider()).toBe(WHOLE);
    await fails(other, report);
    await till.rest();
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([WHOLE, 0]);
    expect(till.pageSays(id)).toContain("Razorpay has sent ₹1,179 to your bank");
    expect(till.pageSays(id)).toContain("Refund: ₹1,179 | Kept: ₹0");
    const mails = (await till.messagesTo("customer")).filter(
      ({ kind }) => kind === "refund_under_way",
    );
    expect(mails.map(({ text }) => /try\s+did\s+not\s+go\s+through/.test(text))).toEqual([
      true,
      false,
    ]);
  });
});

describe("a refund in the dashboard that covers a part and fails", () => {
  it("is owed again to who cancelled: the page says so, and a new try pays it", async () => {
    const { id, payment } = await till.bookAndPay();
    const other = till.refundInDashboard(payment, 50_000);
    await till.hear(other);
    till.cancel(id);
    await till.rest();
    expect(till.backAtProvider()).toBe(WHOLE);
    await fails(other);
    expect(till.pageSays(id)).toMatch(/(The refund of|We have asked Razorpay to send) ₹500 /);
    await till.tryAllAgain();
    await till.rest();
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([WHOLE, 0]);
  });

  it("is kept again, though no event reports it", async () => {
    const { id, payment } = await till.bookAndPay();
    const other = till.refundInDashboard(payment, 50_000);
    await till.hear(other);
    expect(till.keptOf(id)).toBe(WHOLE - 50_000);
    await fails(other, "the next look");
    expect(till.keptOf(id)).toBe(WHOLE);
    expect(isSent("admin_refund_needs_person")).toBe(true);
  });
});

describe("money that had gone back whole when it was first seen, and came again", () => {
  async function returned(orderId: string) {
    const payment = till.pay(orderId);
    const refund = till.refundInDashboard(payment, WHOLE);
    await till.look();
    return { payment, refund };
  }

  it.each(REPORTS)("pays its booking, by %s", async (report) => {
    const id = till.book();
    const { payment, refund } = await returned(await till.order(id));
    expect([outcome(payment.id), till.statusOf(id)]).toEqual(["returned", "pending_payment"]);
    expect(till.rows("SELECT 1 FROM session_time WHERE held_until IS NULL")).toEqual([]);
    await fails(refund, report);
    expect([till.statusOf(id), till.keptOf(id)]).toEqual(["confirmed", WHOLE]);
    await till.rest();
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([0, WHOLE]);
  });

  it("goes back as the second payment that it is", async () => {
    const { id, orderId } = await till.bookAndPay();
    const { payment, refund } = await returned(orderId);
    await fails(refund);
    await till.rest();
    expect([till.backAtProvider(payment), till.keptOf(id)]).toEqual([WHOLE, WHOLE]);
    expect(isSent("payment_refunded")).toBe(true);
  });

  it("goes back on request where it had no booking, and was off the list of unmatched ones", async () => {
    const payment = till.pay(null);
    await till.hearCaptured(payment);
    const refund = till.refundInDashboard(payment, WHOLE);
    await till.hear(refund);
    expect(till.refundUnmatched(payment.id)).toMatchObject({ value: { refund: null } });
    await fails(refund);
    await till.rest();
    expect(till.backAtProvider()).toBe(WHOLE);
  });

  it("is not unmatched anew where the refund that failed was ours", async () => {
    const payment = till.pay(null);
    await till.hearCaptured(payment);
    till.refundUnmatched(payment.id);
    await till.rest();
    await fails(till.razorpay.refunds[0]!);
    expect(outcome(payment.id)).toBe("returned");
    expect(till.queued("admin_unmatched_payment")).toHaveLength(1);
    await till.tryAllAgain();
    await till.rest();
    expect(till.backAtProvider()).toBe(WHOLE);
  });
});
