/** Whose money came too late and went back is erased like anybody who never paid. */
import { beforeEach, describe, expect, it } from "vitest";
import { addDays, DAY, dateInIndia } from "#app/model/dates.ts";
import { isSend } from "#tests/support/money-outside.ts";
import { refused } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();
let id: string;
let orderId: string;
beforeEach(async () => {
  id = till.book();
  orderId = await till.order(id);
});

/** True if the person is gone once the time for it has passed. */
async function isErased(): Promise<boolean> {
  till.clock.now += 100 * DAY;
  await till.sweep();
  const [{ email }] = till.rows("SELECT email FROM appointment WHERE id = ?", id);
  return email === "";
}

/** Money for a booking that was cancelled before. */
async function payLate() {
  till.cancel(id);
  const payment = till.pay(orderId);
  await till.look();
  return payment;
}

async function goBack() {
  await till.sendRefunds();
  const [refund] = till.razorpay.refunds;
  refund!.status = "processed";
  await till.hear(refund!);
}

describe("an unpaid booking whose late money", () => {
  it("went back whole is erased", async () => {
    await payLate();
    await goBack();
    expect(till.rows("SELECT state FROM refund")).toEqual([{ state: "processed" }]);
    expect(await isErased()).toBe(true);
  });

  it("went back from the dashboard is erased, also where no single refund is listed", async () => {
    till.cancel(id);
    till.pay(orderId, { status: "refunded", amount_refunded: 117_900 });
    await till.look();
    expect(till.rows("SELECT way FROM refund")).toContainEqual({ way: "dashboard" });
    expect(await isErased()).toBe(true);
  });

  it.each([
    ["is still on its way", undefined, "pending"],
    ["waits for a person", refused("The payment is too old"), "needs_person"],
  ])("%s stays", async (_, answer, state) => {
    await payLate();
    await till.whileProvider((call) => (isSend(call) ? answer : undefined), till.sendRefunds);
    expect(till.rows("SELECT state FROM refund")).toEqual([{ state }]);
    expect(await isErased()).toBe(false);
  });
});

it("an unpaid booking is erased too where the bank took the money as well, though less than nothing is kept then", async () => {
  const payment = await payLate();
  await goBack();
  await till.hearDispute(payment, "lost");
  expect(till.keptOf(id)).toBe(-payment.amount);
  expect(await isErased()).toBe(true);
});

describe("an unpaid booking whose session lies beyond the days that it is kept", () => {
  beforeEach(async () => {
    await till.anew({ RETENTION_UNPAID_DAYS: "30" });
    const date = addDays(dateInIndia(till.clock.now), 85);
    ({ id, orderId } = await till.bookAndOrder({ date }));
  });

  const sweepLater = async (days: number) => {
    till.clock.now += days * DAY;
    await till.sweep();
    return till.booking(id);
  };
  const payNow = () => till.hearCaptured(till.pay(orderId));

  it.each([
    ["is", () => {}],
    ["is, once cancelled,", () => till.cancel(id)],
  ])("%s erased on time, and money that comes later goes back", async (_, end) => {
    end();
    expect((await sweepLater(29)).contact.email).not.toBe("");
    expect((await sweepLater(2)).contact.email).toBe("");
    await payNow();
    expect(till.booking(id).status).toBe("cancelled");
    expect(till.rows("SELECT reason, state FROM refund")).toEqual([
      { reason: "booking_cancelled", state: "wanted" },
    ]);
    expect(till.rows("SELECT 1 FROM document")).toEqual([]);
    expect(till.rows("SELECT 1 FROM message WHERE recipient = ''")).toEqual([]);
  });
});
