/** Queries over due and leased messages, each beside rows that one of its conditions alone keeps out. */
import { describe, expect, it, vi } from "vitest";
import { MOST_MAILS } from "#app/model/messages.ts";
import { plansOf } from "#tests/support/plans.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  countHeldBack,
  countRecentMails,
  extendLease,
  hastenRetries,
  markFailed,
  markRetrying,
  markSent,
  takeDueMessages,
} from "./message-leases.server.ts";
import { findMessage } from "./messages.server.ts";

const { db, add, column } = storedRows();
const message = (id: string, changes = {}) => add("message", id, changes);
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("due messages", () => {
  const NOW = 1_000;
  const take = (limit = 10, channel: "email" | "whatsapp" = "email") =>
    takeDueMessages(db(), NOW, { channel, limit, leaseUntil: 5_000 });
  const due = (id: string, changes = {}) => message(id, { next_try_at: NOW, ...changes });

  it("are those of the channel that are due", () => {
    due("due");
    due("later", { next_try_at: NOW + 1 });
    due("never", { next_try_at: null });
    due("other channel", { channel: "whatsapp" });
    expect(take()).toMatchObject([{ id: "due", leaseUntil: 5_000 }]);
    expect(column("message", "lease_until")).toEqual({
      due: 5_000,
      later: null,
      never: null,
      "other channel": null,
    });
    expect(idsOf(take(10, "whatsapp"))).toEqual(["other channel"]);
  });

  it("are looked for without a write while only another channel has one", () => {
    due("other channel", { channel: "whatsapp" });
    due("later", { next_try_at: NOW + 1 });
    const writes = vi.spyOn(db(), "allRaw");
    expect(take()).toEqual([]);
    expect(writes).not.toHaveBeenCalled();
    writes.mockRestore();
  });

  it("are one for each recipient, its oldest, and none beside a send under way", () => {
    due("newer", { recipient: "a", next_try_at: NOW });
    due("older", { recipient: "a", next_try_at: NOW - 1 });
    due("waits", { recipient: "b" });
    message("in hand", { recipient: "b", next_try_at: NOW - 5, lease_until: NOW + 1 });
    due("free again", { recipient: "c" });
    message("ended", { recipient: "c", next_try_at: NOW + 9, lease_until: NOW });
    due("sent since", { recipient: "d" });
    message("sent", { recipient: "d", next_try_at: null, lease_until: NOW + 9 });
    expect(idsOf(take()).sort()).toEqual(["free again", "older", "sent since"]);
  });

  it("are first the codes, then what is due longest, up to the limit", () => {
    due("second", { next_try_at: NOW - 2 });
    due("third", { next_try_at: NOW - 1 });
    due("code", { kind: "reset_code" });
    expect(idsOf(take(2)).sort()).toEqual(["code", "second"]);
  });
});

