/** Every sentence about money is true of its own refund and its own cause, in mail, WhatsApp and page, also where money goes on before it is sent. */
import { describe, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-and-refund.server.ts";
import { eraseCustomer } from "#app/customers/customers.server.ts";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import type { Audience } from "#app/model/messages.ts";
import { runUnpaidNotices } from "#app/notifications/reminders.server.ts";
import { holdAgain } from "#app/payments/hold-again.server.ts";
import { findCustomerId } from "#db/queries/customers.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { WHATSAPP, WHOLE } from "#tests/support/money-outside.ts";

import { ADMIN_ACTOR } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill({ env: WHATSAPP, isStrict: true });

const cancelByCustomer = (id: string) => {
  cancelAppointment(till.deps, { kind: "customer" }, id);
};

/** All that was sent to the audience, or all of one kind, by mail and WhatsApp. */
async function textsTo(audience: Audience, kind?: string): Promise<string> {
  const sent = (await till.messagesTo(audience)).filter((one) => one.kind === (kind ?? one.kind));
  if (kind && sent.length === 0) throw new Error(`nobody was sent ${kind}`);
  return sent.map(({ text }) => text).join("\n");
}

describe("money that came too late is explained by its own cause", () => {
  const GONE = "the session was no longer free";
  const NOT_SO = /somebody else|no longer free|time was gone/i;

  const leave = (id: string) => {
    till.clock.now += HOUR;
    const { date, timeSlot, counselorKey } = till.booking(id);
    till.setBlocks({ counselorKey, dates: [date], timeSlots: [timeSlot], action: "block" });
  };
  const begin = (id: string) => {
    till.clock.now = till.booking(id).startsAt + MINUTE;
  };

  it.each([
    ["the customer had cancelled the unpaid booking", cancelByCustomer, "booking_cancelled"],
    ["the session has begun", begin, "session_begun"],
    ["the captain had taken the time out, and nobody else has it", leave, "time_gone"],
  ])("%s", async (_, cause, outcome) => {
    const { id, orderId } = await till.bookAndOrder();
    cause(id);
    const payment = till.pay(orderId);
    await till.look();
    expect([till.statusOf(id), till.outcomeOf(payment.id)]).toEqual(["cancelled", outcome]);
    const [mail, page] = [await textsTo("customer"), till.pageSays(id)];
    expect(mail).toContain("We have asked Razorpay to send ₹1,179 back");
    expect(`${mail} ${page}`).not.toMatch(/somebody else/i);
    for (const said of [mail, page]) {
      if (outcome === "time_gone") expect(said).toContain(GONE);
      else expect(said).not.toMatch(NOT_SO);
    }
    if (outcome === "booking_cancelled") expect(await textsTo("admin")).not.toMatch(NOT_SO);
  });
});

describe("a refund of a second payment", () => {
  it("is not shown as that of a cancellation that gives nothing back", async () => {
    const { id, orderId } = await till.bookAndPay();
    till.pay(orderId);
    await till.look();
    await till.rest();
    till.clock.now = till.booking(id).startsAt - 2 * HOUR;
    till.cancel(id, { by: "customer", refund: "none" });
    const said = await textsTo("customer", "booking_cancelled");
    expect(said).not.toMatch(/refund sent|Razorpay (has sent|is sending)|asked Razorpay/i);
    expect(said).toContain("There is no further refund");
    expect(till.pageOf(id).pass.stamp?.text).toBe("Cancelled");
    // What the page says of that refund, it says of the second payment.
    expect(till.pageOf(id).money?.refunds).toEqual([expect.stringMatching(/second/i)]);
  });
});

describe("money on an order of another package", () => {
  /** Chosen for 30 minutes, and then for 60, whose order is paid or not. */
  async function movedOn(isPaid: boolean) {
    const choose = till.openBrowser();
    const { id } = choose({ date: dayAhead(60) }).appointment;
    const first = await till.order(id);
    till.clock.now += MINUTE;
    choose({ date: dayAhead(60), package: 60 });
    const second = await till.order(id);
    if (isPaid) {
      till.pay(second);
      await till.look();
    }
    return { id, first };
  }

  function claim(appointmentId: string, orderId: string, { id: paymentId } = till.pay(orderId)) {
    return till.verify(till.claim(appointmentId, orderId, paymentId));
  }

  it("names the refund that is made, not the part that had gone back before", async () => {
    const { id, orderId } = await till.bookAndPay();
    const second = till.pay(orderId);
    till.refundInDashboard(second, 50_000);
    const claimed = { amountPaise: WHOLE - 50_000, state: "wanted" };
    expect(await claim(id, orderId, second)).toMatchObject({
      value: { checking: false, refund: claimed },
    });
    // Both were wanted at one moment; their random ids say which stands first.
    till.deps.db.runRaw("UPDATE refund SET created_at = created_at - 1 WHERE state = 'superseded'");
    expect(await claim(id, orderId, second)).toMatchObject({ value: { refund: claimed } });
  });

  it.each([
    ["confirmed", true],
    ["cancelled", false],
  ])("asks nobody to pay again for what is %s", async (status, isPaid) => {
    const { id, first } = await movedOn(isPaid);
    if (!isPaid) cancelByCustomer(id);
    const answer = await claim(id, first);
    expect(till.statusOf(id)).toBe(status);
    const said = JSON.stringify([answer, till.pageOf(id, "amount")]);
    expect(said + (await textsTo("customer"))).not.toMatch(/pay again/i);
  });

  it("asks who has not paid to pay again, and nobody who claims it once more after the right sum came", async () => {
    const { id, first } = await movedOn(false);
    const wrong = till.pay(first);
    const message = expect.stringContaining("pay again");
    expect(await claim(id, first, wrong)).toMatchObject({ code: "amount_mismatch", message });
    expect(till.pageOf(id, "amount").notice?.text).toContain("pay again");
    till.pay(await till.order(id));
    await till.look();
    expect(till.statusOf(id)).toBe("confirmed");
    expect(await claim(id, first, wrong)).toMatchObject({
      code: "amount_mismatch",
      message: expect.not.stringMatching(/pay again/i),
    });
  });
});

describe("a booking whose payment went back unused", () => {
  const ASKS_TO_WAIT = /not received a payment|do not pay again|You had not paid/;

  /** Authorised, then sent back by the provider, which never captured it. */
  async function neverCaptured(orderId: string) {
    const payment = till.pay(orderId, { status: "authorized" });
    await till.look();
    till.clock.now += 21 * MINUTE;
    till.refundInDashboard(Object.assign(payment, { captured: false }), WHOLE);
    await till.look();
  }

  async function wrongAmount(orderId: string) {
    till.pay(orderId, { amount: 100_000 });
    await till.look();
    await till.rest();
  }

  it.each([
    ["as it was never captured", neverCaptured, "₹1,179"],
    ["as it was of a wrong amount", wrongAmount, "₹1,000"],
  ])("%s, is told so instead of to wait", async (_, sendBack, amount) => {
    const { id, orderId } = await till.bookAndOrder();
    await sendBack(orderId);
    till.clock.now = Math.max(till.clock.now, till.booking(id).window!.holdUntil);
    await runUnpaidNotices(till.deps);
    const unpaid = await textsTo("customer", "booking_unpaid");
    till.cancel(id);
    const cancelled = await textsTo("customer", "booking_cancelled");
    for (const said of [unpaid, cancelled]) {
      expect(said).not.toMatch(ASKS_TO_WAIT);
      expect(said).toMatch(new RegExp(`Razorpay has sent .*${amount}`));
    }
  });

  it("has a payment link that asks for nothing but the payment", async () => {
    const { id, orderId } = await till.bookAndOrder();
    await wrongAmount(orderId);
    expect(await holdAgain(till.deps, ADMIN_ACTOR, id, {})).toMatchObject({ ok: true });
    till.move(id, { date: dayAhead(40), timeSlot: "14:00" });
    for (const kind of ["payment_link", "booking_rescheduled"] as const) {
      const said = await textsTo("customer", kind);
      expect(said).not.toMatch(ASKS_TO_WAIT);
      expect(said).toContain("your payment of ₹1,000, which was not the price");
    }
  });
});

it("a cancellation that gives nothing back says why on the page too, and what is kept", async () => {
  const { id } = await till.bookAndPay();
  till.clock.now = till.booking(id).startsAt - 2 * HOUR;
  till.cancel(id, { by: "customer", refund: "none" });
  const why = "There is no refund, because the session was cancelled after the refund deadline.";
  expect(await textsTo("customer", "booking_cancelled")).toContain(why);
  expect(till.pageSays(id)).toContain(`${why} | Paid: ₹1,179 | Refund: ₹0 | Kept: ₹1,179`);
});

it("a payment that was never captured is not called the session's when it goes back", async () => {
  const { id, orderId } = await till.bookAndOrder();
  const other = till.pay(orderId, { status: "authorized" });
  await till.look();
  till.pay(orderId);
  await till.look();
  till.refundInDashboard(Object.assign(other, { captured: false }), WHOLE);
  await till.look();
  const back = "has sent your other payment of ₹1,179, which we did not take, to your bank.";
  for (const said of [await textsTo("customer", "refund_under_way"), till.pageSays(id)]) {
    expect(said).toContain(back);
    expect(said).not.toContain("sent ₹1,179");
  }
});

it("an unpaid booking of staff's is not called the customer's choice", async () => {
  const { id } = till.bookByStaff({ payment: { by: "link" } });
  till.clock.now = till.booking(id).window!.holdUntil;
  await runUnpaidNotices(till.deps);
  const said = await textsTo("customer", "booking_unpaid");
  expect(said).toMatch(/, we booked .+ for you, with Capt\. /);
  expect(said).not.toMatch(/you chose|did not make this booking/);
});

describe("a booking whose payment is still being checked", () => {
  const CHECKED = "A payment of ₹1,179 is still being checked";

  async function authorised() {
    const { id, orderId } = await till.bookAndOrder();
    till.pay(orderId, { status: "authorized" });
    await till.look();
    return id;
  }

  it.each([
    ["us", (id: string) => till.cancel(id)],
    ["its customer", cancelByCustomer],
  ])("is not told, cancelled by %s, that nothing was paid", async (_, cancel) => {
    const id = await authorised();
    cancel(id);
    const goesBack = `${CHECKED}. If it arrives, all of it goes back and we write to you.`;
    // Who cancels on the page is not mailed.
    const mails = (await till.messagesTo("customer")).map(({ text }) => text);
    for (const said of [...mails, till.pageSays(id)]) {
      expect(said).toContain(goesBack);
      expect(said).not.toMatch(/not paid,/);
    }
    till.clock.now += HOUR;
    expect(till.pageSays(id)).not.toContain(CHECKED);
  });

  it("is not asked, moved by us, to pay again", async () => {
    const id = await authorised();
    till.move(id, { date: dayAhead(40), timeSlot: "14:00" });
    const said = await textsTo("customer", "booking_rescheduled");
    expect(said).toContain(`${CHECKED}. Please do not pay again.`);
    expect(said).toContain("PAYMENT BEING CHECKED");
    expect(said).not.toMatch(/Please pay|not paid yet|start paying|Pay ₹/);
  });
});

describe("money that goes back once the session is over", () => {
  const AHEAD = /Nothing changes for your session|session stays booked/;
  const UNTIL_IT_IS_OVER = [
    ["to its last moment", -1, true],
    ["from its end on", 0, false],
  ] as const;

  it.each(UNTIL_IT_IS_OVER)("%s, says of the session: %#", async (_, after, isSaid) => {
    const { id, orderId, payment } = await till.bookAndPay();
    till.pay(orderId);
    await till.look();
    till.clock.now = till.booking(id).endsAt + after;
    await till.hear(till.refundInDashboard(payment, 20_000));
    await till.hearDispute(payment, "lost");
    for (const kind of ["refund_under_way", "payment_refunded"] as const) {
      expect(AHEAD.test(await textsTo("customer", kind)), kind).toBe(isSaid);
    }
    for (const kind of ["admin_provider_refund", "admin_dispute"]) {
      expect(AHEAD.test((await toAdmin(kind))[0]!), kind).toBe(isSaid);
    }
    const ofSecond = (await till.messagesTo("customer")).filter(
      ({ kind }) => kind === "payment_refunded",
    );
    // By WhatsApp, whose text cannot change, nothing of a session that is over.
    expect(ofSecond).toHaveLength(isSaid ? 2 : 1);
  });
});

const refunds = () => till.rows("SELECT id, state, way FROM refund ORDER BY rowid");

/** The mails of a kind to the admin, as they would go out now. */
async function toAdmin(kind: string): Promise<string[]> {
  return (await till.messagesTo("admin"))
    .filter((one) => one.kind === kind)
    .map(({ text }) => text);
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

  it("whose failure is reported with the dashboard's refund that took its place", async () => {
    const { id, payment } = await till.bookAndCancel();
    await till.sendRefunds();
    till.failAtBank(till.razorpay.refunds[0]!);
    till.refundInDashboard(payment, WHOLE);
    // The provider lists the newest first.
    till.razorpay.refunds.reverse();
    await till.look();
    expect(await toAdmin(ASKS)).toEqual([]);
    expect(till.keptOf(id)).toBe(0);
  });
});

it("a refund that fails after it was asked about and then accepted is asked about again", async () => {
  await till.bookAndCancel();
  await till.sendRefused();
  const asked = () => till.queued("admin_refund_needs_person");
  expect(asked()).toHaveLength(1);
  till.clock.now += 3 * HOUR;
  await till.sendRefunds();
  expect(refunds()).toMatchObject([{ state: "pending" }]);
  await till.hearFailed();
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
    await till.hear(till.refundInDashboard(payment, WHOLE));
    const [mail] = await toAdmin("admin_provider_refund");
    expect(mail).not.toContain("has been notified");
    expect(mail).toContain(NOBODY);
  });
});

it("a won dispute says nothing of money that goes back all the same", async () => {
  const { id, payment } = await till.bookAndCancel();
  await till.rest();
  await till.hearDispute(payment, "won");
  const [mail] = await toAdmin("admin_dispute");
  expect(till.keptOf(id)).toBe(0);
  expect(mail).toContain("no longer asks for ₹1,179.");
  expect(mail).not.toMatch(/stays/);
});
