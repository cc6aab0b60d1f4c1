/** Queries over messages, each beside rows that one of its conditions alone keeps out. */
import { describe, expect, it } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import { isOptedOut, setOptOut } from "./message-leases.server.ts";
import {
  deleteMessagesTo,
  findMessage,
  findMessageForReport,
  insertMessage,
  listFailedMessages,
  listMessages,
  markReported,
  requeueMessage,
  wasOwnerAlerted,
} from "./messages.server.ts";
import {
  followSequence,
  redirectCustomerMessages,
  supersedeConfirmation,
  supersedeCounselorMessages,
  supersedeFirstLink,
  supersedeOlder,
} from "./unsent-messages.server.ts";

const { db, add, column, left } = storedRows();
const message = (id: string, changes = {}) => add("message", id, changes);
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe("messages", () => {
  it("are listed of one appointment, oldest first, and the failed newest first", () => {
    message("b", { appointment_id: "x", created_at: 2, channel: "whatsapp", state: "failed" });
    message("a", { appointment_id: "x", created_at: 2, state: "failed" });
    message("c", { appointment_id: "x", created_at: 1, state: "sent" });
    message("d", { appointment_id: "y", created_at: 3, state: "failed" });
    expect(idsOf(listMessages(db(), "x"))).toEqual(["c", "a", "b"]);
    expect(idsOf(listFailedMessages(db(), 0, 2))[0]).toBe("d");
    expect(listFailedMessages(db(), 0, 2)).toHaveLength(2);
    expect(listFailedMessages(db(), 0, 9)).toHaveLength(3);
  });

  it("that failed are listed beside any number that were not to be sent", () => {
    const failed = (id: string, last_error: string | null, changes = {}) =>
      message(id, { appointment_id: "x", created_at: 5, state: "failed", last_error, ...changes });
    failed("refused", "550: no such mailbox");
    failed("unsaid", null);
    failed("on purpose", "Not sent: its moment has passed.", { created_at: 6 });
    failed("of no booking", "550", { appointment_id: null, created_at: 6 });
    failed("old", "550", { created_at: 4 });
    expect(idsOf(listFailedMessages(db(), 5, 2)).sort()).toEqual(["refused", "unsaid"]);
  });

  it("are sent again alone, to the address of today, unless one is in hand", () => {
    add("appointment", "x", { email: "new@b.in", phone: "+91" });
    const old = { appointment_id: "x", state: "sent", attempts: 3, sent_at: 5, last_error: "e" };
    message("mail", { ...old, data: '{"resend":1}' });
    message("phone", { ...old, channel: "whatsapp" });
    message("captain", { ...old, audience: "counselor" });
    message("owner", { ...old, audience: "admin", kind: "admin_dispute" });
    message("in hand", { lease_until: 101 });
    message("ended", { lease_until: 100 });
    message("other", old);
    const requeued = (id: string) => requeueMessage(db(), id, 100, "owner@b.in");
    expect(["mail", "phone", "captain", "owner", "ended", "in hand", "none"].map(requeued)).toEqual(
      [...[true, true, true, true, true, false, false]],
    );
    expect(column("message", "recipient")).toEqual({
      mail: "new@b.in",
      phone: "+91",
      captain: "asha@captains.example",
      owner: "owner@b.in",
      other: "other@b.in",
      "in hand": "in hand@b.in",
      ended: "ended@b.in",
    });
    expect(findMessage(db(), "mail")).toMatchObject({
      state: "queued",
      attempts: 0,
      lastError: null,
      sentAt: null,
      nextTryAt: 100,
      data: { resend: 2 },
    });
    expect(findMessage(db(), "phone")?.data).toEqual({ resend: 1 });
    expect(findMessage(db(), "other")).toMatchObject({ state: "sent", attempts: 3, sentAt: 5 });
    expect(column("message", "lease_until")).toMatchObject({ ended: null, "in hand": 101 });
  });

  it("follow a corrected contact while they wait", () => {
    const row = { appointment_id: "x", next_try_at: 1, kind: "reminder_24h" };
    const others = {
      "other booking": { appointment_id: "y" },
      "other channel": { channel: "whatsapp" },
      ended: { next_try_at: null },
      captain: { audience: "counselor" },
    };
    message("mine", row);
    for (const [id, changes] of Object.entries(others)) message(id, { ...row, ...changes });
    redirectCustomerMessages(db(), "x", "email", "new", 9);
    const kept = Object.fromEntries(Object.keys(others).map((id) => [id, `${id}@b.in`]));
    expect(column("message", "recipient")).toEqual({ mine: "new", ...kept });
    db().runRaw("UPDATE message SET kind = 'booking_confirmed' WHERE id <> 'captain'");
    supersedeConfirmation(db(), "x", "email");
    const failed = Object.entries(column("message", "state")).filter(([, s]) => s === "failed");
    expect(failed).toEqual([["mine", "failed"]]);
    expect(findMessage(db(), "mine")).toMatchObject({ nextTryAt: null });
  });

  it("to a captain are stopped when the session goes to another, and the customer's are not", () => {
    const mine = { appointment_id: "x", next_try_at: 1, audience: "counselor" };
    const stopped = ["counselor_moved", "counselor_new"];
    for (const kind of [...stopped, "counselor_cancelled"]) message(kind, { ...mine, kind });
    message("sent", { ...mine, kind: "counselor_new", next_try_at: null, state: "sent" });
    message("other booking", { ...mine, kind: "counselor_new", appointment_id: "y" });
    for (const kind of ["booking_confirmed", "reminder_24h"]) {
      message(kind, { ...mine, kind, audience: "customer" });
    }
    supersedeCounselorMessages(db(), "x");
    const failed = Object.entries(column("message", "state")).filter(([, s]) => s === "failed");
    expect(failed.map(([id]) => id)).toEqual(stopped);
  });

  it("with a link or a plan give way to a newer one of their kind, booking and channel, and no other kind does", () => {
    const row = { appointment_id: "x", next_try_at: 1 };
    for (const kind of [
      "payment_link",
      "guardian_asked",
      "session_plan",
      "payment_refunded",
    ] as const) {
      message(kind, { ...row, kind });
      message(`${kind} of another`, { ...row, kind, appointment_id: "y" });
      message(`${kind} by WhatsApp`, { ...row, kind, channel: "whatsapp" });
    }
    const failed = () =>
      idsOf(db().allRaw("SELECT id FROM message WHERE state = 'failed' ORDER BY id"));
    for (const kind of ["payment_refunded", "guardian_asked", "session_plan"] as const) {
      supersedeOlder(db(), "x", "email", kind);
    }
    expect(failed()).toEqual(["guardian_asked", "session_plan"]);
    supersedeOlder(db(), "x", "email", "payment_link");
    expect(failed()).toEqual(["guardian_asked", "payment_link", "session_plan"]);
  });

  it("that the awaited link has come give way to one that brought it to the same address", () => {
    const data = '{"first":true,"sequence":2}';
    const row = { appointment_id: "x", recipient: "a@b.in", next_try_at: 1, data };
    const others = {
      "other booking": { appointment_id: "y" },
      "other channel": { channel: "whatsapp" },
      "other address": { recipient: "b@b.in" },
      "other audience": { audience: "counselor" },
      "later link": { data: '{"first":true,"sequence":3}' },
      "changed link": { data: '{"sequence":2}' },
      ended: { next_try_at: null },
    };
    message("mine", row);
    for (const [id, changes] of Object.entries(others)) message(id, { ...row, ...changes });
    message("brought", { ...row, next_try_at: null, data: "{}" });
    const brought = findMessage(db(), "brought")!;
    supersedeFirstLink(db(), brought, 1);
    expect(Object.values(column("message", "state"))).not.toContain("failed");
    supersedeFirstLink(db(), brought, 2);
    const failed = Object.entries(column("message", "state")).filter(([, s]) => s === "failed");
    expect(failed).toEqual([["mine", "failed"]]);
  });

  it("to an address are deleted: of no booking, or of any; a captain's and later ones stay", () => {
    const to = { recipient: "A@B.in", created_at: 5 };
    message("mine", { ...to, appointment_id: "x" });
    message("links", to);
    message("captain", { ...to, audience: "counselor" });
    message("later", { ...to, created_at: 6 });
    message("another's");
    deleteMessagesTo(db(), "a@b.in", 5, "of no booking");
    expect(left("message")).toEqual(["another's", "captain", "later", "mine"]);
    deleteMessagesTo(db(), "a@b.in", 5, "of any booking");
    expect(left("message")).toEqual(["another's", "captain", "later"]);
  });

  it("are found for a report by the transport's id, else by our send's until it is answered", () => {
    const found = (id: string, own: string | null) => findMessageForReport(db(), id, own)?.id;
    message("known", { channel: "whatsapp", transport_id: "t" });
    message("open", { channel: "whatsapp" });
    message("mail");
    const waits = { transport_id: "old", next_try_at: 1, data: '{"resend":2}' };
    message("resent", { channel: "whatsapp", ...waits });
    const ofSends = ["", ".1", ".2", ".3"].map((resend) => found("u", `resent${resend}`));
    expect(ofSends).toEqual([undefined, undefined, "resent", undefined]);
    expect(found("u", "open.1")).toBeUndefined();
    expect(found("t", null)).toBe("known");
    expect(found("t", "open")).toBe("known");
    expect(found("u", "open")).toBe("open");
    expect([found("u", "known"), found("u", "mail"), found("u", null)]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    const report = {
      state: "read",
      transportId: "u",
      at: 7,
      error: null,
      nextTryAt: null,
    } as const;
    markReported(db(), "open", report);
    expect(findMessage(db(), "open")).toMatchObject({ state: "read", transportId: "u", sentAt: 7 });
    expect(findMessage(db(), "known")).toMatchObject({ state: "queued", transportId: "t" });
    markReported(db(), "open", { ...report, at: 8 });
    expect(findMessage(db(), "open")?.sentAt).toBe(7);
  });

  it("are one for each cause, channel and audience; held back they wait for nothing", () => {
    const given = { kind: "booking_confirmed", recipient: "a", appointmentId: "x" } as const;
    const base = { ...given, cause: "c", data: { hours: 24 as const }, notAfter: 9, now: 5 };
    const put = (id: string, changes = {}) =>
      insertMessage(db(), {
        ...base,
        id,
        channel: "email",
        audience: "customer",
        heldBack: null,
        ...changes,
      });
    put("first");
    put("same");
    put("channel", { channel: "whatsapp" });
    put("audience", { audience: "admin" });
    put("cause", { cause: "d", heldBack: "Held back: why." });
    expect(left("message")).toEqual(["audience", "cause", "channel", "first"]);
    const { notAfter, nextTryAt, createdAt, data } = findMessage(db(), "first")!;
    expect({ notAfter, nextTryAt, createdAt, data }).toEqual({
      notAfter: 9,
      nextTryAt: 5,
      createdAt: 5,
      data: { hours: 24 },
    });
    expect(findMessage(db(), "cause")).toMatchObject({
      state: "held_back",
      nextTryAt: null,
      lastError: "Held back: why.",
    });
  });

  it("follow the sequence of a session whose message stays true, and of no other", () => {
    const sentAt = (id: string, sequence: number, changes = {}) =>
      message(id, { appointment_id: "x", data: JSON.stringify({ sequence }), ...changes });
    sentAt("before", 4);
    sentAt("earlier", 3);
    sentAt("other", 4, { appointment_id: "y" });
    sentAt("joining", 4, { kind: "joining_changed" });
    sentAt("captain", 4, { kind: "counselor_joining_changed" });
    followSequence(db(), { id: "x", calendarSequence: 5 });
    const sequences = Object.entries(column("message", "data")).map(([id, data]) => [
      id,
      JSON.parse(String(data)).sequence,
    ]);
    expect(Object.fromEntries(sequences)).toEqual({
      before: 5,
      earlier: 3,
      other: 4,
      joining: 4,
      captain: 4,
    });
  });

  it("to the owner are sought within a span, both ends counted", () => {
    message("a", { cause: "owner_alert:hold_surge:000000000000100" });
    const alerted = (alert: "hold_surge" | "reset_flood", from: number, to: number) =>
      wasOwnerAlerted(db(), alert, from, to);
    expect(alerted("hold_surge", 100, 100)).toBe(true);
    expect(alerted("hold_surge", 101, 999_999)).toBe(false);
    expect(alerted("hold_surge", 9, 99)).toBe(false);
    expect(alerted("reset_flood", 0, 999)).toBe(false);
  });

  it("stop and start for one number", () => {
    for (const phone of ["+1", "+1", "+2"]) setOptOut(db(), phone, true, 1);
    expect(["+1", "+2", "+3"].map((phone) => isOptedOut(db(), phone))).toEqual([true, true, false]);
    setOptOut(db(), "+1", false, 2);
    expect(["+1", "+2"].map((phone) => isOptedOut(db(), phone))).toEqual([false, true]);
  });
});
