/** "Try the refund again" pays what is owed, and never twice. */
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { MOST_READS } from "#app/payments/apply-refund.server.ts";
import { makeBackup } from "#db/backup.server.ts";
import { openDb } from "#db/connection.server.ts";
import { listMovements } from "#db/queries/settlements.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { UNKNOWN_ID } from "#tests/support/admin.ts";
import { FILER } from "#tests/support/gst-month.ts";
import { scratchFolder } from "#tests/support/hooks.ts";
import { isSend, WHOLE } from "#tests/support/money-outside.ts";
import { quickCopies } from "#tests/support/quick-threads.ts";
import { BROKEN, refused } from "#tests/support/razorpay-stub.ts";
import { moneyTill } from "./money-till.ts";

quickCopies();
const scratch = scratchFolder();
const till = moneyTill({ isStrict: true });

const refundRows = () => till.rows("SELECT * FROM refund ORDER BY rowid");

it("a refund is tried again by its own id or its payment's, and only one that is stuck", async () => {
  const { id, payment } = await till.bookAndCancel();
  till.deps.db.runRaw("DELETE FROM activity");
  expect(await till.retry(UNKNOWN_ID)).toMatchObject({ code: "not_found" });
  const [untouched] = refundRows();
  expect(await till.retry(payment.id)).toMatchObject({ value: untouched && { id: untouched.id } });
  expect([refundRows(), till.logged()]).toEqual([[untouched], []]);
  for (const [state, fault, generation] of [
    ["needs_person", "unknown", 1],
    ["needs_person", "rejected", 2],
    ["needs_person", "balance", 3],
    ["failed", "unknown", 4],
  ] as const) {
    const error = `${fault}: no`;
    till.deps.db.runRaw(
      `UPDATE refund SET state = ?, fault = ?, last_error = ?, attempts = 3, next_try_at = NULL,
         lease_until = 9`,
      [state, fault, error],
    );
    expect((await till.retry(generation % 2 ? payment.id : untouched.id)).ok).toBe(true);
    const again = { attempts: 0, next_try_at: till.clock.now, lease_until: null };
    expect(refundRows()).toMatchObject([{ ...again, state: "wanted", key_generation: generation }]);
    expect(till.logged().at(-1)).toEqual({
      actor: "admin",
      action: "refund_retry",
      target: id,
      before: { refund: untouched.id, status: state, error },
      after: { refund: untouched.id, status: "wanted" },
    });
  }
});

it("after a restore one is read before it is sent, and what waits for a person waits", async () => {
  const held = await till.bookAndPay();
  till.refundPart(held.id, { amount: 50_000, reason: "Left early" });
  await till.sendRefused();
  const fresh = await till.bookAndPay();
  till.refundPart(fresh.id, { amount: 40_000, reason: "Left early" });
  const { path } = await makeBackup(till.deps.db, {
    folder: scratch,
    keep: 9,
    now: till.clock.now,
  });
  const target = join(scratch, "restored.db");
  await restoreBackup(path, target, till.clock.now);
  const db = openDb(target);
  const rows = db.allRaw(
    "SELECT state, attempts, next_try_at, last_error FROM refund ORDER BY rowid",
  );
  db.close();
  expect(rows).toEqual([
    {
      state: "needs_person",
      attempts: 2,
      next_try_at: null,
      last_error: expect.stringContaining("since the restore"),
    },
    { state: "wanted", attempts: 1, next_try_at: till.clock.now, last_error: null },
  ]);
});

describe("a refund that is taken in a later month is money of that month", () => {
  const wanted = async () => {
    const { id } = await till.bookAndPay();
    till.refundPart(id, { amount: 50_000, reason: "Left early" });
  };
  const later = async () => {
    const then = till.clock.now + 40 * DAY;
    till.clock.now = then;
    await till.tryAllAgain();
    await till.rest();
    return moved(then);
  };
  // Money of samples is in no books.
  beforeEach(() => till.anew({ BUSINESS_STATE: "29", BUSINESS_GSTIN: FILER.gstin }));
  const moved = (then: number) =>
    listMovements(till.deps.db, 0, then + DAY)
      .filter(({ kind }) => kind !== "payment")
      .map(({ kind, at, amountPaise }) => [kind, amountPaise, at > then]);

  it("where the balance was short before, without a credit note", async () => {
    const { orderId } = await till.bookAndPay();
    const second = till.pay(orderId);
    await till.hearCaptured(second);
    await till.sendRefused();
    expect(await later()).toEqual([["refund", WHOLE, true]]);
  });

  it("where it was made before and failed; both stay in the month before", async () => {
    await wanted();
    await till.sendRefunds();
    await till.hearFailed();
    expect(await later()).toEqual([
      ["refund", 50_000, false],
      ["reversal", 50_000, false],
      ["refund", 50_000, true],
    ]);
  });

  it("but not where the provider took it before and never carried it out", async () => {
    await wanted();
    await till.sendRefunds();
    const [refund] = till.razorpay.refunds;
    refund!.status = "pending";
    till.deps.db.runRaw("UPDATE refund SET state = 'pending', attempts = ?", [MOST_READS]);
    await till.hear(refund!);
    expect(till.refundLines()).toEqual(["provider needs_person 50000"]);
    expect(moved(till.clock.now)).toEqual([["refund", 50_000, false]]);
    till.clock.now += 40 * DAY;
    await till.hearFailed();
    const taken = ["refund", 50_000, false];
    expect(moved(till.clock.now)).toEqual([taken, ["reversal", 50_000, false]]);
  });

  it("where it was made in the dashboard", async () => {
    const { payment } = await till.bookAndPay();
    till.refundInDashboard(payment, 50_000);
    expect(await later()).toEqual([["refund", 50_000, true]]);
  });
});

