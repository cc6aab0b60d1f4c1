/** Refunds on their way: each key sent once, reports of every kind, nothing twice. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#app/model/duration.ts";
import { applyRefund } from "#app/payments/apply-refund.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { refundInDashboard, WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, refused, type StubPayment } from "#tests/support/razorpay-stub.ts";
import { aboutRefund } from "#tests/support/till.ts";

const till = freshTill();

const isSend = (call: string) => call.startsWith("POST /v1/payments");
const sends = () => till.razorpay.calls.filter(isSend).length;
const ROW = "SELECT * FROM refund WHERE payment_id = ?";
const row = (paymentId: string) => till.rows(ROW, paymentId)[0];
const ASKED = "SELECT 1 FROM message WHERE kind = 'admin_refund_needs_person'";
const timesAsked = () => till.rows(ASKED).length;
const allGone = refused("The payment has been fully refunded already");
const send = () => till.sendRefunds();

/** Cancelled, with a refund that is wanted and not sent. */
async function cancelled() {
  const { id, payment } = await till.bookAndPay();
  till.cancel(id);
  return { id, payment, refundId: row(payment.id).id as string };
}

const fromDashboard = (...refund: [StubPayment, number, string?]) =>
  refundInDashboard(till, ...refund);

describe("a refund that went through", () => {
  it("is read until it is processed, and then never again", async () => {
    const { payment } = await cancelled();
    expect(await send()).toBe(1);
    const readAt = till.clock.now + HOUR;
    const pending = {
      state: "pending",
      amount_paise: WHOLE,
      next_try_at: readAt,
      last_error: null,
    };
    expect(row(payment.id)).toMatchObject(pending);
    till.clock.now = readAt - 1;
    expect(await send()).toBe(0);
    till.clock.now = readAt;
    expect(await send()).toBe(1);
    expect(row(payment.id).attempts).toBe(1);
    till.razorpay.instead = () => BROKEN;
    till.clock.now += HOUR;
    await send();
    expect(row(payment.id).state).toBe("pending");
    till.razorpay.instead = () => undefined;
    till.razorpay.refunds[0]!.status = "processed";
    till.clock.now += HOUR;
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({ state: "processed", next_try_at: null });
    const calls = till.razorpay.calls.length;
    till.clock.now += 30 * DAY;
    expect(await send()).toBe(0);
    expect(till.razorpay.calls).toHaveLength(calls);
    expect(sends()).toBe(1);
  });

  it("is read hourly for a day, then daily, and the eightieth time a person is asked", async () => {
    const { payment } = await cancelled();
    await send();
    const waits: number[] = [];
    let next = row(payment.id).next_try_at;
    while (next !== null) {
      waits.push(next - till.clock.now);
      till.clock.now = next;
      await send();
      next = row(payment.id).next_try_at;
    }
    expect(waits).toEqual([...Array(24).fill(HOUR), ...Array(56).fill(DAY)]);
    expect(row(payment.id)).toMatchObject({ state: "needs_person", attempts: 80 });
    expect([sends(), timesAsked()]).toEqual([1, 1]);
    const [made] = till.razorpay.refunds;
    made!.status = "processed";
    await till.tell("refund.processed", aboutRefund(made!));
    expect(row(payment.id).state).toBe("processed");
  });

  it("stays processed, whatever older event comes, and can fail", async () => {
    const { payment } = await cancelled();
    await send();
    const [refund] = till.razorpay.refunds;
    const failure = "the provider could not carry it out";
    for (const [status, state, error, asked] of [
      ["processed", "processed", null, 0],
      ["pending", "processed", null, 0],
      ["failed", "failed", failure, 1],
      ["pending", "failed", failure, 1],
      ["failed", "failed", failure, 1],
    ] as const) {
      refund!.status = status;
      await till.tell(`refund.${status}`, aboutRefund(refund!));
      const { state: now, last_error, next_try_at } = row(payment.id);
      expect([now, last_error, next_try_at], status).toEqual([state, error, null]);
      expect(timesAsked(), status).toBe(asked);
    }
    expect(till.rows("SELECT 1 FROM document WHERE kind = 'credit_note'")).toHaveLength(1);
  });
});

