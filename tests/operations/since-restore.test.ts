/** After a restore: all that the provider did since the copy is looked up, one thing at a time. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#app/model/duration.ts";
import { readOrdersSinceRestore } from "#app/payments/provider-lists.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  disputeAtBank,
  foreignOrder,
  keptOf,
  refundInDashboard,
} from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";

const till = freshTill();

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
const lostOrder = () => foreignOrder(till).id;

describe("what was paid since", () => {
  it("for a booking that is lost stands as unmatched; nothing is read a second time", async () => {
    const payment = till.pay(lostOrder());
    const failed = till.pay(lostOrder(), { status: "failed" });
    await start();
    expect(outcomes()).toEqual({ [payment.id]: "unmatched" });
    expect(till.rows("SELECT kind FROM message")).toEqual([{ kind: "admin_unmatched_payment" }]);
    expect(till.razorpay.calls).not.toContain(`GET /v1/payments/${failed.id}`);
    expect(isDone()).toBe(true);
    const calls = till.razorpay.calls.length;
    await goOn();
    expect(till.razorpay.calls).toHaveLength(calls);
  });

  it("on an order of long before, whose watch is over, confirms its booking", async () => {
    const { orderId } = await till.bookAndOrder();
    till.deps.db.runRaw("UPDATE payment_order SET created_at = 1, next_check_at = NULL");
    till.pay(orderId);
    await start();
    expect(till.rows("SELECT status FROM appointment")).toEqual([{ status: "confirmed" }]);
  });

  it("on an order that the copy has without its id confirms its booking: the id is found first", async () => {
    const orderId = await till.order(till.book());
    till.deps.db.runRaw("UPDATE payment_order SET order_id = NULL, state = 'creating'");
    till.pay(orderId);
    await start();
    expect(till.rows("SELECT order_id, state FROM payment_order")).toEqual([
      { order_id: orderId, state: "paid" },
    ]);
    expect(till.rows("SELECT status FROM appointment")).toEqual([{ status: "confirmed" }]);
  });

  it("and is the same in the copy is not read again", async () => {
    const { payment } = await till.bookAndPay();
    const before = till.razorpay.calls.length;
    await start();
    const read = till.razorpay.calls.slice(before);
    expect(read.filter((call) => call.includes(payment.id))).toEqual([]);
  });
});

describe("what went back since", () => {
  it("of a payment of long before is recorded, by whomever it was sent", async () => {
    const { id, payment } = await till.bookAndPay();
    const other = await till.bookAndPay();
    till.clock.now += 20 * DAY;
    refundInDashboard(till, payment, 20_000);
    // The stub lists all there is; the provider lists the payments of the time alone.
    till.razorpay.instead = (call) =>
      call === "GET /v1/payments" ? { status: 200, body: { items: [] } } : undefined;
    await start();
    expect(till.rows("SELECT way, state, amount_paise FROM refund")).toEqual([
      { way: "dashboard", state: "processed", amount_paise: 20_000 },
    ]);
    expect([keptOf(till, id), keptOf(till, other.id)]).toEqual([97_900, 117_900]);
  });

  it("and failed since waits for a person", async () => {
    const { id, payment } = await till.bookAndPay();
    till.cancel(id);
    await till.sendRefunds();
    till.deps.db.runRaw("UPDATE refund SET next_try_at = ?", [till.clock.now + 300 * DAY]);
    till.razorpay.refunds[0]!.status = "failed";
    payment.amount_refunded = 0;
    await start();
    expect(till.rows("SELECT state FROM refund")).toEqual([{ state: "failed" }]);
  });

  it("by a dispute that was lost is taken back", async () => {
    const { payment } = await till.bookAndPay();
    disputeAtBank(till, payment, { status: "lost", created_at: 1 });
    await start();
    expect(till.rows("SELECT taken_back_paise FROM payment")).toEqual([
      { taken_back_paise: 117_900 },
    ]);
  });
});

describe("an error", () => {
  it("while one payment is read does not keep the rest from being read, and is reported if it stays", async () => {
    const [first, bad, last] = [1, 2, 3].map(() => till.pay(lostOrder()));
    till.razorpay.instead = (call) =>
      call.endsWith(bad!.id) ? refused("The id does not exist") : undefined;
    await start();
    expect(outcomes()).toEqual({ [first!.id]: "unmatched", [last!.id]: "unmatched" });
    expect(isDone()).toBe(true);
    till.clock.now += 25 * HOUR;
    await goOn();
    expect(till.rows("SELECT kind FROM message")).toContainEqual({ kind: "admin_given_up" });
    till.clock.now += HOUR;
    const calls = till.razorpay.calls.length;
    await goOn();
    expect(till.razorpay.calls).toHaveLength(calls);
  });

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
