/** Queries over money and accounts, each beside rows that one of its conditions alone keeps out. */
import { describe, expect, it, vi } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  countAdmins,
  countWrongTry,
  deleteCodesOf,
  deleteEndedCodes,
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  findAdmin,
  findAdminByEmail,
  findAdminByUsername,
  findCode,
  findStoredSession,
  hasSecondFactor,
  insertAdmin,
  insertCode,
  insertSession,
  listStoredSessions,
  listTotpSecrets,
  takeTotpStep,
  touchSession,
  updateAdmin,
} from "./admins.server.ts";
import {
  eraseProviderEvents,
  findOpenOrder,
  findOrder,
  findOrderByReceipt,
  findPayment,
  findRefund,
  findRefundByProviderId,
  insertEvent,
  insertOrder,
  isReplacedRefund,
  leaseDueRefund,
  listDueEvents,
  listDueOrders,
  listPaymentsOf,
  listRefundsForPerson,
  listRefundsOf,
  listRefundsOfPayment,
  listUnmatchedPayments,
  savePayment,
  updateEvent,
  updateOrder,
  updatePayment,
  updateRefund,
} from "./payments.server.ts";
import { wantRefund } from "./refund-wish.server.ts";

const { db, add, column, left } = storedRows();

describe("orders", () => {
  it("are found by what they are named by, and the open one of a booking", () => {
    add("payment_order", "paid", { appointment_id: "x", state: "paid" });
    add("payment_order", "closed", { appointment_id: "x", state: "closed" });
    expect(findOpenOrder(db(), "x")).toBeNull();
    add("payment_order", "a", { appointment_id: "x", state: "creating", order_id: null });
    add("payment_order", "b", { appointment_id: "y" });
    expect(findOpenOrder(db(), "x")?.receipt).toBe("a");
    expect(findOpenOrder(db(), "y")?.receipt).toBe("b");
    expect(findOrder(db(), "order_b")?.receipt).toBe("b");
    expect(findOrderByReceipt(db(), "b")?.orderId).toBe("order_b");
    expect([findOrder(db(), "none"), findOrderByReceipt(db(), "none")]).toEqual([null, null]);
    const order = { receipt: "c", appointmentId: "z", amountPaise: 1, currency: "INR" } as const;
    insertOrder(db(), { ...order, state: "open", createdAt: 0, orderId: "order_c" });
    expect(findOrder(db(), "order_c")).toMatchObject(order);
    updateOrder(db(), "b", { state: "paid" });
    expect(column("payment_order", "state")).toMatchObject({ a: "creating", b: "paid" });
  });

  it("are read when they are due, the oldest first, up to a limit", () => {
    const due = { third: 10, first: 8, second: 9, later: 11, never: null };
    for (const [name, next_check_at] of Object.entries(due)) {
      add("payment_order", name, { next_check_at });
    }
    const names = (limit: number) => listDueOrders(db(), 10, limit).map(({ receipt }) => receipt);
    expect([names(9), names(1)]).toEqual([["first", "second", "third"], ["first"]]);
  });
});

describe("payments", () => {
  it("are found, listed by age, changed and saved alone", () => {
    add("payment", "b", { appointment_id: "x", created_at: 2 });
    add("payment", "a", { appointment_id: "x", created_at: 2 });
    add("payment", "c", { appointment_id: "x", created_at: 1 });
    add("payment", "d", { appointment_id: "y", outcome: "unmatched", created_at: 9 });
    add("payment", "e", { outcome: "unmatched", created_at: 8 });
    const names = (rows: { paymentId: string }[]) => rows.map(({ paymentId }) => paymentId);
    expect(names(listPaymentsOf(db(), "x"))).toEqual(["c", "a", "b"]);
    expect(names(listUnmatchedPayments(db()))).toEqual(["e", "d"]);
    expect([findPayment(db(), "c")?.paymentId, findPayment(db(), "z")]).toEqual(["c", null]);
    updatePayment(db(), "b", { method: "upi" });
    expect(column("payment", "method")).toEqual({ a: null, b: "upi", c: null, d: null, e: null });
    const saved = { paymentId: "b", amountPaise: 5, currency: "INR", providerStatus: "refunded" };
    savePayment(db(), { ...saved, outcome: "second", createdAt: 77, updatedAt: 77 });
    savePayment(db(), { ...saved, paymentId: "f", outcome: "late", createdAt: 7, updatedAt: 7 });
    expect(findPayment(db(), "b")).toMatchObject({
      ...{ amountPaise: 5, outcome: "second", createdAt: 2, updatedAt: 77, method: "upi" },
    });
    expect(column("payment", "outcome")).toMatchObject({ a: "late", b: "second", f: "late" });
  });
});

