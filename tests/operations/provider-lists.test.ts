/** What is read from the provider's lists: settlements, and after a restore all that it did since the copy. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#app/model/dates.ts";
import {
  listOverdueAtBank,
  readOrdersSinceRestore,
  runRefundsMade,
  runRefundsMadeDaily,
  runSettlements,
  runSettlementsDaily,
} from "#app/payments/provider-lists.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { listMovements, listSettlements } from "#db/queries/settlements.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { BROKEN, stubId } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const isDone = () =>
  till.rows("SELECT value FROM setting WHERE key = ?", READ_ORDERS_SINCE_SETTING)[0].value === "";

/** The start after a restore, until nothing of it is due. */
async function start(): Promise<void> {
  writeSetting(till.deps.db, READ_ORDERS_SINCE_SETTING, String(till.clock.now - 12 * DAY));
  await goOn();
}

async function goOn(): Promise<void> {
  await readOrdersSinceRestore(till.deps);
  await till.workOnEvents();
}

const outcomes = () =>
  Object.fromEntries(
    till
      .rows("SELECT payment_id, outcome FROM payment")
      .map(({ payment_id: id, outcome }) => [id, outcome]),
  );

/** At the provider alone: the copy is from before. */
const lostOrder = () => till.foreignOrder().id;

describe("after a restore, what was paid since", () => {
  it("for a booking that is lost stands as unmatched, behind an order that stays closed; nothing is read a second time", async () => {
    const { id, orderId } = await till.bookAndOrder();
    till.deps.db.runRaw("UPDATE payment_order SET order_id = NULL, state = 'closed'");
    till.razorpay.orders[0]!.status = "paid";
    const payment = till.pay(lostOrder());
    const failed = till.pay(lostOrder(), { status: "failed" });
    await start();
    expect(till.ordersOf(id)).toEqual([{ order_id: orderId, state: "closed" }]);
    expect(outcomes()).toEqual({ [payment.id]: "unmatched" });
    expect(till.rows("SELECT kind FROM message WHERE audience = 'admin'")).toEqual([
      { kind: "admin_unmatched_payment" },
    ]);
    expect(till.razorpay.calls).not.toContain(`GET /v1/payments/${failed.id}`);
    expect(isDone()).toBe(true);
    const calls = till.razorpay.calls.length;
    await goOn();
    expect(till.razorpay.calls).toHaveLength(calls);
  });

  it.each([
    ["of long before, whose watch is over,", "created_at = 1, next_check_at = NULL"],
    ["that the copy has without its id", "order_id = NULL, state = 'creating'"],
  ])("on an order %s confirms its booking", async (_, copied) => {
    const { id, orderId } = await till.bookAndOrder();
    till.deps.db.runRaw(`UPDATE payment_order SET ${copied}`);
    till.pay(orderId);
    await start();
    expect(till.ordersOf(id)).toEqual([{ order_id: orderId, state: "paid" }]);
    expect(till.statusOf(id)).toBe("confirmed");
  });

  it("and is the same in the copy is not read again", async () => {
    const { payment } = await till.bookAndPay();
    const before = till.razorpay.calls.length;
    await start();
    const read = till.razorpay.calls.slice(before);
    expect(read.filter((call) => call.includes(payment.id))).toEqual([]);
  });
});

describe("after a restore, what went back since", () => {
  it("of a payment of long before is recorded, by whomever it was sent", async () => {
    const { id, payment } = await till.bookAndPay();
    const other = await till.bookAndPay();
    till.clock.now += 20 * DAY;
    till.refundInDashboard(payment, 20_000);
    // The stub lists all there is; the provider lists the payments of the time alone.
    till.razorpay.instead = (call) =>
      call === "GET /v1/payments" ? { status: 200, body: { items: [] } } : undefined;
    await start();
    expect(till.refundLines()).toEqual(["dashboard processed 20000"]);
    expect([till.keptOf(id), till.keptOf(other.id)]).toEqual([97_900, 117_900]);
  });

  it("and failed since waits for a person", async () => {
    await till.bookAndCancel();
    await till.sendRefunds();
    till.deps.db.runRaw("UPDATE refund SET next_try_at = ?", [till.clock.now + 300 * DAY]);
    till.failAtBank(till.razorpay.refunds[0]!);
    await start();
    expect(till.refundLines()).toEqual(["provider failed 117900"]);
  });

  it("by a dispute that was lost is taken back", async () => {
    const { payment } = await till.bookAndPay();
    till.disputeAtBank(payment, { status: "lost", created_at: 1 });
    await start();
    expect(till.rows("SELECT taken_back_paise FROM payment")).toEqual([
      { taken_back_paise: 117_900 },
    ]);
  });
});

describe("after a restore, an error", () => {
  it.each(["orders", "payments", "refunds", "disputes"])(
    "while %s are listed lets nothing be forgotten: all is listed again",
    async (list) => {
      const payment = till.pay(lostOrder());
      till.razorpay.instead = (call) => (call === `GET /v1/${list}` ? BROKEN : undefined);
      await start();
      expect(isDone()).toBe(false);
      till.razorpay.instead = () => undefined;
      await goOn();
      expect([outcomes(), isDone()]).toEqual([{ [payment.id]: "unmatched" }, true]);
    },
  );
});

