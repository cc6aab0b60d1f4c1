/** What customer and admin get by mail about money that goes back, and which credit note comes with it. */
import { describe, expect, it } from "vitest";
import { HOUR } from "#app/model/duration.ts";
import { composeMessage } from "#app/notifications/compose.server.ts";
import { findMessage } from "#db/queries/messages.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { refundInDashboard, WHATSAPP } from "#tests/support/money-outside.ts";
import { refused, type StubPayment, type StubRefund } from "#tests/support/razorpay-stub.ts";
import { aboutRefund } from "#tests/support/till.ts";

const till = freshTill({ env: WHATSAPP });

const send = () => till.sendRefunds();
const notices = () =>
  till
    .rows(
      "SELECT kind, channel FROM message WHERE kind IN ('refund_under_way', 'admin_provider_refund') ORDER BY created_at, kind, channel",
    )
    .map(({ kind, channel }) => `${kind} ${channel}`);
const noteOf = (refundId: string) =>
  till.rows("SELECT number FROM document WHERE refund_id = ?", refundId)[0]?.number;

const fromDashboard = (...refund: [StubPayment, number, string?]) =>
  refundInDashboard(till, ...refund);
const hear = (refund: StubRefund) => till.tell(`refund.${refund.status}`, aboutRefund(refund));
const refundId = (refund: StubRefund) =>
  till.rows("SELECT id FROM refund WHERE provider_refund_id = ?", refund.id)[0].id as string;

/** The mails of a kind as they would go out now, oldest first. */
async function mailsOf(kind: string) {
  const documents = { ...till.deps.documents, renderDocument: async () => Buffer.from("%PDF") };
  const rows = till.rows(
    "SELECT id FROM message WHERE kind = ? AND channel = 'email' ORDER BY created_at, rowid",
    kind,
  );
  const composed = await Promise.all(
    rows.map(({ id }) =>
      composeMessage({ ...till.deps, documents }, findMessage(till.deps.db, id)!),
    ),
  );
  return composed.map((one) => {
    if (one.kind !== "mail") throw new Error(`no mail: ${JSON.stringify(one)}`);
    const { text, subject, attachments } = one.mail;
    return {
      subject,
      text: text.replace(/\s+/g, " "),
      files: attachments.map(({ filename }) => filename),
    };
  });
}
const fileOf = (number: string) => `credit-note-${number.replaceAll("/", "-")}.pdf`;

const AFTER_A_FAILURE = "The first try did not go through";

describe("a cancelled session", () => {
  it("has its credit note mailed when the provider has accepted the refund, once", async () => {
    const { id } = await till.bookAndPay();
    till.cancel(id);
    expect(notices()).toEqual([]);
    await send();
    expect(notices()).toEqual(["refund_under_way email"]);
    const [made] = till.razorpay.refunds;
    const [mail] = await mailsOf("refund_under_way");
    expect(mail!.files).toEqual([fileOf(noteOf(refundId(made!)))]);
    expect(mail!.text).toContain("Razorpay is sending ₹1,179 back to you");
    expect(mail!.text).not.toContain(AFTER_A_FAILURE);
    expect((await mailsOf("booking_cancelled"))[0]!.files).toEqual([]);
    made!.status = "processed";
    await hear(made!);
    till.clock.now += HOUR;
    await send();
    expect(notices()).toEqual(["refund_under_way email"]);
  });

  it("says in its mail what was paid, what goes back and what stays", async () => {
    const { id, payment } = await till.bookAndPay();
    await hear(fromDashboard(payment, 20_000));
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

describe("a refund made in the provider's dashboard", () => {
  it("is mailed to customer and admin with the sums, each part with its own credit note", async () => {
    const { payment } = await till.bookAndPay();
    const first = fromDashboard(payment, 20_000);
    await hear(first);
    expect(notices()).toEqual([
      "admin_provider_refund email",
      "refund_under_way email",
      "refund_under_way whatsapp",
    ]);
    till.clock.now += 1;
    const second = fromDashboard(payment, 30_000);
    await hear(second);
    await hear(first);
    expect(notices()).toHaveLength(6);
    const mails = await mailsOf("refund_under_way");
    expect(mails.map(({ files }) => files)).toEqual(
      [first, second].map((refund) => [fileOf(noteOf(refundId(refund)))]),
    );
    expect(mails[0]!.text).toContain("Razorpay has sent ₹200");
    expect(mails[0]!.text).toContain("Paid: ₹1,179 Refund: ₹500 Kept: ₹679");
    expect(mails[0]!.text).toContain("Nothing changes for your session");
    const [admin] = await mailsOf("admin_provider_refund");
    expect(admin!.subject).toContain("₹200");
    expect(admin!.text).toContain("Paid: ₹1,179 Refund: ₹500 Kept: ₹679");
  });

  it("is mailed to the admin alone where no booking is left, and not at all before it succeeds", async () => {
    await hear(fromDashboard(till.pay(null), 100, "failed"));
    expect(notices()).toEqual([]);
    await hear(fromDashboard(till.pay(null), 100));
    expect(notices()).toEqual(["admin_provider_refund email"]);
    expect((await mailsOf("admin_provider_refund"))[0]!.text).not.toContain("has been notified");
  });

  it("that failed and then went through is announced again", async () => {
    const { payment } = await till.bookAndPay();
    const made = fromDashboard(payment, 20_000, "pending");
    for (const status of ["pending", "failed", "processed", "processed"]) {
      made.status = status;
      till.clock.now += 1;
      await till.tell(`refund.${status}`, aboutRefund(made));
    }
    const mails = await mailsOf("refund_under_way");
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain(AFTER_A_FAILURE);
    expect(mails[1]!.files).toEqual([fileOf(noteOf(refundId(made)))]);
  });
});

describe("a refund of ours", () => {
  it("that failed and was tried again is announced, with its credit note", async () => {
    const { id } = await till.bookAndPay();
    till.cancel(id);
    await send();
    const [made] = till.razorpay.refunds;
    made!.status = "failed";
    await hear(made!);
    expect(await mailsOf("refund_under_way").catch((error) => String(error))).toContain(
      "refund failed",
    );
    const ours = refundId(made!);
    await till.retry(ours);
    till.clock.now += 1;
    await send();
    const mails = await mailsOf("refund_under_way");
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain(AFTER_A_FAILURE);
    expect(mails[1]!.files).toEqual([fileOf(noteOf(ours))]);
  });

  it("without a paper is announced only if it had trouble", async () => {
    const { orderId } = await till.bookAndPay();
    till.pay(orderId);
    till.pay(orderId);
    till.razorpay.instead = (call) =>
      call.startsWith("POST /v1/payments") && till.razorpay.refunds.length === 0
        ? refused("not allowed")
        : undefined;
    await till.look();
    await till.look();
    const seconds = till.rows("SELECT id FROM refund ORDER BY created_at, id");
    expect(seconds).toHaveLength(2);
    await send();
    expect(till.rows("SELECT 1 FROM refund WHERE state = 'needs_person'")).toHaveLength(2);
    till.razorpay.instead = () => undefined;
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
