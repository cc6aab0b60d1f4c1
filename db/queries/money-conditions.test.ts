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
  findUsableAdminByEmail,
  hasLostInvitation,
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
  advanceOrder,
  eraseProviderEvents,
  findOpenOrder,
  findOrder,
  findOrderByReceipt,
  findPayment,
  insertEvent,
  insertOrder,
  leaseDueEvents,
  leaseDueOrders,
  listPaymentsOf,
  listUnmatchedPayments,
  retakeEvent,
  savePayment,
  updateEvent,
  updateOrder,
  updatePayment,
} from "./payments.server.ts";

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
    const made = { createdAt: 0, orderId: "order_c", watchUntil: 9 };
    insertOrder(db(), { ...order, ...made, state: "open" });
    expect(findOrder(db(), "order_c")).toMatchObject({ ...order, ...made });
    updateOrder(db(), "b", { checks: 3, nextCheckAt: 5, lastError: "down: no" });
    expect(findOrderByReceipt(db(), "b")).toMatchObject({
      checks: 3,
      nextCheckAt: 5,
      lastError: "down: no",
      state: "open",
    });
    expect(column("payment_order", "checks")).toMatchObject({ a: 0, b: 3, c: 0 });
  });

  it("go on from the state that they have by now, and never back", () => {
    const STATES = ["creating", "open", "closed", "paid"] as const;
    const steps = { found: { found: "order_f" }, closed: "closed", paid: "paid" } as const;
    const after = Object.entries(steps).map(([step, change]) => {
      for (const state of STATES) {
        const order_id = state === "open" ? "order_o" : null;
        const appointment_id = `${step} ${state}`;
        add("payment_order", appointment_id, { state, order_id, appointment_id });
        if (order_id === null && step === "found") {
          advanceOrder(db(), appointment_id, { found: `order_${state}` });
        } else advanceOrder(db(), appointment_id, change);
      }
      db().runRaw("UPDATE payment_order SET order_id = NULL WHERE order_id = 'order_o'");
      return [step, ...STATES.map((state) => findOrderByReceipt(db(), `${step} ${state}`)?.state)];
    });
    expect(after).toEqual([
      // Closed without an id, and then found: it stays closed, whatever is open beside it.
      ["found", "open", "open", "closed", "paid"],
      ["closed", "closed", "closed", "closed", "paid"],
      ["paid", "paid", "paid", "paid", "paid"],
    ]);
    const ids = STATES.map((state) => findOrderByReceipt(db(), `found ${state}`)?.orderId);
    expect(ids).toEqual(["order_creating", null, "order_closed", "order_paid"]);
    // Given another id, it keeps the one that it had, and nothing else is touched.
    advanceOrder(db(), "found closed", { found: "order_other" });
    expect(findOrder(db(), "order_closed")?.receipt).toBe("found closed");
    expect(findOrder(db(), "order_other")).toBeNull();
  });

  it("are leased when they are due, the oldest first, up to a limit", () => {
    const due = { third: 10, first: 8, second: 9, later: 11, never: null };
    for (const [name, next_check_at] of Object.entries(due)) {
      add("payment_order", name, { next_check_at });
    }
    const names = (limit: number) =>
      leaseDueOrders(db(), { now: 10, limit, leaseUntil: 15 }).map(({ receipt }) => receipt);
    expect(names(1)).toEqual(["first"]);
    expect(names(9).toSorted()).toEqual(["second", "third"]);
    const writes = vi.spyOn(db(), "allRaw");
    expect(names(9)).toEqual([]);
    // Looking costs no write.
    expect(writes).not.toHaveBeenCalled();
    writes.mockRestore();
    expect(column("payment_order", "next_check_at")).toEqual({
      first: 15,
      second: 15,
      third: 15,
      later: 11,
      never: null,
    });
  });

  it("are watched five days longer than they can be paid, however late that is moved", () => {
    const DAY = 86_400_000;
    const order = (name: string, changes: object) =>
      add("payment_order", name, { appointment_id: "x", watch_until: 6 * DAY, ...changes });
    add("appointment", "x", { status: "pending_payment", pay_before: DAY });
    order("done", { state: "closed", next_check_at: null });
    order("due", { next_check_at: 3 });
    order("other", { appointment_id: "y", next_check_at: null });
    const paidBy = (time: number | null) =>
      db().runRaw("UPDATE appointment SET pay_before = ? WHERE id = 'x'", [time]);
    paidBy(7 * DAY);
    const watched = { done: 12 * DAY, due: 12 * DAY, other: 6 * DAY };
    expect(column("payment_order", "watch_until")).toEqual(watched);
    expect(column("payment_order", "next_check_at")).toEqual({
      done: 7 * DAY,
      due: 3,
      other: null,
    });
    for (const earlier of [2 * DAY, null]) paidBy(earlier);
    expect(column("payment_order", "watch_until")).toEqual(watched);
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
    savePayment(db(), {
      ...saved,
      paymentId: "f",
      outcome: "time_gone",
      createdAt: 7,
      updatedAt: 7,
    });
    expect(findPayment(db(), "b")).toMatchObject({
      amountPaise: 5,
      outcome: "second",
      createdAt: 2,
      updatedAt: 77,
      method: "upi",
    });
    expect(column("payment", "outcome")).toMatchObject({
      a: "time_gone",
      b: "second",
      f: "time_gone",
    });
  });
});