describe("refunds, listed once a day", () => {
  /** A day later, with what the list queues; answers what the provider was asked. */
  async function nextDay(): Promise<string[]> {
    till.clock.now += DAY;
    const { length } = till.razorpay.calls;
    await runRefundsMadeDaily(till.deps);
    await till.workOnEvents();
    return till.razorpay.calls.slice(length);
  }
  const asked = () => till.rows("SELECT kind FROM message WHERE kind LIKE 'admin_refund%'");

  it("show one that the bank returned days after it was processed", async () => {
    const { id, payment } = await till.bookAndPay();
    await nextDay();
    till.clock.now += 10 * DAY;
    till.cancel(id);
    await till.sendRefunds();
    const [refund] = till.razorpay.refunds;
    refund!.status = "processed";
    till.clock.now += HOUR;
    await till.sendRefunds();
    expect(till.refundLines()).toEqual(["provider processed 117900"]);
    till.clock.now += 4 * DAY;
    till.failAtBank(refund!);
    await nextDay();
    expect(till.refundLines()).toEqual(["provider failed 117900"]);
    await till.hear(refund!);
    expect(asked()).toEqual([{ kind: "admin_refund_needs_person" }]);
    // What has not changed, or is of the account's other sales, is not read.
    const other = till.pay(null);
    till.refundInDashboard(other, 900);
    expect(await nextDay()).toEqual(["GET /v1/refunds"]);
    expect(till.rows("SELECT payment_id FROM payment")).toEqual([{ payment_id: payment.id }]);
  });

  it("are listed first after the first payment, and again in an hour where they could not be", async () => {
    expect(await nextDay()).toEqual([]);
    const { payment } = await till.bookAndPay();
    expect(await nextDay()).toEqual([]);
    till.refundInDashboard(payment, 900);
    await till.whileProvider(() => BROKEN, nextDay);
    expect(till.refundLines()).toEqual([]);
    till.clock.now += HOUR - DAY;
    expect(await nextDay()).toContain("GET /v1/refunds");
    expect(till.refundLines()).toEqual(["dashboard processed 900"]);
    const { length } = till.razorpay.calls;
    await runRefundsMadeDaily(till.deps);
    expect(till.razorpay.calls).toHaveLength(length);
    till.clock.now -= 1;
    expect(await nextDay()).toEqual([]);
  });
});

const live = () => ({
  ...till.deps,
  env: { ...till.deps.env, razorpay: { ...till.deps.env.razorpay, keyId: "rzp_live_1" } },
});
const seconds = () => Math.floor(till.clock.now / 1000);
const line = (entity_id: string, more: object) => ({
  entity_id,
  type: "payment",
  payment_id: null,
  debit: 0,
  credit: 0,
  fee: 0,
  tax: 0,
  settlement_id: "setl_1",
  settlement_utr: null,
  settled_at: seconds(),
  description: null,
  ...more,
});
const all = (withSamples = true) =>
  listSettlements(till.deps.db, 0, till.clock.now + DAY, withSamples);

it("a refund that has been pending for so long that a person was asked stays with that person", async () => {
  await till.bookAndCancel();
  await till.sendRefunds();
  till.razorpay.refunds[0]!.status = "pending";
  till.deps.db.runRaw("UPDATE refund SET state = 'needs_person', next_try_at = NULL");
  expect(await runRefundsMade(till.deps)).toBe(true);
  await till.workOnEvents();
  expect(till.rows("SELECT state, next_try_at FROM refund")).toEqual([
    { state: "needs_person", next_try_at: null },
  ]);
});

it("a settlement is added up from its lines, and takes the bank's number when it comes", async () => {
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
  expect(listMovements(till.deps.db, 0, till.clock.now + DAY)).toEqual([]);
  till.razorpay.settled = till.razorpay.settled.map((row) => ({
    ...row,
    settlement_utr: "AXIS123",
  }));
  expect(await runSettlements(till.deps)).toBe(true);
  expect(all()).toEqual([expect.objectContaining({ ...settlement, utr: "AXIS123" })]);
});

it("what is not at the bank ten days later is named, of a foreign card fifteen", async () => {
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

it("the very first payment is named too, which comes before settlements are first read", async () => {
  await runSettlementsDaily(live());
  const { payment } = await till.bookAndPay();
  till.clock.now += HOUR + 1;
  await runSettlementsDaily(live());
  till.clock.now += 10 * DAY;
  expect(listOverdueAtBank(live()).map(({ id }) => id)).toEqual([payment.id]);
});

it("a payment that went back whole, such as one that was never captured, is not missing", async () => {
  await runSettlements(live());
  const { orderId } = await till.bookAndOrder();
  const all = { amount: 117_900, status: "processed" };
  const payment = till.pay(orderId, { status: "refunded", amount_refunded: all.amount });
  till.razorpay.refunds.push({ id: stubId("rfnd"), payment_id: payment.id, ...all });
  await till.look();
  till.clock.now += 11 * DAY;
  expect(listOverdueAtBank(live())).toEqual([]);
});