describe("a fault of the provider", () => {
  it("that passes is not brought to a person before the eighth try", async () => {
    const { payment } = await cancelled();
    till.razorpay.instead = (call) => (isSend(call) ? BROKEN : undefined);
    const waits: number[] = [];
    for (let tries = 1; tries < 8; tries++) {
      await send();
      const { state, attempts, next_try_at } = row(payment.id);
      expect([state, attempts, timesAsked()]).toEqual(["sent", tries, 0]);
      waits.push(next_try_at - till.clock.now);
      till.clock.now = next_try_at;
    }
    const mean = 2_000;
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(mean * 2 ** i * 0.75);
      expect(wait).toBeLessThanOrEqual(mean * 2 ** i * 1.25);
    }
    await send();
    expect([row(payment.id).state, timesAsked()]).toEqual(["needs_person", 1]);
    // The tries go on by themselves, and nobody is asked again.
    till.clock.now = row(payment.id).next_try_at;
    await send();
    expect([row(payment.id).attempts, timesAsked()]).toEqual([9, 1]);
  });

  it("that is permanent waits until a person tries again", async () => {
    const { payment, refundId } = await cancelled();
    till.razorpay.instead = (call) => (isSend(call) ? refused("not allowed") : undefined);
    await send();
    expect(row(payment.id)).toMatchObject({ state: "needs_person", next_try_at: null });
    expect(timesAsked()).toBe(1);
    till.razorpay.instead = () => undefined;
    till.clock.now += DAY;
    expect(await send()).toBe(0);
    await till.retry(refundId);
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({ state: "pending", key_generation: 2 });
  });
});

describe("the queue of refunds", () => {
  it("sends five at a time, none once it is to stop, and wakes the mailer for each", async () => {
    for (let made = 0; made < 7; made++) await cancelled();
    expect(await runRefunds(till.deps, AbortSignal.abort())).toBe(0);
    expect(sends()).toBe(0);
    const wakes = till.wakes();
    expect([await send(), await send(), await send()]).toEqual([5, 2, 0]);
    expect(sends()).toBe(7);
    expect(till.wakes()).toBe(wakes + 7);
  });

  it("says that a refund was sent before the call goes out, and keeps it for eight seconds", async () => {
    const { payment } = await cancelled();
    const during: unknown[] = [];
    till.razorpay.instead = (call) => {
      const { state, attempts, lease_until } = row(payment.id);
      if (isSend(call)) during.push(state, attempts, lease_until - till.clock.now);
      return undefined;
    };
    const { provider } = till.deps;
    // As if the process ended during the call: nobody ever hears the answer.
    const ended = Promise.withResolvers<void>();
    till.deps.provider = {
      ...provider,
      refund: async (asked) => {
        await provider.refund(asked);
        ended.resolve();
        return new Promise(() => {});
      },
    };
    void send();
    await ended.promise;
    expect(during).toEqual(["sent", 0, 8_000]);
    till.deps.provider = provider;
    till.clock.now += 7_999;
    expect(await send()).toBe(0);
    till.clock.now += 1;
    expect(await send()).toBe(1);
    expect([sends(), row(payment.id).state]).toEqual([2, "pending"]);
  });

  it("leaves alone what a webhook reported during a call that failed", async () => {
    const { payment } = await cancelled();
    till.razorpay.instead = (call) => {
      if (!isSend(call)) return undefined;
      till.deps.db.runRaw("UPDATE refund SET provider_refund_id = 'rfnd_event', state = 'pending'");
      return BROKEN;
    };
    expect(await send()).toBe(0);
    const reported = { state: "pending", attempts: 0, last_error: null };
    expect(row(payment.id)).toMatchObject(reported);
    expect(timesAsked()).toBe(0);
  });

  it("asks a person at once if the refusal cannot be looked into, or explains nothing", async () => {
    for (const alsoBroken of ["GET /v1/payments", "none"]) {
      const { payment } = await cancelled();
      till.razorpay.instead = (call) => {
        if (isSend(call)) return refused("not allowed");
        return call.startsWith(alsoBroken) ? BROKEN : undefined;
      };
      const [before, wakes] = [timesAsked(), till.wakes()];
      expect(await send()).toBe(0);
      expect(row(payment.id)).toMatchObject({
        ...{ state: "needs_person", attempts: 1, fault: "rejected", next_try_at: null },
      });
      // What could be read is applied, and that wakes the worker.
      const read = alsoBroken === "none" ? 1 : 0;
      expect([timesAsked(), till.wakes()]).toEqual([before + 1, wakes + read]);
      till.razorpay.instead = () => undefined;
    }
  });
});

