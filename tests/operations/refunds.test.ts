/** Refunds on their way: each key sent once, reports of every kind, nothing twice. */
import { describe, expect, it } from "vitest";
import { DAY, HOUR } from "#app/model/dates.ts";
import { applyRefund } from "#app/payments/apply-refund.server.ts";
import { runRefunds } from "#app/payments/refunds.server.ts";
import { isSend, WHOLE } from "#tests/support/money-outside.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

const till = moneyTill();

const sends = () => till.razorpay.calls.filter(isSend).length;
const ROW = "SELECT * FROM refund WHERE payment_id = ?";
const row = (paymentId: string) => till.rows(ROW, paymentId)[0];
const timesAsked = () => till.queued("admin_refund_needs_person").length;
const allGone = refused("The payment has been fully refunded already");
const send = () => till.sendRefunds();

describe("a refund that went through", () => {
  it("is read until it is processed, and then never again", async () => {
    const { payment } = await till.bookAndCancel();
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({ state: "pending", last_error: null });
    till.clock.now += HOUR;
    expect(await till.whileProvider(() => BROKEN, send)).toBe(0);
    expect(row(payment.id).state).toBe("pending");
    till.razorpay.refunds[0]!.status = "processed";
    till.clock.now += HOUR;
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({ state: "processed", next_try_at: null });
    expect(sends()).toBe(1);
  });

  it("is read hourly for a day, then daily, and the eightieth time a person is asked", async () => {
    const { payment } = await till.bookAndCancel();
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
    await till.hear(made!);
    expect(row(payment.id).state).toBe("processed");
  });

  it("stays processed, whatever older event comes, and can fail", async () => {
    const { payment } = await till.bookAndCancel();
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
      await till.hear(refund!);
      const { state: now, last_error, next_try_at } = row(payment.id);
      expect([now, last_error, next_try_at], status).toEqual([state, error, null]);
      expect(timesAsked(), status).toBe(asked);
    }
    expect(till.rows("SELECT 1 FROM document WHERE kind = 'credit_note'")).toHaveLength(1);
  });
});

describe("a fault of the provider", () => {
  it("that passes is not brought to a person before the eighth try", async () => {
    const { payment } = await till.bookAndCancel();
    const mean = 2_000;
    for (let tries = 1; tries < 8; tries++) {
      await till.sendRefused(BROKEN);
      const { state, attempts, next_try_at } = row(payment.id);
      expect([state, attempts, timesAsked()]).toEqual(["sent", tries, 0]);
      const share = (next_try_at - till.clock.now) / (mean * 2 ** (tries - 1));
      expect(share).toBeGreaterThanOrEqual(0.75);
      expect(share).toBeLessThanOrEqual(1.25);
      till.clock.now = next_try_at;
    }
    await till.sendRefused(BROKEN);
    expect([row(payment.id).state, timesAsked()]).toEqual(["needs_person", 1]);
    // The tries go on by themselves, and nobody is asked again.
    till.clock.now = row(payment.id).next_try_at;
    await till.sendRefused(BROKEN);
    expect([row(payment.id).attempts, timesAsked()]).toEqual([9, 1]);
  });

  it("that is permanent waits until a person tries again", async () => {
    const { payment, refundId } = await till.bookAndCancel();
    await till.sendRefused(refused("not allowed"));
    expect(row(payment.id)).toMatchObject({ state: "needs_person", next_try_at: null });
    expect(timesAsked()).toBe(1);
    till.clock.now += DAY;
    expect(await send()).toBe(0);
    await till.retry(refundId);
    expect(await send()).toBe(1);
    expect(row(payment.id)).toMatchObject({ state: "pending", key_generation: 2 });
  });
});

