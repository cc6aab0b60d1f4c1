/** Queries over refunds, each beside rows that one of its conditions alone keeps out. */
import { describe, expect, it, vi } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  deleteRefund,
  findRefund,
  findRefundByProviderId,
  isReplacedRefund,
  leaseDueRefunds,
  listRefundsForPerson,
  listRefundsOf,
  listRefundsOfPayment,
  updateRefund,
} from "./payments.server.ts";
import { oweAgain, supersedeRefund, wantRefund } from "./refunds.server.ts";

const { db, add, column, left } = storedRows();

describe("refunds", () => {
  const refund = (id: string, changes = {}) => add("refund", id, { payment_id: "p", ...changes });
  const names = (rows: { id: string }[]) => rows.map(({ id }) => id);

  it("are listed by age of a booking and of a payment, and for a person", () => {
    for (const id of ["p", "q"]) add("payment", id, { appointment_id: "x" });
    add("payment", "s", { appointment_id: "y" });
    refund("b", { appointment_id: "x", created_at: 2, state: "failed" });
    refund("a", { appointment_id: "x", created_at: 2, state: "needs_person" });
    refund("c", { appointment_id: "x", created_at: 1, payment_id: "q", state: "processed" });
    // What had left a payment before it was assigned belongs to its sums.
    const failedThere = { payment_id: "q", way: "dashboard", state: "failed" };
    refund("e", { ...failedThere, created_at: 3 });
    refund("f", { ...failedThere, created_at: 4, amount_paise: 117_900 });
    refund("d", { payment_id: "s", created_at: 0, state: "failed", provider_refund_id: "r" });
    // What left another payment leaves this one as it is.
    add("payment", "t", { appointment_id: "z" });
    refund("g", { payment_id: "t", amount_paise: 117_900, state: "processed" });
    expect(names(listRefundsOf(db(), "x"))).toEqual(["c", "b", "a", "e", "f"]);
    expect(names(listRefundsOfPayment(db(), "p"))).toEqual(["b", "a"]);
    // Of the dashboard only what can still be sent.
    expect(names(listRefundsForPerson(db(), 9)).toSorted()).toEqual(["a", "b", "d", "e"]);
    expect(names(listRefundsForPerson(db(), 1))).toEqual(["d"]);
    expect([findRefund(db(), "b")?.id, findRefundByProviderId(db(), "r")?.id]).toEqual(["b", "d"]);
    expect([findRefund(db(), "n"), findRefundByProviderId(db(), "n")]).toEqual([null, null]);
    updateRefund(db(), "b", { state: "sent" });
    expect(column("refund", "state")).toMatchObject({ a: "needs_person", b: "sent", d: "failed" });
    deleteRefund(db(), "e");
    expect(left("refund")).toEqual(["a", "b", "c", "d", "f", "g"]);
  });

  it("count unless superseded, or failed in the dashboard", () => {
    add("payment", "p");
    const STATES = ["wanted", "sent", "pending", "processed", "failed", "needs_person"] as const;
    for (const way of ["provider", "by_hand", "dashboard"]) {
      for (const state of [...STATES, "superseded"]) refund(`${way} ${state}`, { way, state });
    }
    const none = Object.entries(column("refund", "counts")).filter(([, counts]) => counts === 0);
    expect(none.map(([name]) => name)).toEqual([
      ...["by_hand superseded", "dashboard failed", "dashboard superseded", "provider superseded"],
    ]);
    for (const [changes, says] of [
      [{ way: "post" }, "CHECK"],
      [{ state: "lost" }, "CHECK"],
      [{ amount_paise: 0 }, "CHECK"],
    ] as const) {
      expect(() => refund("wrong", changes)).toThrow(says);
    }
  });

  it("know the tries they replaced, of their payment alone", () => {
    for (const id of ["p", "q"]) add("payment", id);
    refund("a", { replaced_ids: '["r1","r2"]' });
    refund("b", { payment_id: "q", replaced_ids: '["r3"]' });
    const known = (payment: string, id: string) => isReplacedRefund(db(), payment, id);
    expect([known("p", "r2"), known("p", "r3"), known("q", "r3"), known("p", "a")]).toEqual([
      ...[true, false, true, false],
    ]);
  });

  it("are leased one at a time, the one due longest", () => {
    add("payment", "p");
    refund("later", { next_try_at: 101 });
    refund("never");
    refund("leased", { next_try_at: 1, lease_until: 101 });
    const lease = () => leaseDueRefunds(db(), { now: 100, limit: 1, leaseUntil: 150 });
    const writes = vi.spyOn(db(), "allRaw");
    expect(lease()).toEqual([]);
    // Looking costs no write.
    expect(writes).not.toHaveBeenCalled();
    writes.mockRestore();
    refund("second", { next_try_at: 100 });
    refund("first", { next_try_at: 99, lease_until: 100 });
    expect(lease()).toMatchObject([{ id: "first", leaseUntil: 150 }]);
    expect(lease()).toMatchObject([{ id: "second" }]);
    expect(lease()).toEqual([]);
    expect(column("refund", "lease_until")).toEqual({
      first: 150,
      second: 150,
      leased: 101,
      later: null,
      never: null,
    });
  });

  const want = (paymentId: string, amountPaise: number | "all") =>
    wantRefund(db(), { paymentId, appointmentId: "x", amountPaise, reason: "second" }, 7);
  /** Of the payment, the amounts by way and state. */
  const stand = (paymentId: string) =>
    listRefundsOfPayment(db(), paymentId)
      .map(({ way, state, amountPaise }) => `${way} ${state} ${amountPaise}`)
      .toSorted();

  it("are wanted of what is left, and of no amount but a whole paisa and more", () => {
    for (const id of ["p", "q", "offline_r"]) add("payment", id, { amount_paise: 1_000 });
    expect([want("q", 0), want("q", -1)]).toEqual([null, null]);
    const made = want("p", 1)!;
    expect(findRefund(db(), made.id)).toEqual(made);
    expect(made).toMatchObject({
      paymentId: "p",
      appointmentId: "x",
      amountPaise: 1,
      state: "wanted",
      way: "provider",
      reason: "second",
      nextTryAt: 7,
      createdAt: 7,
      updatedAt: 7,
      receipt: made.id,
    });
    // Of all that is left, once.
    expect(want("p", "all")?.amountPaise).toBe(999);
    expect(want("p", "all")).toBeNull();
    expect(() => want("p", 1)).toThrow("refund_over_payment");
    expect(want("offline_r", "all")).toMatchObject({
      way: "by_hand",
      state: "needs_person",
      nextTryAt: null,
      receipt: null,
    });
    expect(left("refund")).toHaveLength(3);
  });

  it("stand superseded for what went back another way before they were wanted", () => {
    const of1000 = { amount_paise: 1_000 };
    add("payment", "p", of1000);
    refund("gone", { way: "dashboard", amount_paise: 400, state: "processed" });
    refund("never", { way: "dashboard", amount_paise: 300, state: "failed" });
    expect(want("p", "all")?.amountPaise).toBe(600);
    const both = ["provider superseded 400", "provider wanted 600"];
    const there = ["dashboard failed 300", "dashboard processed 400"];
    expect(stand("p")).toEqual([...there, ...both]);
    // What stands for it already stands for it once.
    expect(want("p", "all")).toBeNull();
    expect(stand("p")).toEqual([...there, ...both]);
    add("payment", "taken", of1000);
    add("dispute", "lost", { payment_id: "taken", status: "lost", amount_paise: 1_000 });
    expect(want("taken", "all")).toBeNull();
    expect(stand("taken")).toEqual(["provider superseded 1000"]);
    // A part is wanted beside what went back, not in its place.
    add("payment", "part", of1000);
    refund("gone too", { payment_id: "part", way: "dashboard", amount_paise: 400 });
    expect(want("part", 100)?.amountPaise).toBe(100);
    expect(stand("part")).toEqual(["dashboard wanted 400", "provider wanted 100"]);
  });

  it("are superseded and owed again, whole and in part", () => {
    add("payment", "p", { amount_paise: 1_000 });
    const trouble = { fault: "balance", last_error: "balance: none", lease_until: 9 };
    refund("r", { amount_paise: 1_000, state: "needs_person", next_try_at: 5, ...trouble });
    const row = (id: string) => findRefund(db(), id)!;
    supersedeRefund(db(), row("r"), 1_000, 8);
    expect(row("r")).toMatchObject({
      state: "superseded",
      amountPaise: 1_000,
      keyGeneration: 1,
      nextTryAt: null,
      leaseUntil: null,
      fault: null,
      lastError: null,
      updatedAt: 8,
    });
    oweAgain(db(), row("r"), 400, 9);
    expect(stand("p")).toEqual(["provider superseded 600", "provider wanted 400"]);
    const part = listRefundsOfPayment(db(), "p").find(({ state }) => state === "wanted")!;
    expect(part).toMatchObject({ receipt: part.id, nextTryAt: 9, reason: "time_gone" });
    oweAgain(db(), row("r"), 600, 10);
    expect(row("r")).toMatchObject({ state: "wanted", keyGeneration: 2, nextTryAt: 10 });
    supersedeRefund(db(), row("r"), 250, 11);
    // Another amount is another request.
    expect(row("r")).toMatchObject({ state: "wanted", amountPaise: 350, keyGeneration: 3 });
    expect(stand("p")).toEqual([
      ...["provider superseded 250", "provider wanted 350", "provider wanted 400"],
    ]);
    // One that failed waits for a person with the rest of it.
    add("payment", "failed", { amount_paise: 1_000 });
    refund("f", { payment_id: "failed", amount_paise: 1_000, state: "failed" });
    supersedeRefund(db(), row("f"), 400, 12);
    expect(row("f")).toMatchObject({ state: "failed", amountPaise: 600, nextTryAt: null });
    // By hand it is owed by a person again, not by the queue.
    add("payment", "hand", { amount_paise: 1_000 });
    const byHand = { way: "by_hand", state: "superseded" };
    refund("h", { payment_id: "hand", amount_paise: 1_000, ...byHand });
    oweAgain(db(), row("h"), 300, 13);
    expect(stand("hand")).toEqual(["by_hand needs_person 300", "by_hand superseded 700"]);
    oweAgain(db(), row("h"), 700, 14);
    expect(listRefundsOfPayment(db(), "hand").map(({ nextTryAt }) => nextTryAt)).toEqual([
      ...[null, null],
    ]);
  });
});
