/** Every sentence about money is true of its own refund and its own cause, in mail, WhatsApp and page. */
import { describe, expect, it } from "vitest";
import { cancelAppointment } from "#app/booking/cancel-appointment.server.ts";
import { HOUR, MINUTE } from "#app/model/duration.ts";
import type { Audience } from "#app/model/messages.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  messagesTo,
  openBrowser,
  outcomeOf,
  pageOf,
  pageSays,
  refundInDashboard,
  rest,
  sendRefused,
  statusOf,
  WHATSAPP,
  WHOLE,
} from "#tests/support/money-outside.ts";
import { refused } from "#tests/support/razorpay-stub.ts";

const till = freshTill({ env: WHATSAPP });

/** All that was sent to the audience, or all of one kind, by mail and WhatsApp. */
async function textsTo(audience: Audience, kind?: string): Promise<string> {
  const sent = (await messagesTo(till, audience)).filter((one) => one.kind === (kind ?? one.kind));
  if (kind && sent.length === 0) throw new Error(`nobody was sent ${kind}`);
  return sent.map(({ text }) => text).join("\n");
}

describe("money that came too late is explained by its own cause", () => {
  const GONE = "the session was no longer free";
  const NOT_SO = /somebody else|no longer free|time was gone/i;

  const causes: [string, () => Promise<{ id: string; orderId: string }>, string][] = [
    [
      "the customer had cancelled the unpaid booking",
      async () => {
        const booked = await till.bookAndOrder();
        cancelAppointment(till.deps, { kind: "customer" }, booked.id);
        return booked;
      },
      "booking_cancelled",
    ],
    [
      "the session has begun",
      async () => {
        const booked = await till.bookAndOrder();
        till.clock.now = till.booking(booked.id).startsAt + MINUTE;
        return booked;
      },
      "session_begun",
    ],
    [
      "the captain had taken the time out, and nobody else has it",
      async () => {
        const booked = await till.bookAndOrder();
        till.clock.now += HOUR;
        const { date, timeSlot, counselorKey } = till.booking(booked.id);
        const block = { counselorKey, dates: [date], timeSlots: [timeSlot] };
        till.setBlocks({ ...block, action: "block" });
        return booked;
      },
      "time_gone",
    ],
  ];

  it.each(causes)("%s", async (_, cause, outcome) => {
    const { id, orderId } = await cause();
    const payment = till.pay(orderId);
    await till.look();
    expect([statusOf(till, id), outcomeOf(till, payment.id)]).toEqual(["cancelled", outcome]);
    const [mail, page] = [await textsTo("customer"), pageSays(till, id)];
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
    await rest(till);
    till.clock.now = till.booking(id).startsAt - 2 * HOUR;
    till.cancel(id, { by: "customer", refund: "none" });
    const said = await textsTo("customer", "booking_cancelled");
    expect(said).not.toMatch(/refund sent|Razorpay (has sent|is sending)|asked Razorpay/i);
    expect(said).toContain("There is no refund");
    expect(pageOf(till, id).pass.stamp?.text).toBe("Cancelled");
    // What the page says of that refund, it says of the second payment.
    expect(pageOf(till, id).money?.refunds).toEqual([expect.stringMatching(/second/i)]);
  });

  it("does not hide on the stamp that the cancellation's own refund is delayed", async () => {
    const { id, orderId } = await till.bookAndPay();
    till.cancel(id);
    await sendRefused(till, refused("not allowed"));
    till.clock.now += MINUTE;
    till.pay(orderId);
    await till.look();
    await rest(till);
    expect(pageOf(till, id).pass.stamp?.text).toBe("Cancelled \u2013 refund delayed");
  });
});

it("the credit note of money that came by the provider says otherwise where it was paid back by hand", async () => {
  const { id } = await till.bookAndPay();
  till.cancel(id);
  await sendRefused(till);
  expect(await till.settle(till.rows("SELECT id FROM refund")[0].id)).toMatchObject({ ok: true });
  const note = pageOf(till, id).papers.find(({ title }) => /credit note/i.test(title));
  const line = note?.said.find(([label]) => label === "Refund")?.[1];
  expect(line).not.toMatch(/the way it was paid|UPI/);
  expect(line).toMatch(/paid back by us|by hand/);
});

describe("money on an order of another package", () => {
  /** Chosen for 30 minutes, and then for 60, whose order is paid or not. */
  async function movedOn(isPaid: boolean) {
    const choose = openBrowser(till);
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
    refundInDashboard(till, second, 50_000);
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
    if (!isPaid) cancelAppointment(till.deps, { kind: "customer" }, id);
    const answer = await claim(id, first);
    expect(statusOf(till, id)).toBe(status);
    const said = JSON.stringify([answer, pageOf(till, id, "amount")]);
    expect(said + (await textsTo("customer"))).not.toMatch(/pay again/i);
  });

  it("asks who has not paid to pay again, and nobody who claims it once more after the right sum came", async () => {
    const { id, first } = await movedOn(false);
    const wrong = till.pay(first);
    const message = expect.stringContaining("pay again");
    expect(await claim(id, first, wrong)).toMatchObject({ code: "amount_mismatch", message });
    expect(pageOf(till, id, "amount").notice?.text).toContain("pay again");
    till.pay(await till.order(id));
    await till.look();
    expect(statusOf(till, id)).toBe("confirmed");
    expect(await claim(id, first, wrong)).toMatchObject({
      code: "amount_mismatch",
      message: expect.not.stringMatching(/pay again/i),
    });
  });
});
