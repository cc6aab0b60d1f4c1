/** Disputes as the provider reports them, in any order: what is kept, shown and mailed, and what people see of them. */
import { describe, expect, it } from "vitest";
import { readAppointmentDetail } from "#app/booking/appointment-detail.server.ts";
import { refundOnCancel } from "#app/booking/cancel-and-refund.server.ts";
import { DAY, dateInIndia, formatDate, formatInstant, HOUR, isoInstant } from "#app/model/dates.ts";
import { runProviderEvents } from "#app/payments/provider-events.server.ts";
import { runDisputes, runDisputesDaily } from "#app/payments/provider-lists.server.ts";
import {
  disputeWarning,
  readDetails,
} from "#app/routes/admin/appointments/appointment-view.server.ts";
import { appointmentDetailJson } from "#app/routes/api/admin/answers.ts";
import { rehearse } from "#db/restore.server.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import {
  refused,
  type StubDispute,
  type StubPayment,
  stubId,
} from "#tests/support/razorpay-stub.ts";
import { addRow } from "#tests/support/stored-rows.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const dispute = (...about: [StubPayment, Partial<StubDispute>?]) => till.disputeAtBank(...about);

/** The provider's webhook comes; what stands in it counts for nothing. */
const tell = (entity: { id: string }) =>
  till.tell("payment.dispute.under_review", { dispute: { entity } });

const stored = () => till.rows("SELECT phase, status, deducted_paise FROM dispute ORDER BY rowid");
const mailed = () => till.queued("admin_dispute").map(({ data }) => `${data.phase} ${data.status}`);
const kept = (id: string) =>
  till.rows(
    "SELECT kept_paise, refunded_paise, taken_back_paise FROM appointment WHERE id = ?",
    id,
  )[0];

describe("a dispute", () => {
  it("is as the provider shows it now, whatever its event says; each step is mailed once", async () => {
    const { payment, id } = await till.bookAndPay();
    const bank = dispute(payment);
    await tell(bank);
    await tell(bank);
    bank.status = "under_review";
    await tell(bank);
    bank.status = "won";
    await tell(bank);
    Object.assign(bank, { phase: "pre_arbitration", status: "open" });
    await tell(bank);
    expect(stored()).toMatchObject([{ phase: "pre_arbitration", status: "open" }]);
    expect(mailed()).toEqual([
      "chargeback open",
      "chargeback under_review",
      "chargeback won",
      "pre_arbitration open",
    ]);
    const [message] = till.queued("admin_dispute");
    expect(message.appointment_id).toBe(id);
    expect(message.data).toMatchObject({
      paymentId: payment.id,
      amountPaise: payment.amount,
      respondBy: bank.respond_by! * 1000,
    });
  });

  it("that is lost and opened again counts as taken, as far as the bank took it, until it is won", async () => {
    const { payment, id } = await till.bookAndPay();
    const bank = dispute(payment, { status: "lost", amount_deducted: 90_000 });
    const taken = async (changes: Partial<StubDispute>) => {
      Object.assign(bank, changes);
      await tell(bank);
      const { kept_paise, taken_back_paise } = kept(id)!;
      expect(kept_paise).toBe(payment.amount - taken_back_paise);
      return taken_back_paise;
    };
    expect(await taken({})).toBe(90_000);
    expect(await taken({ phase: "pre_arbitration", status: "open" })).toBe(90_000);
    expect(await taken({ phase: "arbitration", amount_deducted: 0 })).toBe(0);
    expect(await taken({ amount_deducted: 90_000 })).toBe(90_000);
    expect(await taken({ status: "won" })).toBe(0);
  });

  it("that is lost brings its payment along, stays lost when an earlier reading comes late, and leaves no refund", async () => {
    const { id, orderId } = await till.bookAndOrder();
    const payment = till.pay(orderId);
    const lost = { kept_paise: 0, refunded_paise: 0, taken_back_paise: payment.amount };
    const bank = dispute(payment, { status: "lost" });
    for (const status of ["lost", "under_review"]) {
      bank.status = status;
      await tell(bank);
      expect(stored()).toMatchObject([{ phase: "chargeback", status: "lost" }]);
      expect([kept(id), mailed()]).toEqual([lost, ["chargeback lost"]]);
    }
    expect(refundOnCancel(till.deps.db, till.booking(id))).toBe(0);
    const part = till.refundPart(id, { amount: 100, reason: "x" });
    expect(part).toMatchObject({ code: "validation_failed" });
    expect(till.cancel(id)).toMatchObject({ value: { refund: null } });
  });

  it("that opens refuses what was asked before it was shown; its further steps do not", async () => {
    const { payment, id } = await till.bookAndPay();
    const bank = dispute(payment);
    const step = async (changes: Partial<StubDispute>) => {
      const { version } = till.booking(id);
      await tell(Object.assign(bank, changes));
      if (till.booking(id).version === version) return "as before";
      const part = till.refundPart(id, { amount: 100, reason: "x", version });
      return [part, till.cancel(id, { version })].map(
        (refusal) => "code" in refusal && refusal.code,
      );
    };
    expect(await step({})).toEqual(["stale", "stale"]);
    for (const status of ["under_review", "won"]) expect(await step({ status })).toBe("as before");
    const again = { phase: "pre_arbitration", status: "open" };
    expect(await step(again)).toEqual(["stale", "stale"]);
    const { version } = till.booking(id);
    expect(till.cancel(id, { version })).toMatchObject({ ok: true });
  });

  it("that stands before its payment does counts as soon as that is recorded", async () => {
    const { id, orderId } = await till.bookAndOrder();
    const payment = till.pay(orderId);
    const early = { payment_id: payment.id, amount_paise: 900 };
    addRow(till.deps.db, "dispute", "disp_early", early);
    await till.look();
    expect(kept(id)).toMatchObject({ kept_paise: payment.amount - 900, taken_back_paise: 900 });
  });
});