describe("trying again", () => {
  it("is needed to send money for a refund that failed in the dashboard", async () => {
    const { payment } = await till.bookAndPay();
    const made = fromDashboard(payment, 20_000);
    await till.tell("refund.created", aboutRefund(made));
    payment.amount_refunded = 0;
    made.status = "failed";
    await till.tell("refund.failed", aboutRefund(made));
    const before = row(payment.id);
    expect([before.way, before.state, before.counts]).toEqual(["dashboard", "failed", 0]);
    till.clock.now += DAY;
    await send();
    expect(row(payment.id)).toEqual(before);
    expect(sends()).toBe(0);
  });

  it("makes no second refund of one whose answer was lost: its key stays", async () => {
    const { payment, refundId } = await cancelled();
    till.razorpay.isLost = isSend;
    while (row(payment.id).state !== "needs_person") {
      await send();
      till.clock.now = row(payment.id).next_try_at;
    }
    till.razorpay.instead = () => BROKEN;
    await till.retry(refundId);
    expect(row(payment.id)).toMatchObject({ state: "wanted", attempts: 0, key_generation: 1 });
    till.razorpay.instead = () => undefined;
    till.razorpay.isLost = () => false;
    await send();
    expect(row(payment.id)).toMatchObject({ state: "pending", key_generation: 1 });
    expect(till.razorpay.refunds).toHaveLength(1);
  });

  it("leaves the failed try behind: a late event of it means nothing", async () => {
    const { payment, refundId } = await cancelled();
    await send();
    const [first] = till.razorpay.refunds;
    first!.status = "failed";
    await till.tell("refund.failed", aboutRefund(first!));
    await till.retry(refundId);
    const wanted = { state: "wanted", provider_refund_id: null, key_generation: 2 };
    expect(row(payment.id)).toMatchObject(wanted);
    for (const status of ["failed", "pending", "processed"]) {
      first!.status = status;
      await till.tell(`refund.${status}`, aboutRefund(first!));
      expect(row(payment.id)).toMatchObject(wanted);
    }
    expect(till.rows("SELECT 1 FROM refund")).toHaveLength(1);
    await send();
    expect(sends()).toBe(2);
  });
});