describe("refunds", () => {
  const refund = (id: string, changes = {}) => add("refund", id, { payment_id: "p", ...changes });
  const names = (rows: { id: string }[]) => rows.map(({ id }) => id);

  it("are listed by age of a booking and of a payment, and for a person", () => {
    for (const id of ["p", "q"]) add("payment", id);
    refund("b", { appointment_id: "x", created_at: 2, state: "failed" });
    refund("a", { appointment_id: "x", created_at: 2, state: "needs_person" });
    refund("c", { appointment_id: "x", created_at: 1, payment_id: "q", state: "processed" });
    refund("d", { appointment_id: "y", created_at: 0, state: "failed", provider_refund_id: "r" });
    expect(names(listRefundsOf(db(), "x"))).toEqual(["c", "a", "b"]);
    expect(names(listRefundsOfPayment(db(), "p"))).toEqual(["d", "a", "b"]);
    expect(names(listRefundsForPerson(db(), 9)).toSorted()).toEqual(["a", "b", "d"]);
    expect(names(listRefundsForPerson(db(), 1))).toEqual(["d"]);
    expect([findRefund(db(), "b")?.id, findRefundByProviderId(db(), "r")?.id]).toEqual(["b", "d"]);
    expect([findRefund(db(), "n"), findRefundByProviderId(db(), "n")]).toEqual([null, null]);
    updateRefund(db(), "b", { state: "sent" });
    expect(column("refund", "state")).toMatchObject({ a: "needs_person", b: "sent", d: "failed" });
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
    const writes = vi.spyOn(db(), "object");
    expect(leaseDueRefund(db(), 100, 50)).toBeNull();
    // Looking costs no write.
    expect(writes).not.toHaveBeenCalled();
    writes.mockRestore();
    refund("second", { next_try_at: 100 });
    refund("first", { next_try_at: 99, lease_until: 100 });
    expect(leaseDueRefund(db(), 100, 50)).toMatchObject({ id: "first", leaseUntil: 150 });
    expect(leaseDueRefund(db(), 100, 50)).toMatchObject({ id: "second" });
    expect(leaseDueRefund(db(), 100, 50)).toBeNull();
    expect(column("refund", "lease_until")).toEqual({
      ...{ first: 150, second: 150, leased: 101, later: null, never: null },
    });
  });

  it("are wanted once of a payment, and of no amount but a whole paisa and more", () => {
    for (const id of ["p", "q", "r"]) add("payment", id);
    refund("of the provider", { provider_refund_id: "r1" });
    const want = (paymentId: string, amountPaise: number) =>
      wantRefund(db(), { paymentId, appointmentId: "x", amountPaise, reason: "second" }, 7);
    expect([want("q", 0), want("q", -1)]).toEqual([null, null]);
    const id = want("p", 1)!;
    expect(findRefund(db(), id)).toMatchObject({
      ...{ paymentId: "p", appointmentId: "x", amountPaise: 1, state: "wanted", origin: "us" },
      ...{ reason: "second", nextTryAt: 7, createdAt: 7, updatedAt: 7 },
    });
    expect([want("p", 5), want("p", 0)]).toEqual([id, id]);
    expect(want("r", 1)).not.toBe(id);
    expect(left("refund")).toHaveLength(3);
  });
});

describe("the provider's events", () => {
  it("are recorded once, listed when due and changed alone", () => {
    const event = { kind: "k", body: "{}", state: "new", receivedAt: 1, nextTryAt: 10 } as const;
    expect(insertEvent(db(), { ...event, eventId: "b" })).toBe(true);
    expect(insertEvent(db(), { ...event, eventId: "b" })).toBe(false);
    add("provider_event", "a", { next_try_at: 9 });
    add("provider_event", "later", { next_try_at: 11 });
    add("provider_event", "parked", { next_try_at: 1, state: "parked" });
    const names = (limit: number) => listDueEvents(db(), 10, limit).map(({ eventId }) => eventId);
    expect([names(9), names(1)]).toEqual([["a", "b"], ["a"]]);
    updateEvent(db(), "b", { state: "done" });
    expect(column("provider_event", "state")).toMatchObject({ a: "new", b: "done" });
  });

  it("lose what they say of a person with a booking's orders and payments, and no other", () => {
    const body = (payment: object) => JSON.stringify({ payload: { payment: { entity: payment } } });
    add("payment", "pay_1", { appointment_id: "x" });
    add("payment", "pay_2", { appointment_id: "y" });
    add("payment_order", "r1", { appointment_id: "x", order_id: "order_1" });
    add("payment_order", "r2", { appointment_id: "y", order_id: "order_2" });
    add("provider_event", "by payment", { body: body({ id: "pay_1" }) });
    add("provider_event", "by order", { body: body({ id: "pay_9", order_id: "order_1" }) });
    add("provider_event", "other", { body: body({ id: "pay_2", order_id: "order_2" }) });
    eraseProviderEvents(db(), "x", () => "{}");
    const erased = Object.entries(column("provider_event", "body")).filter(([, b]) => b === "{}");
    expect(erased.map(([name]) => name)).toEqual(["by order", "by payment"]);
  });
});

