/** The ledger's rows as payments and refunds write them: what is on file, and that parts add up. */
import { describe, expect, it } from "vitest";
import { findInvoiceOf } from "#db/queries/documents.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { refundInDashboard, WHOLE } from "#tests/support/money-outside.ts";
import type { StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutPayment, aboutRefund } from "#tests/support/till.ts";

const till = freshTill();

const notes = (id: string) =>
  till.rows(
    "SELECT * FROM document WHERE appointment_id = ? AND kind = 'credit_note' ORDER BY serial",
    id,
  );

/** The provider's own people send money back, and its webhook reports it. */
async function sendBack(payment: StubPayment, amount: number) {
  const refund = refundInDashboard(till, payment, amount);
  await till.tell("refund.processed", aboutRefund(refund));
  return refund;
}

describe("an invoice", () => {
  it.each([
    ["no state", {}, null, "29"],
    ["another state", { state: "27" }, "27", "27"],
  ])("of a customer who gave %s says so", async (_, changes, given, place) => {
    const { id, payment } = await till.bookAndPay(changes);
    expect(findInvoiceOf(till.deps.db, id)).toMatchObject({
      ...{ layout: 2, gstPercent: 18, customerStateCode: given, stateCode: place },
      ...{ paymentId: payment.id, paidMethod: "upi", paidAt: payment.created_at * 1000 },
    });
  });
});

describe("credit notes", () => {
  it.each(["27", "29"])(
    "of parts add up to the invoice of state %s, column by column",
    async (state) => {
      const { id, payment } = await till.bookAndPay({ state });
      for (const paise of [1, 100, 5, 33_333, 7, 50_001]) await sendBack(payment, paise);
      await sendBack(payment, WHOLE - payment.amount_refunded);
      const [invoice] = till.rows("SELECT * FROM document WHERE kind = 'invoice'");
      const issued = notes(id);
      expect(issued).toHaveLength(7);
      for (const column of ["taxable", "cgst", "sgst", "igst", "round_off", "total"]) {
        const sum = issued.reduce((all, note) => all + note[`${column}_paise`], 0);
        expect(sum, column).toBe(invoice[`${column}_paise`]);
      }
      for (const note of issued) {
        expect(note.cgst_paise).toBe(note.sgst_paise);
        expect(note).toMatchObject({
          gst_percent: 18,
          paid_method: "upi",
          customer_state_code: state,
        });
      }
    },
  );

  it("are together never more than the invoice, when a refund fails and another follows", async () => {
    const { id, payment } = await till.bookAndPay();
    const first = await sendBack(payment, 100_000);
    first.status = "failed";
    payment.amount_refunded = 0;
    await till.tell("refund.failed", aboutRefund(first));
    await sendBack(payment, WHOLE);
    expect(notes(id).map((note) => note.total_paise)).toEqual([100_000, 17_900]);
  });

  it.each(["before", "after"])(
    "are not made for what went back before the money was assigned, reported %s that",
    async (reported) => {
      const payment = till.pay(null, { amount: 200_000 });
      const early = [50_000, 32_100].map((amount) => refundInDashboard(till, payment, amount));
      if (reported === "after") till.razorpay.refunds.splice(0);
      await till.tell("payment.captured", aboutPayment(payment));
      till.razorpay.refunds.splice(0, Infinity, ...early);
      const id = till.book();
      expect((await till.assign(payment.id, id)).ok).toBe(true);
      await till.tell("refund.processed", aboutRefund(early[0]!));
      await sendBack(payment, 17_900);
      await till.tell("refund.processed", aboutRefund(early[1]!));
      await sendBack(payment, 100_000);
      expect(notes(id).map((note) => note.total_paise)).toEqual([17_900, 100_000]);
      const mails = till.rows(
        "SELECT data FROM message WHERE kind = 'refund_under_way' AND channel = 'email'",
      );
      expect(mails.map(({ data }) => JSON.parse(data).amountPaise)).toEqual([17_900, 100_000]);
      expect(till.rows("SELECT kept_paise FROM appointment WHERE id = ?", id)).toEqual([
        { kept_paise: 0 },
      ]);
    },
  );
});