describe("the provider's events", () => {
  it("are recorded once, leased when due and changed alone", () => {
    const event = { eventId: "b", kind: "k", body: "{}" };
    expect([10, 10].map((now) => insertEvent(db(), event, now))).toEqual([true, false]);
    add("provider_event", "a", { next_try_at: 9 });
    add("provider_event", "later", { next_try_at: 11 });
    add("provider_event", "parked", { next_try_at: 1, state: "parked" });
    const names = (limit: number) =>
      leaseDueEvents(db(), { now: 10, limit, leaseUntil: 15 }).map(({ eventId }) => eventId);
    expect([names(1), names(9), names(9)]).toEqual([["a"], ["b"], []]);
    expect(column("provider_event", "next_try_at")).toEqual({ a: 15, b: 15, later: 11, parked: 1 });
    updateEvent(db(), "b", { state: "done" });
    expect(column("provider_event", "state")).toMatchObject({ a: "new", b: "done" });
    expect(["a", "b", "parked"].map((id) => retakeEvent(db(), id, 12))).toEqual([
      ...[false, false, true],
    ]);
    expect(column("provider_event", "next_try_at")).toEqual({
      a: 15,
      b: 15,
      later: 11,
      parked: 12,
    });
  });

  it("lose what they say of a person with a booking's orders and payments, and no other", () => {
    const body = (payment: object) =>
      JSON.stringify({ payload: { payment: { entity: { ...payment, email: "a@b.in" } } } });
    add("payment", "pay_1", { appointment_id: "x" });
    add("payment", "pay_2", { appointment_id: "y" });
    add("payment_order", "r1", { appointment_id: "x", order_id: "order_1" });
    add("payment_order", "r2", { appointment_id: "y", order_id: "order_2" });
    add("provider_event", "by payment", { body: body({ id: "pay_1" }) });
    add("provider_event", "by order", { body: body({ id: "pay_9", order_id: "order_1" }) });
    add("provider_event", "other", { body: body({ id: "pay_2", order_id: "order_2" }) });
    eraseProviderEvents(db(), "x");
    const bodies = Object.entries(column("provider_event", "body"));
    const erased = bodies.filter(([, text]) => !String(text).includes("a@b.in"));
    expect(erased.map(([name]) => name)).toEqual(["by order", "by payment"]);
  });
});

describe("accounts", () => {
  it("may reset a password only with access, and once the invitation was used", () => {
    add("admin", "usable", { password_hash: "h" });
    add("admin", "invited");
    add("admin", "without access", { password_hash: "h", inactive_since: 1 });
    const found = ["usable", "invited", "without access"].map(
      (id) => findUsableAdminByEmail(db(), `${id}@B.in`)?.id,
    );
    expect(found).toEqual(["usable", undefined, undefined]);
  });

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

  it("have lost an invitation where its own mail was given up since", () => {
    const mail = (recipient: string, changes: object) =>
      add("message", `${recipient} ${JSON.stringify(changes)}`, {
        kind: "team_invitation",
        state: "failed",
        created_at: 10,
        recipient,
        ...changes,
      });
    mail("sent@b.in", { state: "sent" });
    mail("before@b.in", { created_at: 9 });
    mail("other@b.in", { kind: "reset_code" });
    mail("lost@b.in", {});
    const lost = ["sent@b.in", "before@b.in", "other@b.in", "lost@b.in"].filter((email) =>
      hasLostInvitation(db(), email, 10),
    );
    expect(lost).toEqual(["lost@b.in"]);
  });
});