describe("the daily reading", () => {
  /** With what it queues. */
  const readDaily = async () => {
    expect(await runDisputes(till.deps)).toBe(true);
    await till.workOnEvents();
  };

  it("finds what no webhook reported, with its payment, and that it has gone on, and asks for nothing else", async () => {
    const { payment, id } = await till.bookAndPay();
    const bank = dispute(payment);
    await readDaily();
    const { length } = till.razorpay.calls;
    await readDaily();
    expect(till.razorpay.calls.slice(length)).toEqual(["GET /v1/disputes"]);
    Object.assign(bank, { status: "lost", amount_deducted: 900 });
    await readDaily();
    expect(kept(id)).toMatchObject({ kept_paise: payment.amount - 900, taken_back_paise: 900 });
    expect(mailed()).toEqual(["chargeback open", "chargeback lost"]);
  });

  it("goes on after one whose payment cannot be read, and gives it up in the end", async () => {
    const { clock, deps } = till;
    // Nothing is asked before there is a payment.
    await runDisputesDaily(deps);
    clock.now += HOUR;
    await runDisputesDaily(deps);
    const { payment } = await till.bookAndPay();
    const { payment: other } = await till.bookAndPay();
    till.razorpay.instead = (call) => (call.endsWith(payment.id) ? refused("no") : undefined);
    dispute(payment);
    dispute(other);
    await runDisputesDaily(deps);
    // The first payment has to be an hour old.
    expect(till.razorpay.calls).not.toContain("GET /v1/disputes");
    clock.now += HOUR;
    await runDisputesDaily(deps);
    await runProviderEvents(deps);
    expect(till.rows("SELECT payment_id FROM dispute")).toEqual([{ payment_id: other.id }]);
    const looks = () => till.razorpay.calls.filter((call) => call === "GET /v1/disputes").length;
    for (const [later, expected] of [
      [DAY - 1, 1],
      [1, 2],
      [DAY, 3],
      // The clock was set back.
      [-4 * DAY, 4],
    ] as const) {
      clock.now += later;
      await runDisputesDaily(deps);
      await runProviderEvents(deps);
      expect([later, looks()]).toEqual([later, expected]);
    }
    // Listed again every day, the one that the provider refuses is one event, parked for a person.
    const events = "SELECT state FROM provider_event WHERE kind = 'payment.dispute.listed'";
    expect(till.rows(`${events} ORDER BY state`)).toEqual([{ state: "done" }, { state: "parked" }]);
  });
});

it("money that a bank took back is not sent a second time by a refund that was wanted before", async () => {
  const { payment, id } = await till.bookAndPay();
  const bank = dispute(payment);
  await tell(bank);
  till.cancel(id);
  bank.status = "lost";
  await tell(bank);
  await till.sendRefunds();
  expect(till.rows("SELECT state, amount_paise FROM refund")).toEqual([
    { state: "superseded", amount_paise: payment.amount },
  ]);
  expect(till.razorpay.refunds).toEqual([]);
  expect(kept(id)).toMatchObject({ kept_paise: 0, refunded_paise: 0 });
  const { ledger } = rehearse(till.deps.db.driver.name);
  expect(ledger).toContainEqual({ kind: "refund", count: 0, paise: 0 });
});

const mails = async () =>
  (await till.messagesTo("admin")).filter(({ kind }) => kind === "admin_dispute");
const paymentOf = (id: string) =>
  appointmentDetailJson(readAppointmentDetail(till.deps, id)!).payments[0]!;