describe("accounts", () => {
  it("are found by id, user name and address, in any case, and changed alone", () => {
    expect([countAdmins(db()), hasSecondFactor(db())]).toEqual([0, false]);
    add("admin", "one", { totp_secret: "s" });
    add("admin", "two");
    expect([countAdmins(db()), hasSecondFactor(db())]).toEqual([2, false]);
    expect([findAdmin(db(), "two")?.id, findAdmin(db(), "none")]).toEqual(["two", null]);
    expect([findAdminByUsername(db(), "TWO")?.id, findAdminByUsername(db(), "x")]).toEqual([
      ...["two", null],
    ]);
    expect([findAdminByEmail(db(), "TWO@b.in")?.id, findAdminByEmail(db(), "x")]).toEqual([
      ...["two", null],
    ]);
    const admin = { id: "new", username: "new", email: "new@b.in", passwordHash: "h" };
    insertAdmin(db(), { ...admin, createdAt: 1, updatedAt: 1 });
    insertSession(db(), {
      tokenHash: "t",
      adminId: "new",
      createdAt: 1,
      lastSeenAt: 2,
      expiresAt: 3,
    });
    expect(findStoredSession(db(), "t")).toMatchObject({ adminId: "new", email: "new@b.in" });
    db().runRaw("DELETE FROM admin WHERE id = 'new'");
    updateAdmin(db(), "two", 9, { totpConfirmedAt: 5 });
    expect(column("admin", "totp_confirmed_at")).toEqual({ one: null, two: 5 });
    expect(column("admin", "updated_at")).toEqual({ one: 0, two: 9 });
    expect(hasSecondFactor(db())).toBe(true);
    expect(listTotpSecrets(db())).toEqual([{ id: "one", totpSecret: "s", totpConfirmedAt: null }]);
  });

  it("take a step of the second factor once, and none before it", () => {
    add("admin", "one");
    add("admin", "two");
    const take = (step: number) => takeTotpStep(db(), "one", step);
    expect([0, 0, 7, 7, 6, 8].map(take)).toEqual([true, false, true, false, false, true]);
    expect(takeTotpStep(db(), "none", 1)).toBe(false);
    expect(column("admin", "totp_last_step")).toEqual({ one: 8, two: null });
  });

  it("have sessions that end one by one, by account, or with their time", () => {
    for (const id of ["one", "two"]) add("admin", id);
    const session = (token: string, expires_at: number, last_seen_at = 0, admin_id = "one") =>
      add("admin_session", token, { expires_at, last_seen_at, admin_id });
    session("a", 11, 1);
    session("b", 12, 2);
    session("ended", 10);
    session("other", 11, 0, "two");
    expect(findStoredSession(db(), "b")).toMatchObject({ tokenHash: "b", username: "one" });
    expect(findStoredSession(db(), "none")).toBeNull();
    const tokens = () => listStoredSessions(db(), "one", 10).map(({ tokenHash }) => tokenHash);
    expect(tokens()).toEqual(["b", "a"]);
    touchSession(db(), "a", { lastSeenAt: 5, expiresAt: 15 });
    expect(tokens()).toEqual(["a", "b"]);
    expect(column("admin_session", "expires_at")).toMatchObject({ a: 15, b: 12, other: 11 });
    deleteExpiredSessions(db(), 10);
    expect(left("admin_session")).toEqual(["a", "b", "other"]);
    session("c", 20);
    expect([deleteSession(db(), "c"), deleteSession(db(), "c")]).toEqual([true, false]);
    expect(deleteSessionsOf(db(), "one", "a")).toBe(1);
    expect(left("admin_session")).toEqual(["a", "other"]);
    expect(deleteSessionsOf(db(), "one")).toBe(1);
    expect(left("admin_session")).toEqual(["other"]);
  });

  it("have codes by address and browser, which end with their time", () => {
    for (const id of ["one", "two"]) add("admin", id);
    const code = (emailKey: string, device: string, expiresAt: number, adminId = "one") =>
      insertCode(db(), { emailKey, device, adminId, codeHash: "h", expiresAt, requestedAt: 0 }, 10);
    code("a", "", 11);
    code("a", "d", 12);
    code("b", "", 13, "two");
    const found = (emailKey: string, device: string, now = 10) =>
      findCode(db(), { emailKey, device }, now)?.expiresAt;
    expect([found("a", ""), found("a", "d"), found("b", ""), found("b", "d")]).toEqual([
      ...[11, 12, 13, undefined],
    ]);
    expect([found("a", "", 11), found("a", "d", 11)]).toEqual([undefined, 12]);
    for (const emailKey of ["a", "a", "c"]) countWrongTry(db(), { emailKey, device: "d" });
    countWrongTry(db(), { emailKey: "b", device: "" });
    const tries = db().allRaw<{ tries: number }>(
      "SELECT tries FROM one_time_code ORDER BY expires_at",
    );
    expect(tries.map((row) => row.tries)).toEqual([0, 2, 1]);
    expect(() => code("a", "", 20)).toThrow("UNIQUE");
    insertCode(db(), { emailKey: "a", device: "", expiresAt: 20, requestedAt: 0 }, 11);
    expect(found("a", "")).toBe(20);
    deleteCodesOf(db(), "one");
    expect([found("a", ""), found("a", "d"), found("b", "")]).toEqual([20, undefined, 13]);
    deleteEndedCodes(db(), 13);
    expect([found("a", ""), found("b", "")]).toEqual([20, undefined]);
  });
});
