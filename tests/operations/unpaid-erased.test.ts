/** Whose money came too late and went back is erased like anybody who never paid. */
import { beforeEach, describe, expect, it } from "vitest";
import { DAY } from "#app/model/duration.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { refused } from "#tests/support/razorpay-stub.ts";
import { aboutRefund } from "#tests/support/till.ts";

const till = freshTill();
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
  await till.tell("refund.processed", aboutRefund(refund!));
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
    till.razorpay.instead = (call) => (call.startsWith("POST /v1/payments") ? answer : undefined);
    await till.sendRefunds();
    expect(till.rows("SELECT state FROM refund")).toEqual([{ state }]);
    expect(await isErased()).toBe(false);
  });

  it("is kept stays", async () => {
    const payment = await payLate();
    till.deps.db.runRaw("DELETE FROM refund");
    expect(till.rows("SELECT kept_paise FROM appointment")).toEqual([
      { kept_paise: payment.amount },
    ]);
    expect(await isErased()).toBe(false);
  });
});

it("a booking that was paid stays, though all of it went back", async () => {
  till.pay(orderId);
  await till.look();
  till.cancel(id);
  await goBack();
  expect(till.rows("SELECT kept_paise FROM appointment")).toEqual([{ kept_paise: 0 }]);
  expect(await isErased()).toBe(false);
});