describe("what the provider refuses for good", () => {
  it("is no second refund when ours stands in its list under a lost answer", async () => {
    const { payment } = await cancelled();
    till.razorpay.isLost = isSend;
    await send();
    payment.status = "refunded";
    till.razorpay.isLost = () => false;
    till.razorpay.instead = (call) => (isSend(call) ? allGone : undefined);
    till.clock.now = row(payment.id).next_try_at;
    const wakes = till.wakes();
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({
      state: "pending",
      provider_refund_id: till.razorpay.refunds[0]!.id,
      last_error: null,
      amount_paise: WHOLE,
    });
    expect(till.rows("SELECT refunded_paise, provider_status FROM payment")).toEqual([
      { refunded_paise: WHOLE, provider_status: "refunded" },
    ]);
    expect(till.wakes()).toBeGreaterThan(wakes);
    expect(timesAsked()).toBe(0);
  });

  it("is less, once part of it went back from the dashboard", async () => {
    const { payment } = await cancelled();
    fromDashboard(payment, 50_000);
    till.razorpay.instead = (call) =>
      isSend(call) && sends() === 1
        ? refused("The total refund amount is greater than the refund payment amount")
        : undefined;
    await send();
    const all = till.rows("SELECT way, state, amount_paise, key_generation FROM refund");
    expect(all).toHaveLength(3);
    expect(all).toContainEqual({
      way: "dashboard",
      state: "processed",
      amount_paise: 50_000,
      key_generation: 1,
    });
    // Sent at once, under a key of its own.
    expect(all).toContainEqual({
      way: "provider",
      state: "pending",
      amount_paise: WHOLE - 50_000,
      key_generation: 2,
    });
    // Should that of the dashboard fail, so much is owed again.
    expect(all).toContainEqual({
      ...{ way: "provider", state: "superseded", amount_paise: 50_000, key_generation: 1 },
    });
    expect(payment.amount_refunded).toBe(WHOLE);
    expect(timesAsked()).toBe(0);
  });

  it.each([
    ["all", [], "needs_person", WHOLE],
    ["a paisa less", [1], "wanted", WHOLE - 1],
    ["a paisa", [WHOLE - 1], "wanted", 1],
    ["nothing", [WHOLE - 1, 1], "superseded", WHOLE],
  ])("leaves %s to be sent, as money went back", async (_, parts, state, amountPaise) => {
    const { payment, refundId } = await cancelled();
    for (const part of parts) fromDashboard(payment, part);
    const stop = new AbortController();
    till.razorpay.instead = (call) => {
      if (!isSend(call)) return undefined;
      stop.abort();
      return allGone;
    };
    await runRefunds(till.deps, stop.signal);
    expect(sends()).toBe(1);
    const ours = till.rows("SELECT state, amount_paise FROM refund WHERE id = ?", refundId);
    expect(ours).toEqual([{ state, amount_paise: amountPaise }]);
  });
});

describe("answers that are not ours", () => {
  it("about a payment that nobody knows change nothing", async () => {
    const stranger = till.pay(null);
    await till.tell("refund.processed", aboutRefund(fromDashboard(stranger, 100)));
    // The payment is read with it, and is nobody's.
    expect(till.rows("SELECT outcome, refunded_paise FROM payment")).toEqual([
      { outcome: "unmatched", refunded_paise: 100 },
    ]);
    const failed = fromDashboard(till.pay(null), 100, "failed");
    await till.tell("refund.failed", aboutRefund(failed));
    expect(till.rows("SELECT state FROM refund")).toEqual([{ state: "processed" }]);
  });

  it("about a payment that was never read are nobody's", () => {
    const refund = { refundId: "rfnd_x", paymentId: "pay_never_read", amountPaise: 100 };
    const reported = { ...refund, receipt: null, status: "processed" } as const;
    applyRefund(till.deps.db, till.deps, reported, till.clock.now);
    expect(till.rows("SELECT 1 FROM refund")).toEqual([]);
  });

  it("count what went back: not what failed, and a single paisa too", async () => {
    const { payment } = await cancelled();
    await send();
    const [ours] = till.razorpay.refunds;
    ours!.status = "failed";
    payment.amount_refunded = 0;
    await till.tell("refund.failed", aboutRefund(ours!));
    const rows = () =>
      till
        .rows("SELECT way, state, amount_paise FROM refund ORDER BY amount_paise, way")
        .map(({ way, state, amount_paise }) => `${way} ${state} ${amount_paise}`);
    expect(rows()).toEqual([`provider failed ${WHOLE}`]);
    fromDashboard(payment, 1);
    await till.look();
    const rest = ["provider superseded 1", `provider failed ${WHOLE - 1}`];
    expect(rows()).toEqual(["dashboard processed 1", ...rest]);
  });
});
