/** Money that goes back: its credit notes, which add up, and what customer and admin get by mail about it. */
import { describe, expect, it } from "vitest";
import { adminInstant, DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import type { Audience } from "#app/model/messages.ts";
import { readDetails } from "#app/routes/admin/appointments/appointment-view.server.ts";
import { findInvoiceOf } from "#db/queries/documents.server.ts";
import { WHATSAPP, WHOLE } from "#tests/support/money-outside.ts";
import type { StubPayment, StubRefund } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill({ env: WHATSAPP });

const send = () => till.sendRefunds();
const notices = () =>
  till
    .rows(
      "SELECT kind, channel FROM message WHERE kind IN ('refund_under_way', 'admin_provider_refund') ORDER BY created_at, kind, channel",
    )
    .map(({ kind, channel }) => `${kind} ${channel}`);
/** The file of a refund's credit note. */
function fileOf({ id }: StubRefund): string {
  const sql = `SELECT number FROM document WHERE refund_id =
    (SELECT id FROM refund WHERE provider_refund_id = ?)`;
  return `credit-note-${till.rows(sql, id)[0].number.replaceAll("/", "-")}.pdf`;
}

/** The mails of a kind as they would go out now, oldest first. */
const mailsOf = async (kind: string, audience: Audience = "customer") =>
  (await till.messagesTo(audience)).filter((one) => one.kind === kind && one.files);

/** The provider's own people send money back, and its webhook reports it. */
async function sendBack(payment: StubPayment, amount: number) {
  const refund = till.refundInDashboard(payment, amount);
  await till.hear(refund);
  return refund;
}

const notes = (id: string) =>
  till.rows(
    "SELECT * FROM document WHERE appointment_id = ? AND kind = 'credit_note' ORDER BY serial",
    id,
  );

const AFTER_A_FAILURE = "The first try did not go through";

describe("a cancelled session", () => {
  it("has its credit note mailed when the provider has accepted the refund, once", async () => {
    await till.bookAndCancel();
    expect(notices()).toEqual([]);
    await send();
    expect(notices()).toEqual(["refund_under_way email"]);
    const [made] = till.razorpay.refunds;
    const [mail] = await mailsOf("refund_under_way");
    expect(mail!.files).toEqual([fileOf(made!)]);
    expect(mail!.text).toContain("Razorpay is sending ₹1,179 back to you");
    expect(mail!.text).not.toContain(AFTER_A_FAILURE);
    expect((await mailsOf("booking_cancelled"))[0]!.files).toEqual([]);
    made!.status = "processed";
    await till.hear(made!);
    till.clock.now += HOUR;
    await send();
    expect(notices()).toEqual(["refund_under_way email"]);
  });

  it("says in its mail what was paid, what goes back and what stays", async () => {
    const { id, payment } = await till.bookAndPay();
    await sendBack(payment, 20_000);
    till.cancel(id);
    const [mail] = await mailsOf("booking_cancelled");
    expect(mail!.text).toContain("We have asked Razorpay to send ₹979 back");
    expect(mail!.text).toContain("Paid: ₹1,179 Refund: ₹1,179 Kept: ₹0");
    till.clock.now += 1;
    await send();
    const mails = await mailsOf("refund_under_way");
    // What went back from the dashboard is no failed try of ours.
    expect(mails.map(({ text }) => text.includes(AFTER_A_FAILURE))).toEqual([false, false]);
  });
});

it("payments and refunds have the dates of the books on the panel, however late they are heard of", async () => {
  const { id, orderId } = await till.bookAndOrder();
  till.pay(orderId);
  const paidAt = till.clock.now;
  till.clock.now += 5 * MINUTE;
  await till.look();
  till.refundPart(id, { amount: 50_000, reason: "Left early" });
  await send();
  const takenAt = till.clock.now;
  till.clock.now += 3 * DAY;
  await till.hear(till.razorpay.refunds[0]!);
  expect(readDetails(till.deps, id).payments).toMatchObject([
    { when: adminInstant(paidAt), refunds: [{ when: adminInstant(takenAt) }] },
  ]);
});

describe("a refund made in the provider's dashboard", () => {
  it("is mailed to customer and admin with the sums, each part with its own credit note", async () => {
    const { payment } = await till.bookAndPay();
    const first = await sendBack(payment, 20_000);
    expect(notices()).toEqual([
      "admin_provider_refund email",
      "refund_under_way email",
      "refund_under_way whatsapp",
    ]);
    till.clock.now += 1;
    const second = await sendBack(payment, 30_000);
    await till.hear(first);
    expect(notices()).toHaveLength(6);
    const mails = await mailsOf("refund_under_way");
    expect(mails.map(({ files }) => files)).toEqual([[fileOf(first)], [fileOf(second)]]);
    expect(mails[0]!.text).toContain("Razorpay has sent ₹200");
    expect(mails[0]!.text).toContain("Paid: ₹1,179 Refund: ₹500 Kept: ₹679");
    expect(mails[0]!.text).toContain("Nothing changes for your session");
    const [admin] = await mailsOf("admin_provider_refund", "admin");
    expect(admin!.text).toMatch(/₹200.*Paid: ₹1,179 Refund: ₹500 Kept: ₹679/);
  });

  it("is mailed to the admin alone where no booking is left, and not at all before it succeeds", async () => {
    await till.hear(till.refundInDashboard(till.pay(null), 100, "failed"));
    expect(notices()).toEqual([]);
    await sendBack(till.pay(null), 100);
    expect(notices()).toEqual(["admin_provider_refund email"]);
    const [admin] = await mailsOf("admin_provider_refund", "admin");
    expect(admin!.text).not.toContain("has been notified");
  });

  it("that failed and then went through is announced again", async () => {
    const { payment } = await till.bookAndPay();
    const made = till.refundInDashboard(payment, 20_000, "pending");
    for (const status of ["pending", "failed", "processed", "processed"]) {
      made.status = status;
      till.clock.now += 1;
      await till.hear(made);
    }
    const mails = await mailsOf("refund_under_way");
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain(AFTER_A_FAILURE);
    expect(mails[1]!.files).toEqual([fileOf(made)]);
  });
});

describe("a refund of ours", () => {
  it("that failed and was tried again is announced, with its credit note", async () => {
    await till.bookAndCancel();
    await send();
    const file = fileOf(till.razorpay.refunds[0]!);
    await till.hearFailed();
    expect(await mailsOf("refund_under_way")).toEqual([]);
    await till.retry(till.rows("SELECT id FROM refund")[0].id);
    till.clock.now += 1;
    await send();
    const mails = await mailsOf("refund_under_way");
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain(AFTER_A_FAILURE);
    expect(mails[1]!.files).toEqual([file]);
  });

  it("without a paper is announced only if it had trouble", async () => {
    const { orderId } = await till.bookAndPay();
    till.pay(orderId);
    till.pay(orderId);
    await till.look();
    await till.look();
    const seconds = till.rows("SELECT id FROM refund ORDER BY created_at, id");
    expect(seconds).toHaveLength(2);
    await till.sendRefused();
    expect(till.rows("SELECT 1 FROM refund WHERE state = 'needs_person'")).toHaveLength(2);
    for (const { id } of seconds) await till.retry(id);
    await send();
    expect(notices()).toEqual(
      Array(2).fill(["refund_under_way email", "refund_under_way whatsapp"]).flat().toSorted(),
    );
    till.pay(orderId);
    await till.look();
    await send();
    expect(notices()).toHaveLength(4);
    const [mail] = await mailsOf("refund_under_way");
    expect(mail!.files).toEqual([]);
  });
});

describe("credit notes", () => {
  it.each([
    ["no state", undefined, null, "29"],
    ["another state", "27", "27", "27"],
  ])(
    "of parts add up to the invoice of who gave %s, column by column",
    async (_, state, given, place) => {
      const { id, payment } = await till.bookAndPay({ state });
      for (const paise of [100, 5, 50_001]) await sendBack(payment, paise);
      await sendBack(payment, WHOLE - payment.amount_refunded);
      const invoice = findInvoiceOf(till.deps.db, id);
      const common = { layout: 2, gstPercent: 18, paidMethod: "upi", customerStateCode: given };
      const paidAt = payment.created_at * 1000;
      expect(invoice).toMatchObject({ ...common, stateCode: place, paymentId: payment.id, paidAt });
      const [whole] = till.rows("SELECT * FROM document WHERE kind = 'invoice'");
      for (const column of ["taxable", "cgst", "sgst", "igst", "round_off", "total"]) {
        const sum = notes(id).reduce((all, note) => all + note[`${column}_paise`], 0);
        expect(sum, column).toBe(whole[`${column}_paise`]);
      }
    },
  );

  it.each(["before", "after"])(
    "are not made for what went back before the money was assigned, reported %s that",
    async (reported) => {
      const payment = till.pay(null, { amount: 200_000 });
      const early = [50_000, 32_100].map((amount) => till.refundInDashboard(payment, amount));
      if (reported === "after") till.razorpay.refunds.splice(0);
      await till.hearCaptured(payment);
      till.razorpay.refunds.splice(0, Infinity, ...early);
      const id = till.book();
      expect((await till.assign(payment.id, id)).ok).toBe(true);
      await till.hear(early[0]!);
      await sendBack(payment, 17_900);
      await till.hear(early[1]!);
      await sendBack(payment, 100_000);
      expect(notes(id).map((note) => note.total_paise)).toEqual([17_900, 100_000]);
      const mails = till.queued("refund_under_way").filter(({ channel }) => channel === "email");
      expect(mails.map(({ data }) => data.amountPaise)).toEqual([17_900, 100_000]);
      expect(till.keptOf(id)).toBe(0);
    },
  );
});
