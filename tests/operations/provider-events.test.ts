/** Webhooks recorded and worked on: what the provider confirms counts; one that it cannot confirm holds up nobody else. */
import { describe, expect, it } from "vitest";
import { DAY, MINUTE, SECOND } from "#app/model/dates.ts";
import { recordEvent, runProviderEvents } from "#app/payments/provider-events.server.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, refused, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { signedBy } from "#tests/support/signed-by.ts";
import { aboutPayment } from "#tests/support/till.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const events = () => till.rows("SELECT * FROM provider_event ORDER BY rowid");
const calls = () => till.razorpay.calls.length;

async function unpaid() {
  const { id, orderId } = await till.bookAndOrder();
  return { id, orderId, payment: till.pay(orderId) };
}

const captured = (payment: StubPayment, eventId?: string) =>
  till.tell("payment.captured", aboutPayment(payment), eventId);

it("an event that the provider cannot confirm now is tried again after a second, then after two, and does not hold up others", async () => {
  const [first, second] = [await unpaid(), await unpaid()];
  till.razorpay.instead = (call) => (call.endsWith(first.payment.id) ? BROKEN : undefined);
  await captured(first.payment);
  await captured(second.payment);
  expect(events()).toMatchObject([
    { state: "new", attempts: 1, next_try_at: till.clock.now + SECOND },
    { state: "done" },
  ]);
  expect(await till.workOnEvents()).toBe(0);
  till.clock.now += SECOND;
  expect(await till.workOnEvents()).toBe(0);
  expect(events()[0]).toMatchObject({ attempts: 2, next_try_at: till.clock.now + 2 * SECOND });
  till.razorpay.instead = () => undefined;
  till.clock.now += 2 * SECOND;
  expect(await till.workOnEvents()).toBe(1);
  expect([till.statusOf(first.id), till.statusOf(second.id)]).toEqual(["confirmed", "confirmed"]);
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
    expect(ms).toBeLessThan(10 * SECOND);
  }
});

