/** Whom to write to, each beside rows that one of the conditions alone keeps out. */
import { describe, expect, it } from "vitest";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  lastNotifiedAt,
  listAppointmentsToRemind,
  listUnpaidToNotify,
} from "./reminders.server.ts";

const { db, add } = storedRows();
const message = (id: string, changes = {}) => add("message", id, changes);

describe("whom to write to", () => {
  const NOW = 10_000;
  const rule = { hours: 24, before: 1_000, until: 100, margin: 50 } as const;
  const session = (id: string, changes = {}) =>
    add("appointment", id, { starts_at: NOW + 1_000, created_at: NOW - 50, ...changes });
  const notify = (id: string, changes = {}) =>
    message(`notice ${id} ${JSON.stringify(changes)}`, {
      appointment_id: id,
      kind: "booking_rescheduled",
      created_at: NOW - 49,
      ...changes,
    });

  it("of a session to come: paid, near, not just booked or notified, and not reminded yet", () => {
    session("due");
    session("moved", { status: "rescheduled", starts_at: NOW + 101, created_at: 0 });
    session("unpaid", { status: "pending_payment" });
    session("cancelled", { status: "cancelled" });
    session("too far", { starts_at: NOW + 1_001, created_at: 0 });
    session("too near", { starts_at: NOW + 100, created_at: 0 });
    session("just booked", { created_at: NOW - 49 });
    session("just sent");
    notify("just sent");
    session("reminded");
    message("m", { cause: `reminder_24h:reminded:${NOW + 1_000}` });
    expect(listAppointmentsToRemind(db(), NOW, rule)).toEqual(["moved", "due"]);
    notify("due", { audience: "counselor" });
    notify("due", { kind: "reminder_24h" });
    notify("due", { created_at: NOW - 50 });
    message("other hour", { cause: `reminder_1h:due:${NOW + 1_000}` });
    message("other start", { cause: `reminder_24h:due:${NOW}` });
    expect(listAppointmentsToRemind(db(), NOW, rule)).toEqual(["moved", "due"]);
    // Of a corrected address the captain hears nothing, and waits for the reminder.
    notify("due", { kind: "booking_confirmed", data: '{"corrected":true}' });
    expect(listAppointmentsToRemind(db(), NOW, rule)).toEqual(["moved", "due"]);
    notify("due", { kind: "booking_confirmed" });
    expect(listAppointmentsToRemind(db(), NOW, rule)).toEqual(["moved"]);
    const which = (some: Parameters<typeof listAppointmentsToRemind>[3]) =>
      listAppointmentsToRemind(db(), NOW, rule, some);
    session("also due");
    expect(which({ limit: 1, except: [] })).toEqual(["moved"]);
    expect(which({ limit: 9, except: ["moved"] })).toEqual(["also due"]);
    expect([which({ only: "also due" }), which({ only: "just sent" })]).toEqual([["also due"], []]);
  });

  it("of a hold that ended unpaid: lately, before its session, once, with no payment under way", () => {
    const hold = { status: "pending_payment", hold_until: NOW };
    session("due", hold);
    session("first", { ...hold, hold_until: NOW - 499 });
    session("paid", { ...hold, status: "confirmed" });
    session("held", { ...hold, hold_until: NOW + 1 });
    session("long ago", { ...hold, hold_until: NOW - 500 });
    session("begun", { ...hold, starts_at: NOW });
    session("erased", { ...hold, personal_data_erased_at: 1 });
    session("notified", hold);
    message("m", { cause: "unpaid:notified" });
    session("checked", hold);
    add("payment", "p", { appointment_id: "checked", outcome: "authorized" });
    add("payment", "q", { appointment_id: "due", outcome: "failed" });
    expect(listUnpaidToNotify(db(), NOW, NOW - 500)).toEqual(["first", "due"]);
    const which = (some: Parameters<typeof listUnpaidToNotify>[3]) =>
      listUnpaidToNotify(db(), NOW, NOW - 500, some);
    expect(which({ limit: 1, except: [] })).toEqual(["first"]);
    expect(which({ limit: 9, except: ["first", "notified"] })).toEqual(["due"]);
    expect([which({ only: "due" }), which({ only: "notified" })]).toEqual([["due"], []]);
  });

  it("are a hundred at a time, the earliest due first", () => {
    for (let i = 0; i <= 100; i++) {
      session(`a${i}`, { starts_at: NOW + 1_000 - i, created_at: 0 });
      session(`b${i}`, { status: "pending_payment", hold_until: NOW - i });
    }
    const reminded = listAppointmentsToRemind(db(), NOW, rule);
    expect([reminded.length, reminded[0], reminded.includes("a0")]).toEqual([100, "a100", false]);
    const unpaid = listUnpaidToNotify(db(), NOW, 0);
    expect([unpaid.length, unpaid[0], unpaid.includes("b0")]).toEqual([100, "b100", false]);
  });
});

it("when a session's own customer was last sent its time, beside a second session", () => {
  for (const id of ["mine", "theirs"]) add("appointment", id);
  const notify = (id: string, about: string, created_at: number, changes = {}) =>
    message(id, { appointment_id: about, created_at, ...changes });
  expect(lastNotifiedAt(db(), "mine")).toBeNull();
  notify("first", "mine", 10);
  notify("moved", "mine", 20, { kind: "booking_rescheduled" });
  notify("reminder", "mine", 30, { kind: "reminder_24h" });
  notify("to the captain", "mine", 30, { audience: "counselor" });
  notify("another's", "theirs", 40);
  expect([lastNotifiedAt(db(), "mine"), lastNotifiedAt(db(), "theirs")]).toEqual([20, 40]);
});
