/** Webhooks recorded and worked on: what the provider confirms counts; one row that cannot be worked on holds up nobody else. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { writeFailures } from "#app/core/failures.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/duration.ts";
import { recordEvent } from "#app/payments/provider-events.server.ts";
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
  refundInDashboard,
  statusOf,
  WHOLE,
} from "#tests/support/money-outside.ts";
import { BROKEN, refused, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutPayment, aboutRefund } from "#tests/support/till.ts";

const till = freshTill();

const events = () =>
  till.rows("SELECT kind, state, attempts, next_try_at, last_error FROM provider_event");

async function unpaid() {
  const { id, orderId } = await till.bookAndOrder();
  return { id, orderId, payment: till.pay(orderId) };
}

const captured = (payment: StubPayment) => till.tell("payment.captured", aboutPayment(payment));

it("an event that the provider cannot confirm now is tried again after a second, then after two, and does not hold up others", async () => {
  const first = await unpaid();
  const second = await unpaid();
  till.razorpay.instead = (call) => (call.endsWith(first.payment.id) ? BROKEN : undefined);
  await captured(first.payment);
  expect(events()).toMatchObject([
    { state: "new", attempts: 1, next_try_at: till.clock.now + 1_000 },
  ]);
  await captured(second.payment);
  expect(events().map(({ state }) => state)).toEqual(["new", "done"]);
  expect(await till.workOnEvents()).toBe(0);
  till.clock.now += 1_000;
  expect(await till.workOnEvents()).toBe(0);
  expect(events()[0]).toMatchObject({ attempts: 2, next_try_at: till.clock.now + 2_000 });
  till.razorpay.instead = () => undefined;
  till.clock.now += 2_000;
  expect(await till.workOnEvents()).toBe(1);
  expect(till.rows("SELECT status FROM appointment")).toEqual([
    { status: "confirmed" },
    { status: "confirmed" },
  ]);
});

it("an event or an order in hand when the process dies is due again within 10 seconds", async () => {
  const { payment } = await unpaid();
  const left: number[] = [];
  let rows = "SELECT next_try_at AS at FROM provider_event";
  till.razorpay.instead = () => {
    left.push(till.rows(rows)[0].at - till.clock.now);
    return BROKEN;
  };
  await captured(payment);
  rows = "SELECT next_check_at AS at FROM payment_order";
  till.clock.now += 15 * MINUTE;
  await till.reconcile();
  expect(left).toHaveLength(2);
  for (const ms of left) {
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan(10_000);
  }
});

describe("an event", () => {
  it("of something the provider does not know is retried for a day, for keys may be changing, then parked", async () => {
    const { payment } = await unpaid();
    till.razorpay.payments.length = 0;
    await captured(payment);
    expect(events()).toMatchObject([{ state: "new", attempts: 1 }]);
    till.clock.now += DAY;
    await till.workOnEvents();
    expect(events()).toMatchObject([{ state: "new", attempts: 2 }]);
    till.clock.now += 60 * MINUTE;
    await till.workOnEvents();
    expect(events()).toMatchObject([{ state: "parked", attempts: 3, next_try_at: null }]);
    expect(till.rows("SELECT 1 FROM payment")).toEqual([]);
  });

  it("that was given up is taken anew when it is told again, as by Razorpay's replay", async () => {
    const { id, payment } = await unpaid();
    const replay = () => till.tell("payment.captured", aboutPayment(payment), "evt_replayed");
    const giveUp = async () => {
      await replay();
      till.clock.now += DAY + 1;
      await till.workOnEvents();
      expect(events()).toMatchObject([{ state: "parked", next_try_at: null }]);
    };
    await till.whileProvider(
      () => refused("The id provided does not exist"),
      async () => {
        await giveUp();
        await giveUp();
      },
    );
    // Each time somebody is told.
    expect(till.rows("SELECT kind FROM message WHERE audience = 'admin'")).toEqual([
      { kind: "admin_given_up" },
      { kind: "admin_given_up" },
    ]);
    await replay();
    expect(events()).toMatchObject([{ state: "done", attempts: 0, last_error: null }]);
    expect(statusOf(till, id)).toBe("confirmed");
    const { length } = till.razorpay.calls;
    await replay();
    expect(till.razorpay.calls).toHaveLength(length);
  });

  it("of an unknown kind, or with malformed ids, is done and asks nothing", async () => {
    const calls = till.razorpay.calls.length;
    const odd = "pay_../../settlements";
    await till.tell("settlement.processed", {});
    await till.tell("payment.captured", { payment: { entity: { id: odd } } });
    await till.tell("refund.processed", { refund: { entity: { id: odd, payment_id: odd } } });
    expect(events().map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(till.razorpay.calls).toHaveLength(calls);
  });

  it("without a kind is not recorded", () => {
    const record = (text: string) => {
      const [secret] = till.deps.env.razorpay.webhookSecrets;
      const signature = createHmac("sha256", secret!).update(text).digest("hex");
      return recordEvent(till.deps, { body: Buffer.from(text), signature, eventId: null });
    };
    for (const text of ["", "{}", "[]", '{"event":7}', '{"event":"x","payload":{"payment":{}}}']) {
      expect(record(text), text).toMatchObject({ ok: false, code: "malformed_json" });
    }
    expect(events()).toEqual([]);
    // Equal bodies without an id are one event.
    expect(record('{"event":"x"}')).toMatchObject({ value: { isNew: true } });
    expect(record('{"event":"x"}')).toMatchObject({ value: { isNew: false } });
    expect(record('{"event":"y"}')).toMatchObject({ value: { isNew: true } });
  });
});

describe("what an event says", () => {
  it("counts for nothing: the payment is as the provider shows it", async () => {
    const { id, payment } = await unpaid();
    payment.status = "failed";
    await captured({ ...payment, status: "captured" });
    expect(till.rows("SELECT outcome FROM payment")).toEqual([{ outcome: "failed" }]);
    expect(till.rows("SELECT status FROM appointment WHERE id = ?", id)).toEqual([
      { status: "pending_payment" },
    ]);
  });

  it("brings the refunds whose own events did not come", async () => {
    const { payment } = await till.bookAndPay();
    await till.bookAndPay();
    refundInDashboard(till, payment, 900);
    await captured(payment);
    expect(till.rows("SELECT payment_id, amount_paise, way, state FROM refund")).toEqual([
      { payment_id: payment.id, amount_paise: 900, way: "dashboard", state: "processed" },
    ]);
    const read = till.razorpay.calls.length;
    await captured(payment);
    // One of them may have failed since.
    expect(till.razorpay.calls.slice(read)).toEqual([
      ...[`GET /v1/payments/${payment.id}`, `GET /v1/payments/${payment.id}/refunds`],
    ]);
    const plain = (await till.bookAndPay()).payment;
    const unread = till.razorpay.calls.length;
    await captured(plain);
    expect(till.razorpay.calls.slice(unread)).toEqual([`GET /v1/payments/${plain.id}`]);
  });

  it("brings the payment with its refund, and the amounts of both", async () => {
    const { payment } = await till.bookAndPay();
    refundInDashboard(till, payment, 900);
    const wakes = till.wakes();
    await till.tell("refund.processed", aboutRefund(till.razorpay.refunds[0]!));
    expect(till.rows("SELECT refunded_paise FROM payment")).toEqual([{ refunded_paise: 900 }]);
    expect(till.rows("SELECT total_paise FROM document WHERE kind = 'credit_note'")).toEqual([
      { total_paise: 900 },
    ]);
    // For the event, and for what it caused.
    expect(till.wakes()).toBeGreaterThanOrEqual(wakes + 2);
  });
});

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
  for (let due = nextLookAt(till, orderId); due !== null && due < end && looks < 300; looks++) {
    till.clock.now = due;
    await till.reconcile();
    due = nextLookAt(till, orderId);
  }
  expect(looks).toBeLessThan(100);
  expect(nextLookAt(till, orderId)).toBeNull();
});
