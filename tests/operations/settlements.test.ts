/** Settlements as they are read from the provider, and money that none of them names. */
import { expect, it } from "vitest";
import { DAY } from "#app/model/duration.ts";
import {
  listOverdueAtBank,
  runSettlements,
  runSettlementsDaily,
} from "#app/payments/settlements.server.ts";
import { listSettlements, listUnsettled } from "#db/queries/settlements.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { stubId } from "#tests/support/razorpay-stub.ts";

const till = freshTill();

const live = () => ({
  ...till.deps,
  env: { ...till.deps.env, razorpay: { ...till.deps.env.razorpay, keyId: "rzp_live_1" } },
});
const seconds = () => Math.floor(till.clock.now / 1000);
const line = (entity_id: string, more: object) => ({
  ...{ entity_id, type: "payment", payment_id: null, debit: 0, credit: 0, fee: 0, tax: 0 },
  ...{ settlement_id: "setl_1", settlement_utr: null, settled_at: seconds(), description: null },
  ...more,
});
const all = (withSamples = true) =>
  listSettlements(till.deps.db, 0, till.clock.now + DAY, withSamples);

it("adds a settlement up from its lines, and takes the bank's number when it comes", async () => {
  const { payment } = await till.bookAndPay();
  const paid = line(payment.id, { credit: 115_118, fee: 2_782, tax: 424 });
  const refund = { type: "refund", payment_id: payment.id, debit: 50_000 };
  till.razorpay.settled = [
    paid,
    line("rfnd_1", refund),
    line("adj_1", { type: "adjustment", debit: 1_000, description: "reversal", fee: null }),
    line("pay_later", { settlement_id: null, settled_at: null, credit: 5 }),
  ];
  expect(await runSettlements(till.deps)).toBe(true);
  const sums = { paymentsPaise: 117_900, refundsPaise: 50_000, adjustmentsPaise: -1_000 };
  const settlement = { ...sums, feePaise: 2_358, feeTaxPaise: 424, bankPaise: 64_118 };
  expect(all()).toEqual([expect.objectContaining({ ...settlement, utr: null })]);
  // The invoice is a sample: in the books stands the adjustment alone.
  expect(all(false)).toMatchObject([{ paymentsPaise: 0, refundsPaise: 0, bankPaise: -1_000 }]);
  till.razorpay.settled = till.razorpay.settled.map((row) => ({
    ...row,
    settlement_utr: "AXIS123",
  }));
  expect(await runSettlements(till.deps)).toBe(true);
  expect(all()).toEqual([expect.objectContaining({ ...settlement, utr: "AXIS123" })]);
});

it("names what is not at the bank ten days later, of a foreign card fifteen", async () => {
  await runSettlements(live());
  const [near, settled, foreign] = [
    await till.bookAndPay(),
    await till.bookAndPay(),
    await till.bookAndPay(),
  ];
  till.deps.db.runRaw("UPDATE payment SET international = 1 WHERE payment_id = ?", [
    foreign.payment.id,
  ]);
  till.razorpay.settled = [line(settled.payment.id, { credit: 115_118, fee: 2_782, tax: 424 })];
  await runSettlements(live());
  const overdue = () => listOverdueAtBank(live()).map(({ id }) => id);
  till.clock.now += 10 * DAY - 1_000;
  expect(overdue()).toEqual([]);
  till.clock.now += 2_000;
  expect(overdue()).toEqual([near.payment.id]);
  expect(listOverdueAtBank(till.deps)).toEqual([]);
  till.clock.now += 5 * DAY;
  expect(overdue()).toEqual([near.payment.id, foreign.payment.id]);
});

it("names the very first payment too, which comes before settlements are first read", async () => {
  await runSettlementsDaily(live());
  const { payment } = await till.bookAndPay();
  till.clock.now += 3_600_001;
  await runSettlementsDaily(live());
  till.clock.now += 3_600_001;
  await runSettlementsDaily(live());
  till.clock.now += 10 * DAY;
  expect(listOverdueAtBank(live()).map(({ id }) => id)).toEqual([payment.id]);
});

it("misses no payment at the bank that went back whole, such as one that was never captured", async () => {
  await runSettlements(live());
  const { orderId } = await till.bookAndOrder();
  const all = { amount: 117_900, status: "processed" };
  const payment = till.pay(orderId, { status: "refunded", amount_refunded: all.amount });
  till.razorpay.refunds.push({ id: stubId("rfnd"), payment_id: payment.id, ...all });
  await till.look();
  till.clock.now += 11 * DAY;
  expect(listOverdueAtBank(live())).toEqual([]);
});

it("a payment that failed is no movement of money", async () => {
  const { payment } = await till.bookAndPay();
  const moved = () => {
    const all = { from: 0, to: till.clock.now + DAY, foreignTo: till.clock.now + DAY };
    return listUnsettled(till.deps.db, { ...all, settledBefore: all.to }).map(({ id }) => id);
  };
  expect(moved()).toEqual([payment.id]);
  till.deps.db.runRaw("UPDATE payment SET captured_at = NULL");
  expect(moved()).toEqual([]);
});

it("is read daily, an hour after the first payment, and again in an hour where it failed", async () => {
  const asked = () => till.razorpay.calls.filter((call) => call.includes("settlements")).length;
  await runSettlementsDaily(till.deps);
  await till.bookAndPay();
  await runSettlementsDaily(till.deps);
  expect(asked()).toBe(0);
  till.clock.now += 3_600_001;
  await runSettlementsDaily(till.deps);
  await runSettlementsDaily(till.deps);
  expect(asked()).toBe(2);
  till.clock.now += DAY + 1;
  await runSettlementsDaily(till.deps);
  expect(asked()).toBe(4);
});