describe("trying again a refund that was made in the dashboard and failed", () => {
  async function failed() {
    const { id, payment } = await till.bookAndPay();
    const refund = till.refundInDashboard(payment, 20_000);
    await till.hear(refund);
    await till.hearFailed(refund);
    expect(till.keptOf(id)).toBe(WHOLE);
    return { id, refundId: refundRows()[0].id as string };
  }

  it("sends it, once, however often it is tried", async () => {
    const { id, refundId } = await failed();
    for (const time of [1, 2]) {
      expect((await till.retry(refundId)).ok, `time ${time}`).toBe(true);
      await till.retry(refundId);
      await till.rest();
    }
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([20_000, WHOLE - 20_000]);
    expect(till.pageSays(id)).toContain("Razorpay has sent ₹200 to your bank");
    expect(till.razorpay.calls.filter(isSend)).toHaveLength(1);
  });

  it("is refused where the booking was cancelled since: all of it goes back then", async () => {
    const { id, refundId } = await failed();
    till.cancel(id);
    expect(await till.retry(refundId)).toMatchObject({ code: "stale" });
    await till.rest();
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([WHOLE, 0]);
  });
});

it.each([
  ["finds it, where the provider can be read again", false],
  ["makes no second one, where the provider still cannot be read", true],
])(
  "trying again after an answer that was lost and then a refusal that could not be looked into %s",
  async (_, triedBefore) => {
    const { id } = await till.bookAndPay();
    till.refundPart(id, { amount: 50_000, reason: "Left early" });
    till.razorpay.isLost = isSend;
    await till.sendRefunds();
    till.razorpay.isLost = () => false;
    // The provider has made the refund; it refuses the next try, and cannot be read.
    till.razorpay.instead = (call) => {
      if (isSend(call)) return refused("The request was refused");
      return call.startsWith("GET") ? BROKEN : undefined;
    };
    till.clock.now += MINUTE;
    await till.sendRefunds();
    expect(refundRows()).toMatchObject([{ provider_refund_id: null }]);
    if (triedBefore) await till.tryAllAgain();
    till.razorpay.instead = () => undefined;
    await till.tryAllAgain();
    await till.rest();
    expect(till.razorpay.refunds).toHaveLength(1);
    expect(till.keptOf(id)).toBe(WHOLE - 50_000);
    const [made] = till.razorpay.refunds;
    expect(refundRows()).toMatchObject([{ state: "processed", provider_refund_id: made!.id }]);
  },
);

describe("a refund made in the dashboard of just what ours is", () => {
  /** Ours of a part, which the provider answers so. */
  async function stuck(answer?: typeof BROKEN) {
    const { id, payment } = await till.bookAndPay();
    till.refundPart(id, { amount: 50_000, reason: "Left early" });
    for (let tries = 0; tries < 8; tries++) {
      await till.sendRefused(answer);
      till.clock.now += 12 * HOUR;
    }
    expect(till.refundLines()).toEqual(["provider needs_person 50000"]);
    const inDashboard = () => till.hear(till.refundInDashboard(payment, 50_000));
    return { id, inDashboard };
  }

  it("is found before ours is sent again, though nothing was heard of it", async () => {
    const { id, payment } = await till.bookAndPay();
    till.refundPart(id, { amount: 50_000, reason: "Left early" });
    await till.sendRefused();
    till.refundInDashboard(payment, 50_000);
    till.clock.now += 12 * HOUR;
    await till.sendRefunds();
    expect(till.refundLines()).toEqual(["provider processed 50000"]);
    expect(till.backAtProvider()).toBe(50_000);
  });

  it("is ours while ours waits for a person and for balance", async () => {
    const { id, inDashboard } = await stuck();
    await inDashboard();
    await till.rest();
    expect(till.refundLines()).toEqual(["provider processed 50000"]);
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([50_000, WHOLE - 50_000]);
  });

  it("is one of its own while ours is being sent, which is then the one that was sent", async () => {
    const { id, inDashboard } = await stuck();
    const { provider } = till.deps;
    till.deps.provider = {
      ...provider,
      async refund(asked) {
        await inDashboard();
        return provider.refund(asked);
      },
    };
    await till.sendRefunds();
    expect(till.refundLines()).toEqual(["dashboard processed 50000", "provider pending 50000"]);
    const [ours] = refundRows();
    const sent = till.razorpay.refunds.find(({ receipt }) => receipt === ours.receipt)!;
    expect([ours.way, ours.provider_refund_id]).toEqual(["provider", sent.id]);
    expect([till.backAtProvider(), till.keptOf(id)]).toEqual([100_000, WHOLE - 100_000]);
  });

  it("is one of its own while ours may have been made", async () => {
    const { id, inDashboard } = await stuck(BROKEN);
    await inDashboard();
    expect(till.refundLines()).toEqual([
      "dashboard processed 50000",
      "provider needs_person 50000",
    ]);
    expect(till.keptOf(id)).toBe(WHOLE - 100_000);
  });
});

it("what went back before a payment was assigned is paid again by a new try, if it fails after it", async () => {
  const payment = till.pay(null, { amount: WHOLE + 100_000 });
  await till.hearCaptured(payment);
  const before = till.refundInDashboard(payment, 100_000);
  await till.hear(before);
  const id = till.book();
  expect((await till.assign(payment.id, id)).ok).toBe(true);
  await till.hearFailed(before);
  expect((await till.messagesTo("admin")).map(({ kind }) => kind)).toContain(
    "admin_refund_needs_person",
  );
  await till.tryAllAgain();
  await till.rest();
  expect([till.backAtProvider(), till.keptOf(id)]).toEqual([100_000, WHOLE]);
});