describe("a leased message", () => {
  const leased = (changes = {}) => {
    const row = { next_try_at: 1, lease_until: 9, data: '{"code":"1","hours":24}', ...changes };
    message("held", { attempts: 2, ...row });
    message("other", row);
    const { id, ...rest } = findMessage(db(), "held")!;
    return { id, ...rest, leaseUntil: 9 };
  };
  const changed = () => {
    const [row] = db().allRaw<Record<string, unknown>>("SELECT * FROM message WHERE id = 'held'");
    const { state, attempts, next_try_at: next, lease_until: lease, last_error: error } = row!;
    return { state, attempts, next, lease, error, sent: row!.sent_at, data: row!.data };
  };
  const untouched = () => db().allRaw("SELECT * FROM message WHERE id = 'other'");

  it.each(["queued", "retrying", "sent", "delivered", "read"])("that is %s is marked", (state) => {
    const held = leased({ state });
    const before = untouched();
    const open = state === "queued" || state === "retrying";
    expect(extendLease(db(), held, 12)).toBe(true);
    const mine = { ...held, leaseUntil: 12 };
    expect(markFailed(db(), mine, "no", { attempted: false })).toBe(open);
    expect(changed()).toMatchObject(
      open ? { state: "failed", attempts: 2, lease: null } : { state },
    );
    db().runRaw("UPDATE message SET state = ?, lease_until = 12 WHERE id = 'held'", [state]);
    expect(markRetrying(db(), mine, 77, "later")).toBe(open);
    const retrying = { state: "retrying", attempts: 3, next: 77, lease: null, error: "later" };
    expect(changed()).toMatchObject(open ? retrying : { state, lease: 12 });
    db().runRaw("UPDATE message SET state = ?, lease_until = 12 WHERE id = 'held'", [state]);
    markSent(db(), mine, 88, "t");
    expect(changed()).toEqual({
      state: ["delivered", "read"].includes(state) ? state : "sent",
      attempts: open ? 4 : 3,
      next: null,
      lease: null,
      error: null,
      sent: 88,
      data: '{"hours":24}',
    });
    expect(untouched()).toEqual(before);
  });

  it("whose failure was reported before the answer stays failed, with its reason", () => {
    markSent(db(), leased({ state: "failed", next_try_at: null, last_error: "131026" }), 88, "t");
    expect(changed()).toMatchObject({ state: "failed", error: "131026", lease: null });
  });

  it("that was superseded while it was being sent is sent", () => {
    const newer = "Not sent: a newer one went out.";
    markSent(db(), leased({ state: "failed", next_try_at: null, last_error: newer }), 88, "t");
    expect(changed()).toMatchObject({ state: "sent", error: null, lease: null });
  });

  it("counts a try that was made, and loses its code", () => {
    expect(markFailed(db(), leased(), "no", { attempted: true })).toBe(true);
    expect(changed()).toMatchObject({ attempts: 3, error: "no", next: null, data: '{"hours":24}' });
  });

  it("stays as it is once the lease is lost", () => {
    const lost = { ...leased(), leaseUntil: 8 };
    const before = changed();
    expect(extendLease(db(), lost, 12)).toBe(false);
    expect(markRetrying(db(), lost, 1, "")).toBe(false);
    expect(markFailed(db(), lost, "", { attempted: true })).toBe(false);
    markSent(db(), lost, 1, "t");
    expect(changed()).toEqual(before);
  });

  it("that waits long is due within the spread, and no other", () => {
    for (const [id, next_try_at] of Object.entries({ far: 151, near: 150, done: null })) {
      message(id, { next_try_at });
    }
    expect(hastenRetries(db(), 100, 50)).toBe(1);
    const { far, near, done } = column("message", "next_try_at");
    expect([near, done]).toEqual([150, null]);
    expect(far).toBeGreaterThanOrEqual(100);
    expect(far).toBeLessThan(150);
  });
});

describe("what a stranger may cause", () => {
  it("is counted by kind and address, lately sent or about to be", () => {
    const mail = { kind: "booking_links", recipient: "A@b.in", state: "sent", sent_at: 101 };
    message("counted", mail);
    message("waits", { ...mail, sent_at: null, next_try_at: 1 });
    message("made lately", { ...mail, sent_at: null, created_at: 101 });
    message("held back", { ...mail, state: "held_back", last_error: "why" });
    message("other kind", { ...mail, kind: "booking_unpaid" });
    message("other address", { ...mail, recipient: "c@b.in" });
    message("before", { ...mail, sent_at: 100, created_at: 200 });
    message("uncounted kind", { ...mail, kind: "booking_confirmed" });
    const count = (kind: "booking_links" | "booking_confirmed") =>
      countRecentMails(db(), kind, "a@B.in", 100);
    expect([count("booking_links"), count("booking_confirmed")]).toEqual([3, 0]);
  });

  it("and was held back is counted by kind, for mails only", () => {
    const row = { kind: "booking_links", state: "held_back", last_error: "why", created_at: 101 };
    message("counted", row);
    message("other kind", { ...row, kind: "booking_unpaid" });
    message("before", { ...row, created_at: 100 });
    message("sent", { ...row, state: "sent" });
    message("phone", { ...row, channel: "whatsapp" });
    expect(Object.fromEntries(countHeldBack(db(), 100))).toEqual({
      booking_links: 1,
      booking_unpaid: 1,
    });
  });

  it("is found by index, however many messages there are", async () => {
    const plans = await plansOf(db(), () => {
      for (const kind of MOST_MAILS.keys()) countRecentMails(db(), kind, "a@b.in", 0);
      countHeldBack(db(), 0);
    });
    expect(plans.split("\n")).toEqual([
      ...Array(MOST_MAILS.size).fill(
        expect.stringContaining("INDEX message_by_mailbox (kind=? AND <expr>=?)"),
      ),
      expect.stringContaining("COVERING INDEX message_held_back (created_at>?)"),
      expect.stringContaining("GROUP BY"),
    ]);
  });
});