describe("the queue of refunds", () => {
  it("sends five at a time, none once it is to stop, and wakes the mailer for each", async () => {
    for (let made = 0; made < 7; made++) await till.bookAndCancel();
    expect(await runRefunds(till.deps, AbortSignal.abort())).toBe(0);
    expect(sends()).toBe(0);
    const wakes = till.wakes();
    expect([await send(), await send(), await send()]).toEqual([5, 2, 0]);
    expect(sends()).toBe(7);
    expect(till.wakes()).toBe(wakes + 7);
  });

  it("says that a refund was sent before the call goes out, and keeps it for eight seconds", async () => {
    const { payment } = await till.bookAndCancel();
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

  it.each([
    ["a webhook reported it", "provider_refund_id = 'rfnd_event', state = 'pending'"],
    ["a person paid it back", "way = 'by_hand', state = 'processed', next_try_at = NULL"],
    ["a part went back otherwise", "amount_paise = 100"],
    ["all went back otherwise", "state = 'superseded', next_try_at = NULL"],
  ])("leaves a refund alone where %s during a call that failed", async (_, changes) => {
    const { payment } = await till.bookAndCancel();
    let before = row(payment.id);
    till.razorpay.instead = (call) => {
      if (!isSend(call)) return undefined;
      till.deps.db.runRaw(`UPDATE refund SET ${changes}`);
      before = row(payment.id);
      return BROKEN;
    };
    expect(await send()).toBe(0);
    expect([row(payment.id), timesAsked()]).toEqual([before, 0]);
  });

  it("asks a person at once if the refusal cannot be looked into, or explains nothing", async () => {
    for (const alsoBroken of ["GET /v1/payments", "none"]) {
      const { payment } = await till.bookAndCancel();
      till.razorpay.instead = (call) => {
        if (isSend(call)) return refused("not allowed");
        return call.startsWith(alsoBroken) ? BROKEN : undefined;
      };
      const [before, wakes] = [timesAsked(), till.wakes()];
      expect(await send()).toBe(0);
      expect(row(payment.id)).toMatchObject({
        state: "needs_person",
        attempts: 1,
        fault: "rejected",
        next_try_at: null,
      });
      // What could be read is applied, and that wakes the worker.
      const read = alsoBroken === "none" ? 1 : 0;
      expect([timesAsked(), till.wakes()]).toEqual([before + 1, wakes + read]);
      till.razorpay.instead = () => undefined;
    }
  });
});

describe("trying again", () => {
  it("makes no second refund of one whose answer was lost: its key stays", async () => {
    const { payment, refundId } = await till.bookAndCancel();
    till.razorpay.isLost = isSend;
    till.razorpay.instead = (call) => (isSend(call) ? undefined : BROKEN);
    while (row(payment.id).state !== "needs_person") {
      await send();
      till.clock.now = row(payment.id).next_try_at;
    }
    expect(await till.retry(refundId)).toMatchObject({ code: "provider_unavailable" });
    expect(row(payment.id)).toMatchObject({ state: "needs_person", key_generation: 1 });
    till.razorpay.isLost = () => false;
    till.razorpay.instead = () => undefined;
    await send();
    expect(row(payment.id)).toMatchObject({ state: "pending", key_generation: 1 });
    expect(till.razorpay.refunds).toHaveLength(1);
  });

  it("leaves the failed try behind: a late event of it means nothing", async () => {
    const { payment, refundId } = await till.bookAndCancel();
    await send();
    await till.hearFailed();
    await till.retry(refundId);
    const wanted = { state: "wanted", provider_refund_id: null, key_generation: 2 };
    expect(row(payment.id)).toMatchObject(wanted);
    const [first] = till.razorpay.refunds;
    for (const status of ["failed", "pending", "processed"]) {
      first!.status = status;
      await till.hear(first!);
      expect(row(payment.id)).toMatchObject(wanted);
    }
    expect(till.rows("SELECT 1 FROM refund")).toHaveLength(1);
    await send();
    expect(sends()).toBe(2);
  });
});

describe("what the provider refuses for good", () => {
  it("is no second refund when ours stands in its list under a lost answer", async () => {
    const { payment } = await till.bookAndCancel();
    till.razorpay.isLost = isSend;
    await send();
    payment.status = "refunded";
    till.razorpay.isLost = () => false;
    till.clock.now = row(payment.id).next_try_at;
    const wakes = till.wakes();
    expect(await till.sendRefused(allGone)).toBe(1);
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
    const { payment, refundId } = await till.bookAndCancel();
    till.refundInDashboard(payment, 50_000);
    till.razorpay.isStrict = true;
    await send();
    expect(till.refundLines()).toEqual([
      "dashboard processed 50000",
      `provider pending ${WHOLE - 50_000}`,
      // Should that of the dashboard fail, so much is owed again.
      "provider superseded 50000",
    ]);
    // Sent at once, under a key of its own.
    const ours = "SELECT key_generation FROM refund WHERE id = ?";
    expect(till.rows(ours, refundId)).toEqual([{ key_generation: 2 }]);
    expect(payment.amount_refunded).toBe(WHOLE);
    expect([sends(), timesAsked()]).toEqual([2, 0]);
  });

  it.each([
    ["all", [], "needs_person", WHOLE],
    ["a paisa less", [1], "wanted", WHOLE - 1],
    ["a paisa", [WHOLE - 1], "wanted", 1],
    ["nothing", [WHOLE - 1, 1], "superseded", WHOLE],
  ])("leaves %s to be sent, as money went back", async (_, parts, state, amountPaise) => {
    const { payment, refundId } = await till.bookAndCancel();
    for (const part of parts) till.refundInDashboard(payment, part);
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

describe("a report", () => {
  it.each([
    ["an hour later, on the provider's clock", 1, 1],
    ["later than now, on a clock ahead of ours: now", 100, 72],
  ])(
    "that comes three days later leaves a refund where it was taken: %s",
    async (_, made, taken) => {
      const { payment } = await till.bookAndPay();
      const paid = Math.floor(till.clock.now / 1000) * 1000;
      till.clock.now = paid + 3 * DAY;
      const refund = till.refundInDashboard(payment, WHOLE);
      refund.created_at = (paid + made * HOUR) / 1000;
      await till.hear(refund);
      const accepted_at = paid + taken * HOUR;
      expect(row(payment.id)).toMatchObject({ accepted_at, created_at: till.clock.now });
      // After a failure, it is money of the day of which that is known.
      await till.hearFailed();
      refund.status = "processed";
      payment.amount_refunded = WHOLE;
      till.clock.now += DAY;
      await till.hear(refund);
      expect(row(payment.id)).toMatchObject({ state: "processed", accepted_at: till.clock.now });
    },
  );

  it("about a payment that nobody knows is nobody's, and nothing where it failed", async () => {
    await till.hear(till.refundInDashboard(till.pay(null), 100));
    // The payment is read with it, and is nobody's.
    expect(till.rows("SELECT outcome, refunded_paise FROM payment")).toEqual([
      { outcome: "unmatched", refunded_paise: 100 },
    ]);
    await till.hear(till.refundInDashboard(till.pay(null), 100, "failed"));
    const refund = { refundId: "rfnd_x", paymentId: "pay_never_read", amountPaise: 100 };
    const reported = { ...refund, receipt: null, status: "processed", createdAt: null } as const;
    applyRefund(till.deps.db, till.deps, reported, till.clock.now);
    expect(till.refundLines()).toEqual(["dashboard processed 100"]);
  });

  it("of a single paisa that went back counts beside what failed", async () => {
    const { payment } = await till.bookAndCancel();
    await send();
    await till.hearFailed();
    expect(till.refundLines()).toEqual([`provider failed ${WHOLE}`]);
    till.refundInDashboard(payment, 1);
    await till.look();
    expect(till.refundLines()).toEqual([
      ...["dashboard processed 1", `provider failed ${WHOLE - 1}`, "provider superseded 1"],
    ]);
  });

  it("that ours failed leaves it superseded where another took its place", async () => {
    const { payment, refundId: receipt } = await till.bookAndCancel();
    await send();
    till.deps.db.runRaw("UPDATE refund SET state = 'superseded'");
    const { id: refundId } = till.razorpay.refunds[0]!;
    const reported = {
      refundId,
      paymentId: payment.id,
      amountPaise: WHOLE,
      receipt,
      createdAt: null,
    };
    applyRefund(till.deps.db, till.deps, { ...reported, status: "failed" }, till.clock.now);
    expect([row(payment.id).state, timesAsked()]).toEqual(["superseded", 0]);
  });
});
