/** What people see of a dispute: the admin by mail, panel, dialogs and call, the customer on the page. */
import { expect, it } from "vitest";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { formatInstant, isoInstant } from "#app/model/dates.ts";
import {
  disputeWarning,
  readDetails,
} from "#app/routes/admin/appointments/appointment-view.server.ts";
import { appointmentDetailJson } from "#app/routes/api/admin/answers.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { disputeAtBank, messagesTo, pageSays, WHOLE } from "#tests/support/money-outside.ts";
import { type StubDispute, stubId } from "#tests/support/razorpay-stub.ts";
import { addRow } from "#tests/support/stored-rows.ts";

const till = freshTill();

/** A booking that is paid, and disputed by the customer's bank. */
async function disputed(changes: Partial<StubDispute> = {}) {
  const { payment, id } = await till.bookAndPay();
  const bank = disputeAtBank(till, payment, changes);
  await tell(bank);
  return { id, bank };
}

const tell = (bank: StubDispute) =>
  till.tell("payment.dispute.created", { dispute: { entity: { id: bank.id } } });
const mails = async () =>
  (await messagesTo(till, "admin")).filter(({ kind }) => kind === "admin_dispute");
const paymentOf = (id: string) =>
  appointmentDetailJson(readAppointmentDetail(till.deps, id)!).payments[0]!;

it("an open one names its sum and until when to answer, and warns who is about to refund", async () => {
  const { id, bank } = await disputed();
  const by = bank.respond_by! * 1000;
  const [mail] = await mails();
  expect(mail!.text).toContain(
    `A customer's bank disputes ₹1,179. Answer by ${formatInstant(by)}.`,
  );
  const [payment] = readDetails(till.deps, id).payments;
  expect(payment!.disputes[0]).toMatchObject({
    words: "Disputed: the customer's bank asks for the money back (chargeback)",
    sum: expect.stringContaining("₹1,179.00, answer by "),
  });
  expect(disputeWarning(till.deps, id)).toContain("The customer's bank disputes ₹1,179.00");
  expect(paymentOf(id)).toMatchObject({
    dispute: {
      ...{ phase: "chargeback", status: "open" },
      ...{ amount: WHOLE / 100, respondBy: isoInstant(by) },
    },
  });
});

it("a lost one says what was taken, asks for no answer and warns of nothing", async () => {
  const { id } = await disputed({ status: "lost", amount_deducted: 90_000, respond_by: null });
  const [mail] = await mails();
  expect(mail!.text).toContain("The customer's bank took ₹900 back.");
  expect(mail!.text).toContain("Session");
  const details = readDetails(till.deps, id);
  expect(details.payments[0]!.disputes[0]).toMatchObject({ sum: "₹900.00" });
  expect(details.money.sums).toContainEqual({ label: "Taken back by the bank", value: "₹900.00" });
  expect(details.money.sums).toContainEqual({ label: "Kept", value: "₹279.00" });
  expect(disputeWarning(till.deps, id)).toBeNull();
  expect(pageSays(till, id)).toContain("Taken back by the bank: ₹900 | Kept: ₹279");
  expect(paymentOf(id)).toMatchObject({ dispute: { status: "lost", respondBy: null } });
});

it("a payment without one has no such part", async () => {
  const { id } = await till.bookAndPay();
  expect(paymentOf(id)).not.toHaveProperty("dispute");
  expect(readDetails(till.deps, id).payments[0]!.disputes).toEqual([]);
});

it("of several, the one to answer is shown", async () => {
  const { id, bank } = await disputed();
  const won = { ...bank, id: stubId("disp"), status: "won", created_at: bank.created_at + 1 };
  till.razorpay.disputes.push(won);
  await tell(won);
  expect(paymentOf(id)).toMatchObject({ dispute: { status: "open" } });
});

it("a mail that waited while the dispute went on is not sent any more", async () => {
  const { bank } = await disputed();
  bank.status = "lost";
  await tell(bank);
  const sent = await mails();
  expect(sent.map(({ text }) => text.includes("is lost") || text.includes("took"))).toEqual([true]);
});

it("words of the provider that nobody knows are shown, and asked about", async () => {
  const { id } = await disputed({ phase: "mediation", status: "escalated" });
  const [mail] = await mails();
  expect(mail!.text).toContain("Razorpay's dashboard shows what to answer");
  expect(readDetails(till.deps, id).payments[0]!.disputes[0]!.words).toBe(
    "Unknown (escalated) (Unknown (mediation))",
  );
  expect(disputeWarning(till.deps, id)).not.toBeNull();
});

it("one from before phases were kept gets its name, and is mailed again only if it went on", async () => {
  for (const [before, now, mailed] of [
    ["lost", "lost", 0],
    ["under_review", "lost", 1],
  ] as const) {
    const { payment, id } = await till.bookAndPay();
    const old = { payment_id: payment.id, phase: "", status: before, amount_paise: WHOLE };
    addRow(till.deps.db, "dispute", `unknown_${payment.id}`, old);
    const bank = { id: stubId("disp"), payment_id: payment.id, amount: WHOLE, status: now };
    const times = { respond_by: null, created_at: 7 };
    till.razorpay.disputes.push({ ...bank, ...times, amount_deducted: 0, phase: "chargeback" });
    await tell(till.razorpay.disputes.at(-1)!);
    const rows = till.rows(
      "SELECT dispute_id, phase FROM dispute WHERE payment_id = ?",
      payment.id,
    );
    expect(rows).toEqual([{ dispute_id: bank.id, phase: "chargeback" }]);
    const sent = till.rows(
      "SELECT 1 FROM message WHERE kind = 'admin_dispute' AND appointment_id = ?",
      id,
    );
    expect([before, sent.length]).toEqual([before, mailed]);
    expect(readDetails(till.deps, id).money.sums).toContainEqual({ label: "Kept", value: "₹0.00" });
  }
});