it("an open one names its sum and until when to answer, beside others, and a lost one what was taken", async () => {
  const { payment, id } = await till.bookAndPay();
  const bank = dispute(payment);
  await tell(bank);
  const other = await till.bookAndPay();
  expect(paymentOf(other.id)).not.toHaveProperty("dispute");
  const won = { ...bank, id: stubId("disp"), status: "won", created_at: bank.created_at + 1 };
  till.razorpay.disputes.push(won);
  await tell(won);
  const by = bank.respond_by! * 1000;
  const asks = `A customer's bank disputes ₹1,179. Answer by ${formatInstant(by)}.`;
  expect((await mails())[0]!.text).toContain(asks);
  expect(readDetails(till.deps, id).payments[0]!.disputes[0]).toMatchObject({
    words: "Disputed: the customer's bank asks for the money back (chargeback)",
    sum: expect.stringContaining("₹1,179.00, answer by "),
  });
  expect(disputeWarning(till.deps, id)).toContain("The customer's bank disputes ₹1,179.00");
  const open = { phase: "chargeback", status: "open", amount: WHOLE / 100 };
  expect(paymentOf(id)).toMatchObject({ dispute: { ...open, respondBy: isoInstant(by) } });

  Object.assign(bank, { status: "lost", amount_deducted: 90_000, respond_by: null });
  await tell(bank);
  // The mail that waited is not sent any more.
  const sent = (await mails()).map(({ text }) => text).join();
  expect(sent).not.toContain(asks);
  expect(sent).toContain("The customer's bank took ₹900 back.");
  const { sums } = readDetails(till.deps, id).money;
  expect(sums).toContainEqual({ label: "Taken back by the bank", value: "₹900.00" });
  expect(sums).toContainEqual({ label: "Kept", value: "₹279.00" });
  expect(disputeWarning(till.deps, id)).toBeNull();
  expect(till.pageSays(id)).toContain("Taken back by the bank: ₹900 | Kept: ₹279");
});

const dayOf = (at: number) => formatDate(dateInIndia(at));

/** The last mail about a dispute, in one line. */
const lastMail = async () => (await mails()).at(-1)!.text.replace(/\s+/g, " ");

describe("its mail", () => {
  it("names the refund as the proof once the money has gone back, and no invoice that is credited", async () => {
    const { payment } = await till.bookAndCancel();
    await till.rest();
    till.clock.now += DAY;
    await till.hearDispute(payment, "open");
    const [refund] = till.rows("SELECT provider_refund_id AS id, accepted_at FROM refund");
    const gone = `gone back: ₹1,179 with refund ${refund.id} of ${dayOf(refund.accepted_at)}`;
    expect(await lastMail()).toContain(`with proof that the money has ${gone}. A dispute`);
    expect(await lastMail()).not.toContain("the session took place");
    await till.hearDispute(payment, "lost");
    expect(await lastMail()).toContain("so it has gone back twice");
    expect(await lastMail()).not.toContain("The invoice stands as it is");
  });

  it("waits for a refund that is not sent yet, to be the proof", async () => {
    const { payment } = await till.bookAndCancel();
    await till.hearDispute(payment, "open");
    expect(await lastMail()).toContain(
      "A refund of ₹1,179 for it waits to be sent. Once it is sent, answer",
    );
    expect(await lastMail()).not.toContain("If you refund it");
  });

  it("asks for no session's proof and names no invoice where money has no booking", async () => {
    const payment = till.pay(null);
    await till.hearCaptured(payment);
    await till.hearDispute(payment, "open");
    const text = await lastMail();
    expect(text).toContain("no booking that is still here. Answer it in Razorpay's dashboard");
    expect(text).toContain("or accept it there");
    await till.hearDispute(payment, "lost");
    expect(await lastMail()).not.toMatch(/invoice|twice/);
  });

  it("of a session that was cancelled too late says so, and asks why the money is kept", async () => {
    const { payment, id } = await till.bookAndPay();
    till.clock.now = till.booking(id).startsAt - HOUR;
    till.cancel(id, { by: "customer", refund: "none" });
    await till.hearDispute(payment, "open");
    expect(await lastMail()).toContain(
      "Its session is cancelled. Answer it in Razorpay's dashboard",
    );
  });

  it("of a paid session asks for its proof beside what went back, and says that the invoice stands", async () => {
    const { payment, id } = await till.bookAndPay();
    till.refundPart(id, { amount: 100, reason: "x" });
    await till.rest();
    await till.hearDispute(payment, "open");
    const [refund] = till.razorpay.refunds;
    expect(await lastMail()).toContain("that the session took place or is still to come. ");
    expect(await lastMail()).toContain(`Gone back so far: ₹1 with refund ${refund!.id}`);
    await till.hearDispute(payment, "lost");
    expect(await lastMail()).toContain("The invoice stands as it is");
  });
});

it.each([
  ["lost", []],
  ["under_review", ["chargeback lost"]],
])(
  "one from before phases were kept, %s, gets its name, and is mailed if it went on: %j",
  async (status, news) => {
    const { payment, id } = await till.bookAndPay();
    const old = { payment_id: payment.id, phase: "", status, amount_paise: WHOLE };
    addRow(till.deps.db, "dispute", `unknown_${payment.id}`, old);
    const bank = dispute(payment, { status: "lost", respond_by: null });
    await tell(bank);
    expect(till.rows("SELECT dispute_id, phase FROM dispute")).toEqual([
      { dispute_id: bank.id, phase: "chargeback" },
    ]);
    expect(mailed()).toEqual(news);
    expect(kept(id)).toMatchObject({ kept_paise: 0 });
  },
);
