/** One row that cannot be worked on holds up nobody else, and nobody is asked about it for ever. */
import { describe, expect, it } from "vitest";
import { writeFailures } from "#app/core/failures.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { readOrdersSinceRestore } from "#app/payments/provider-lists.server.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { freshTill } from "#tests/support/hooks.ts";
import {
  foreignOrder,
  nextLookAt,
  openBrowser,
  ordersOf,
  outcomeOf,
  statusOf,
  WHOLE,
} from "#tests/support/money-outside.ts";
import { refused } from "#tests/support/razorpay-stub.ts";
import { aboutPayment } from "#tests/support/till.ts";

const till = freshTill();

const nextLook = (orderId: string) => nextLookAt(till, orderId);

async function unpaid() {
  const { id, orderId } = await till.bookAndOrder();
  return { id, orderId, payment: till.pay(orderId) };
}

/** A fault of our own: the database refuses what it would write about one row, until it is mended. */
function breakOn(table: string, condition: string): { mend(): void } {
  till.deps.db.runRaw(
    `CREATE TRIGGER broken BEFORE INSERT ON ${table} WHEN ${condition}
     BEGIN SELECT RAISE(ABORT, 'broken row'); END`,
  );
  return { mend: () => void till.deps.db.runRaw("DROP TRIGGER broken") };
}

function expectNoted(): void {
  writeFailures(till.deps);
  expect(listFailures(till.deps.db, 0)).not.toEqual([]);
}

const sinceRestore = () =>
  writeSetting(till.deps.db, READ_ORDERS_SINCE_SETTING, String(till.clock.now - DAY));

describe("an order that was closed before its answer was found", () => {
  /** The answer and its look-up are lost; the visitor then chooses another package. */
  async function closedUnseen() {
    const choose = openBrowser(till);
    const wanted = { date: dayAhead(60) };
    const { id } = choose(wanted).appointment;
    till.razorpay.isLost = () => true;
    expect(await till.createOrder(id)).toMatchObject({ code: "provider_unavailable" });
    till.razorpay.isLost = () => false;
    till.clock.now += MINUTE;
    expect(choose({ ...wanted, package: 60 }).appointment.id).toBe(id);
    const [closed] = till.razorpay.orders;
    const open = await till.order(id);
    const states = [
      { order_id: closed!.id, state: "closed" },
      { order_id: open, state: "open" },
    ];
    return { id, closed: closed!, open, states };
  }

  it("stays closed, its money goes back, and those behind it are read", async () => {
    const { id, closed, open, states } = await closedUnseen();
    const behind = await unpaid();
    const early = till.pay(closed.id);
    till.clock.now += 20 * MINUTE;
    await till.reconcile();
    expect(statusOf(till, behind.id)).toBe("confirmed");
    expect(ordersOf(till, id)).toEqual(states);
    expect(till.rows("SELECT payment_id, amount_paise FROM refund")).toEqual([
      { payment_id: early.id, amount_paise: WHOLE },
    ]);
    till.pay(open);
    await till.look();
    expect(statusOf(till, id)).toBe("confirmed");
  });

  it("stays closed after a restore, and those behind it are read", async () => {
    const { id, closed, states } = await closedUnseen();
    closed.status = "paid";
    const behind = till.pay(foreignOrder(till).id);
    sinceRestore();
    await readOrdersSinceRestore(till.deps);
    await till.workOnEvents();
    expect(outcomeOf(till, behind.id)).toBe("unmatched");
    expect(ordersOf(till, id)).toEqual(states);
  });
});

describe("an error that nobody expected", () => {
  it("over an order puts off that order alone", async () => {
    const [broken, behind] = [await unpaid(), await unpaid()];
    const { mend } = breakOn("payment", `NEW.payment_id = '${broken.payment.id}'`);
    till.clock.now += 20 * MINUTE;
    await till.reconcile();
    expect(statusOf(till, behind.id)).toBe("confirmed");
    const again = nextLook(broken.orderId)!;
    expect(again).toBeGreaterThan(till.clock.now);
    expectNoted();
    mend();
    till.clock.now = again;
    await till.reconcile();
    expect(statusOf(till, broken.id)).toBe("confirmed");
  });

  it("over an event puts off that event alone", async () => {
    const [broken, behind] = [await unpaid(), await unpaid()];
    const { mend } = breakOn("payment", `NEW.payment_id = '${broken.payment.id}'`);
    await till.tell("payment.captured", aboutPayment(broken.payment));
    await till.tell("payment.captured", aboutPayment(behind.payment));
    expect(statusOf(till, behind.id)).toBe("confirmed");
    expectNoted();
    mend();
    till.clock.now += HOUR;
    await till.workOnEvents();
    expect(statusOf(till, broken.id)).toBe("confirmed");
  });

  it("over a refund puts off that refund alone, and it is sent once", async () => {
    const [broken, behind] = [await till.bookAndPay(), await till.bookAndPay()];
    till.cancel(broken.id);
    till.clock.now += 1;
    till.cancel(behind.id);
    const ofBroken = `NEW.payment_id = '${broken.payment.id}'`;
    const { mend } = breakOn("document", `NEW.kind = 'credit_note' AND ${ofBroken}`);
    await till.sendRefunds();
    const sentOf = (paymentId: string) =>
      till.razorpay.refunds.filter((refund) => refund.payment_id === paymentId).length;
    expect(sentOf(behind.payment.id)).toBe(1);
    expectNoted();
    mend();
    till.clock.now += HOUR;
    await till.sendRefunds();
    expect(sentOf(broken.payment.id)).toBe(1);
    const row = "SELECT state FROM refund WHERE payment_id = ?";
    expect(till.rows(row, broken.payment.id)).toEqual([{ state: "pending" }]);
  });
});

it("an order that the provider does not know is asked for less and less, and at last no more", async () => {
  // As after test keys were changed for live ones.
  const orderId = await till.order(till.book());
  till.razorpay.instead = (call) =>
    call.includes(orderId) ? refused("The id provided does not exist") : undefined;
  const end = till.clock.now + 20 * DAY;
  let looks = 0;
  for (let due = nextLook(orderId); due !== null && due < end && looks < 300; looks++) {
    till.clock.now = due;
    await till.reconcile();
    due = nextLook(orderId);
  }
  expect(looks).toBeLessThan(100);
  expect(nextLook(orderId)).toBeNull();
});
