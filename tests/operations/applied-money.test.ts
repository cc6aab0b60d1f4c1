/** What a payment comes to, as the provider reports it: each with a second one beside it. */
import { describe, expect, it } from "vitest";
import { listClashes } from "#app/availability/clashes.server.ts";
import { addDays, dateInIndia, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import { runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { eraseCustomer } from "#db/queries/erasures.server.ts";
import { listUnsettled } from "#db/queries/settlements.server.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const refundsOf = (paymentId: string) =>
  till.rows("SELECT reason, amount_paise FROM refund WHERE payment_id = ?", paymentId);
const stateOf = (id: string) => till.page(id)?.payment.state;

it("an authorised payment that the provider returned by itself was never money of ours", async () => {
  const { id, orderId } = await till.bookAndOrder();
  const payment = till.pay(orderId);
  till.refundInDashboard(payment, WHOLE);
  payment.captured = false;
  await till.look();
  expect(till.outcomeOf(payment.id)).toBe("returned");
  expect(till.booking(id).status).toBe("pending_payment");
  const ever = { from: 0, to: 8e15, foreignTo: 8e15, settledBefore: 0 };
  expect(listUnsettled(till.deps.db, ever)).toEqual([]);
  expect(till.page(id)!.sums).toMatchObject({ paidPaise: 0, backPaise: 0 });
  // The customer is notified that it goes back; nobody sent it, so the admin has nothing to look into.
  expect(till.rows("SELECT kind FROM message WHERE channel = 'email'")).toEqual([
    { kind: "refund_under_way" },
  ]);
});

it("no hold outlasts the beginning of its session, whose money goes back then", async () => {
  till.deps.env = { ...till.deps.env, minNoticeMinutes: 0 };
  const date = addDays(dateInIndia(till.clock.now), 3);
  const startsAt = instantOf(date, "10:00");
  till.clock.now = startsAt - 2 * MINUTE;
  const { id, orderId } = await till.bookAndOrder({ date });
  expect(till.booking(id).window).toEqual({ payBefore: startsAt - 1, holdUntil: startsAt - 1 });
  till.clock.now = startsAt;
  const payment = till.pay(orderId);
  await till.look();
  expect(till.outcomeOf(payment.id)).toBe("session_begun");
});

it("the confirmation is announced on the page while it may still be on its way", async () => {
  const { id } = await till.bookAndPay();
  expect(till.pageOf(id).isFresh).toBe(true);
  till.clock.now += 15 * MINUTE;
  expect(till.pageOf(id).isFresh).toBe(false);
});

const feesOf = (paymentId: string) =>
  till.rows(
    "SELECT fee_paise, fee_tax_paise, updated_at FROM payment WHERE payment_id = ?",
    paymentId,
  )[0];

it("the provider's fee stands apart from its tax, comes when it is known, and is not lost again", async () => {
  const { payment } = await till.bookAndPay();
  const { orderId } = await till.bookAndOrder();
  const other = till.pay(orderId, { fee: 2782, tax: 424 });
  await till.hearCaptured(other);
  expect(feesOf(other.id)).toMatchObject({ fee_paise: 2358, fee_tax_paise: 424 });
  expect(feesOf(payment.id)).toMatchObject({ fee_paise: null, fee_tax_paise: null });
  till.clock.now += MINUTE;
  Object.assign(payment, { fee: 2782, tax: 424 });
  await till.look();
  const known = { fee_paise: 2358, fee_tax_paise: 424, updated_at: till.clock.now };
  expect(feesOf(payment.id)).toEqual(known);
  // Nothing new is nothing written, and a reading without a fee forgets none.
  till.clock.now += MINUTE;
  await till.look();
  Object.assign(payment, { fee: null, tax: null });
  await till.look();
  expect(feesOf(payment.id)).toEqual(known);
});

describe("the bank's reference", () => {
  const referenceOf = (paymentId: string) =>
    till.rows("SELECT reference FROM payment WHERE payment_id = ?", paymentId)[0].reference;
  const nameAtBank = async (rrn: string) => {
    for (const payment of till.razorpay.payments) payment.acquirer_data = { rrn };
    await till.look();
  };

  it("comes when it is known, and stays as it came first", async () => {
    const { payment } = await till.bookAndPay();
    expect(referenceOf(payment.id)).toBeNull();
    await nameAtBank("433400000001");
    await nameAtBank("433400000002");
    expect(referenceOf(payment.id)).toBe("433400000001");
  });

  it.each(["before", "after"])(
    "of an erased or deleted booking stays away, known %s",
    async (when) => {
      const other = { email: "other@visitors.example" };
      const bookings = [await till.bookAndPay(), await till.bookAndPay(other)] as const;
      if (when === "before") await nameAtBank("433400000001");
      eraseCustomer(till.deps.db, till.booking(bookings[0].id).contact.email, till.clock.now);
      till.delete(bookings[1].id);
      await nameAtBank("433400000001");
      expect(bookings.map(({ payment }) => referenceOf(payment.id))).toEqual([null, null]);
    },
  );
});

describe("money that goes back", () => {
  const passTo = (now: number) => {
    till.clock.now = now;
  };
  async function takeItsTime(id: string): Promise<void> {
    const { date } = till.booking(id);
    till.clock.now += 2 * HOUR;
    await till.bookAndPay({ date });
    // The plan looks at the row's words, the calendar at its instants.
    till.deps.db.runRaw("UPDATE appointment SET time_slot = '15:00' WHERE id = ?", [id]);
  }

  it("is what is left of it, if part went back before, and so much is asked about where it has no booking", async () => {
    const { orderId } = await till.bookAndPay();
    const second = till.pay(orderId, { amount_refunded: 17_900 });
    const nobodys = till.pay(null, { amount_refunded: 900 });
    for (const payment of [second, nobodys]) {
      await till.hearCaptured(payment);
    }
    const owed = "SELECT amount_paise FROM refund WHERE way = 'provider' AND counts AND reason = ?";
    expect(till.rows(owed, "second")).toEqual([{ amount_paise: 100_000 }]);
    expect(till.outcomeOf(nobodys.id)).toBe("unmatched");
    expect(till.queued("admin_unmatched_payment")[0].data.amountPaise).toBe(117_000);
  });

  it.each<[string, string, (id: string) => unknown]>([
    ["time_gone", "time_gone", takeItsTime],
    ["session_begun", "session_begun", (id) => passTo(till.booking(id).startsAt)],
    // It was cancelled by who cancelled it, whatever came after.
    ["booking_cancelled", "by_admin", (id) => till.cancel(id)],
  ])("is all that comes late: %s", async (outcome, cancelReason, happens) => {
    const { id, orderId } = await till.bookAndOrder();
    await happens(id);
    const payment = till.pay(orderId);
    await till.hearCaptured(payment);
    expect(till.outcomeOf(payment.id)).toBe(outcome);
    expect(till.booking(id)).toMatchObject({ status: "cancelled", cancelReason });
    expect(stateOf(id)).toBe("none");
    expect(refundsOf(payment.id)).toEqual([{ reason: outcome, amount_paise: WHOLE }]);
    expect(till.rows("SELECT 1 FROM session_time WHERE appointment_id = ?", id)).toEqual([]);
  });

  it("is not what comes late for a captain taken off the page: that books them, only the time is not offered", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.clock.now += 2 * HOUR;
    till.deps.db.runRaw("UPDATE counselor SET active = 0");
    const late = till.pay(orderId);
    await till.look();
    expect([till.outcomeOf(late.id), till.statusOf(id)]).toEqual(["applied", "confirmed"]);
    const [clash] = listClashes(till.deps.db, till.clock.now);
    expect([clash?.id, clash?.causes.map(({ kind }) => kind)]).toEqual([id, ["off"]]);
  });
});

describe("a payment that the bank has not decided on", () => {
  it("is being checked for half an hour, and the customer is not notified that nothing came", async () => {
    const checked = await till.bookAndOrder();
    const failed = await till.bookAndOrder();
    const payments = [
      till.pay(checked.orderId, { status: "authorized" }),
      till.pay(failed.orderId, { status: "failed" }),
    ];
    await till.look();
    const outcomes = payments.map(({ id }) => till.outcomeOf(id));
    expect(outcomes).toEqual(["authorized", "failed"]);
    expect([stateOf(checked.id), stateOf(failed.id)]).toEqual(["checking", "payable"]);
    till.clock.now += 30 * MINUTE - 1;
    expect(stateOf(checked.id)).toBe("checking");
    till.clock.now += 1;
    expect(stateOf(checked.id)).toBe("renewable");
    till.clock.now += HOUR;
    await runUnpaidNotices(till.deps);
    expect(till.queued("booking_unpaid")).toMatchObject([{ appointment_id: failed.id }]);
  });

  it("counts for the order it was made for, whatever is claimed", async () => {
    const { id, orderId } = await till.bookAndOrder();
    const payment = till.pay((await till.bookAndOrder()).orderId);
    const claim = till.claim(id, orderId, payment.id);
    expect(await till.verify(claim)).toMatchObject({ code: "order_mismatch" });
    expect(till.outcomeOf(payment.id)).toBeUndefined();
    expect(till.statusOf(id)).toBe("pending_payment");
  });
});

it("money that came is shown as such, whatever an older answer of the provider says", async () => {
  const { payment } = await till.bookAndPay();
  payment.status = "authorized";
  await till.look();
  const shown = till.rows("SELECT outcome, provider_status FROM payment");
  expect(shown).toEqual([{ outcome: "applied", provider_status: "captured" }]);
});

describe("a payment window that has ended", () => {
  it("can be opened anew while the time is free, three times", async () => {
    const { id } = await till.bookAndOrder();
    expect(stateOf(id)).toBe("payable");
    for (let renewals = 0; renewals < 3; renewals++) {
      till.clock.now = till.booking(id).window!.payBefore;
      expect(stateOf(id)).toBe("renewable");
      await till.order(id);
      expect(stateOf(id)).toBe("payable");
      // Its time is taken for as long as it says.
      const [{ hold_until: holdUntil }] = till.rows("SELECT hold_until FROM appointment");
      expect(till.rows("SELECT held_until FROM session_time")).toEqual([{ held_until: holdUntil }]);
    }
    till.clock.now += 20 * MINUTE;
    expect(stateOf(id)).toBe("over");
    expect(await till.createOrder(id)).toMatchObject({ code: "payment_window_over" });
  });

  it("can be opened anew while the hold goes on, to the moment", async () => {
    const { id } = await till.bookAndOrder();
    const { date, window } = till.booking(id);
    const { payBefore, holdUntil } = window!;
    expect(payBefore).toBeLessThan(holdUntil);
    till.clock.now = payBefore - 1;
    expect(stateOf(id)).toBe("payable");
    till.clock.now = payBefore;
    expect(stateOf(id)).toBe("renewable");
    // Its own hold is its own, though nobody could book the time any more.
    const block = { counselorKey: "asha", dates: [date], timeSlots: ["10:00"] };
    till.setBlocks({ ...block, action: "block" });
    expect(stateOf(id)).toBe("renewable");
    till.clock.now = holdUntil;
    expect(stateOf(id)).toBe("over");
  });
});