describe("an event", () => {
  it.each([
    [
      "that the provider refuses is given up after a day, for keys may be changing",
      1,
      refused("no"),
    ],
    ["that it cannot confirm is given up after five days", 5, BROKEN],
  ])("%s, to the moment", async (_, days, answer) => {
    const { payment } = await unpaid();
    const cameAt = till.clock.now;
    till.razorpay.instead = () => answer;
    await captured(payment);
    for (const state of ["new", "parked"]) {
      till.clock.now = cameAt + days * DAY + (state === "new" ? 0 : MINUTE);
      await till.workOnEvents();
      expect(events()[0].state).toBe(state);
    }
    expect(events()).toMatchObject([{ attempts: 3, next_try_at: null }]);
    expect(till.rows("SELECT 1 FROM payment")).toEqual([]);
  });

  it("that makes no sense is given up at once", async () => {
    await captured((await unpaid()).payment);
    till.deps.db.runRaw("UPDATE provider_event SET state = 'new', next_try_at = 0, body = '{}'");
    await till.workOnEvents();
    const last_error = "rejected: an event that cannot be read";
    expect(events()).toMatchObject([{ last_error }]);
  });

  it("that was given up is taken anew when it is told again, as by Razorpay's replay", async () => {
    const { id, payment } = await unpaid();
    const replay = () => captured(payment, "evt_replayed");
    const giveUp = async () => {
      await replay();
      till.clock.now += DAY + 1;
      await till.workOnEvents();
      expect(events()).toMatchObject([{ state: "parked", next_try_at: null }]);
    };
    till.razorpay.instead = () => refused("The id provided does not exist");
    await giveUp();
    await giveUp();
    // Each time somebody is told.
    expect(till.rows("SELECT kind FROM message WHERE audience = 'admin'")).toEqual([
      { kind: "admin_given_up" },
      { kind: "admin_given_up" },
    ]);
    till.razorpay.instead = () => undefined;
    await replay();
    expect(events()).toMatchObject([{ state: "done", attempts: 0, last_error: null }]);
    expect(till.statusOf(id)).toBe("confirmed");
    const before = calls();
    await replay();
    expect(calls()).toBe(before);
  });

  it("of an unknown kind, or with malformed ids, is done and asks nothing", async () => {
    const odd = "pay_../../settlements";
    await till.tell("settlement.processed", {});
    await till.tell("payment.captured", { payment: { entity: { id: odd } } });
    await till.tell("refund.processed", { refund: { entity: { id: odd, payment_id: odd } } });
    expect(events().map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(calls()).toBe(0);
  });
});

describe("a webhook", () => {
  const record = (text: string, eventId: string | null = null, signed = true) => {
    const [secret] = till.deps.env.razorpay.webhookSecrets;
    const signature = signedBy(signed ? secret! : "another", text);
    return recordEvent(till.deps, { body: Buffer.from(text), signature, eventId });
  };
  const kind = (event: string) => JSON.stringify({ event });

  it("without a kind is not recorded, nor one without a right signature", () => {
    for (const text of ["", "{}", "[]", '{"event":7}', '{"payload":{"payment":{}}}']) {
      expect(record(text), text).toMatchObject({ ok: false, code: "malformed_json" });
    }
    const body = Buffer.from(kind("x"));
    for (const signature of [null, "", "0".repeat(64)]) {
      const forged = recordEvent(till.deps, { body, signature, eventId: null });
      expect(forged).toMatchObject({ code: "invalid_signature" });
    }
    expect(record(kind("x"), null, false)).toMatchObject({ code: "invalid_signature" });
    expect(events()).toEqual([]);
  });

  it("with a kind is recorded and done, however empty it is, and applies nothing", async () => {
    const entities = ["null", "{}", "[]", '""', '{"id":null}', '{"id":7}'];
    const parts = ["null", "[]", "{}", ...entities.map((entity) => `{"entity":${entity}}`)];
    const payloads = parts.map((part) => `{"payment":${part},"refund":${part},"dispute":${part}}`);
    const all = ["null", "[]", "7", ...payloads].flatMap((payload) =>
      ["payment.captured", "refund.processed", "payment.dispute.created"].map(
        (event) => `{"event":"${event}","payload":${payload}}`,
      ),
    );
    for (const text of all) expect(record(text), text).toMatchObject({ ok: true });
    while ((await till.workOnEvents()) > 0);
    expect(events().map(({ state }) => state)).toEqual(all.map(() => "done"));
    expect(calls()).toBe(0);
  });

  it("with one part that cannot be read counts by the others", async () => {
    const { id, payment } = await unpaid();
    await till.tell("payment.captured", { ...aboutPayment(payment), order: { entity: null } });
    expect(till.statusOf(id)).toBe("confirmed");
  });

  it("is known by its id, or by its body without one, is due at once, and wakes the worker once", () => {
    const before = till.wakes();
    const long = "e".repeat(300);
    const isNew = ([event, id]: (string | null)[]) => {
      const recorded = record(kind(event!), id);
      return recorded.ok && recorded.value.isNew;
    };
    const told = [
      ["a", ""],
      ["a", null],
      ["b", ""],
      ["c", long],
      ["d", long],
    ];
    expect(told.map(isNew)).toEqual([true, false, true, true, false]);
    expect(till.wakes()).toBe(before + 3);
    expect(events().map(({ event_id }) => event_id)).toEqual([
      ...[expect.stringMatching(/^body-\w{64}$/), expect.stringMatching(/^body-/)],
      long.slice(0, 200),
    ]);
    const { now } = till.clock;
    for (const row of events()) expect(row).toMatchObject({ next_try_at: now, received_at: now });
  });

  it("is worked on with nineteen others at a time, none once it is to stop", async () => {
    for (let i = 0; i < 22; i++) record(kind(`settlement.${i}`));
    expect(await runProviderEvents(till.deps, AbortSignal.abort())).toBe(0);
    const done = [await till.workOnEvents(), await till.workOnEvents()];
    expect([...done, await till.workOnEvents()]).toEqual([20, 2, 0]);
  });
});

describe("what an event says", () => {
  it("counts for nothing: the payment is as the provider shows it", async () => {
    const { id, payment } = await unpaid();
    payment.status = "failed";
    await captured({ ...payment, status: "captured" });
    expect(till.rows("SELECT outcome FROM payment")).toEqual([{ outcome: "failed" }]);
    expect(till.statusOf(id)).toBe("pending_payment");
  });

  it("of a refund, as the first news of an own order, brings the payment before it", async () => {
    const { id, payment } = await unpaid();
    await till.hear(till.refundInDashboard(payment, 50_000));
    expect(till.rows("SELECT kind, total_paise AS paise FROM document ORDER BY rowid")).toEqual([
      { kind: "invoice", paise: WHOLE },
      { kind: "credit_note", paise: 50_000 },
    ]);
    expect(till.statusOf(id)).toBe("confirmed");
  });

  it("brings the refunds whose own events did not come, and reads them only where there are some", async () => {
    const { payment } = await till.bookAndPay();
    const plain = (await till.bookAndPay()).payment;
    till.refundInDashboard(payment, 900);
    await captured(payment);
    expect(till.refundLines()).toEqual(["dashboard processed 900"]);
    const before = calls();
    for (const one of [payment, plain]) await captured(one);
    // One of the refunds may have failed since.
    expect(till.razorpay.calls.slice(before)).toEqual([
      ...[`GET /v1/payments/${payment.id}`, `GET /v1/payments/${payment.id}/refunds`],
      `GET /v1/payments/${plain.id}`,
    ]);
  });
});

it("an order that was closed before its answer was found stays closed, and its money goes back", async () => {
  const choose = till.openBrowser();
  const wanted = { date: dayAhead(60) };
  const { id } = choose(wanted).appointment;
  till.razorpay.isLost = () => true;
  expect(await till.createOrder(id)).toMatchObject({ code: "provider_unavailable" });
  till.razorpay.isLost = () => false;
  till.clock.now += MINUTE;
  expect(choose({ ...wanted, package: 60 }).appointment.id).toBe(id);
  const [closed] = till.razorpay.orders;
  const open = await till.order(id);
  till.pay(closed!.id);
  till.clock.now += 20 * MINUTE;
  await till.reconcile();
  expect(till.ordersOf(id)).toEqual([
    { order_id: closed!.id, state: "closed" },
    { order_id: open, state: "open" },
  ]);
  expect(till.refundLines()).toEqual([`provider wanted ${WHOLE}`]);
  till.pay(open);
  await till.look();
  expect(till.statusOf(id)).toBe("confirmed");
});
