/** Queries over the ledger, holds, the log and what goes by schedule, each beside rows it leaves. */
import { describe, expect, it } from "vitest";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { creditNoteRow, ledgerRow } from "#tests/support/ledger-rows.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  eraseActivityData,
  listActivity,
  listActivityOf,
  logActivity,
  logUnpaidMove,
} from "./activity.server.ts";
import {
  findCreditNoteOf,
  findCreditNoteOfRefund,
  findDocument,
  findInvoiceOf,
  findInvoiceOfPayment,
  firstOfDocuments,
  insertDocument,
  listCreditNotesOf,
  listDocuments,
  listSums,
  takeSerial,
} from "./documents.server.ts";
import { countTimesTaken, readQueues } from "./health.server.ts";
import { countHolds, findClientAddress, hasPaidBooking, listVisitorHolds } from "./holds.server.ts";
import {
  deleteLooseMessages,
  deleteOldActivity,
  deleteOldAnswers,
  deleteOldEvents,
  deleteOldMessages,
  deleteOldTokens,
  eraseAppointment,
  listUnpaidToErase,
} from "./retention.server.ts";
import { readSetting, writeSetting } from "./settings.server.ts";

const { db, add, column, left } = storedRows();
const book = (id: string, changes = {}) => add("appointment", id, changes);

describe("the ledger", () => {
  const issue = (number: string, changes: Partial<PrintableDocument> = {}) =>
    insertDocument(db(), ledgerRow({ number, series: number, paymentId: number, ...changes }));
  const credit = (number: string, changes: Partial<PrintableDocument> = {}) => {
    const names = { number, series: number, refundId: number, invoiceNumber: "A" };
    insertDocument(db(), { ...creditNoteRow({ ...names, ...changes }) });
  };

  it("is found by number, payment, booking and refund", () => {
    issue("B", { appointmentId: "x", serial: 2, onDate: "2026-11-30", sample: true });
    issue("A", { appointmentId: "x", serial: 1 });
    issue("C", { appointmentId: "y" });
    expect(findCreditNoteOf(db(), "x")).toBeNull();
    credit("N1", { appointmentId: "x", paymentId: "A", issuedAt: 5, serial: 9 });
    credit("N2", { appointmentId: "x", paymentId: "A", issuedAt: 6, serial: 1 });
    credit("N3", { appointmentId: "x", paymentId: "A", issuedAt: 6, serial: 2 });
    credit("N4", { appointmentId: "z", paymentId: "Z", issuedAt: 9, invoiceNumber: "B" });
    const numberOf = (document: PrintableDocument | null) => document?.number;
    expect(numberOf(findInvoiceOfPayment(db(), "A"))).toBe("A");
    expect(numberOf(findInvoiceOfPayment(db(), "Z"))).toBeUndefined();
    expect(numberOf(findInvoiceOf(db(), "x"))).toBe("A");
    expect(numberOf(findInvoiceOf(db(), "z"))).toBeUndefined();
    expect(numberOf(findCreditNoteOf(db(), "x"))).toBe("N3");
    const notesOf = (id: string) => listCreditNotesOf(db(), id).map(({ number }) => number);
    expect([notesOf("x"), notesOf("z"), notesOf("y")]).toEqual([["N1", "N2", "N3"], ["N4"], []]);
    expect(numberOf(findCreditNoteOfRefund(db(), "N1"))).toBe("N1");
    expect(findDocument(db(), "B")).toMatchObject({ number: "B", sample: true, invoiceDate: null });
    expect(findDocument(db(), "N4")).toMatchObject({ sample: false, invoiceDate: "2026-11-30" });
  });

  it("is listed and summed by the dates in a range, both ends counted", () => {
    expect(firstOfDocuments(db())).toEqual({ onDate: null, paidAt: null });
    issue("A", { onDate: "2026-11-01" });
    issue("B", { onDate: "2026-11-30", serial: 2, series: "A" });
    issue("C", { onDate: "2026-10-31", sample: true, paidAt: 1 });
    issue("D", { onDate: "2026-12-01" });
    issue("E", { onDate: "2026-11-15", serial: 1, series: "A", financialYear: "25-26" });
    db().driver.exec("DROP TRIGGER document_on_date_is_known_0");
    issue("F", { onDate: "10 November" });
    credit("N", { onDate: "2026-11-02" });
    const [from, to] = ["2026-11-01", "2026-11-30"];
    const listed = listDocuments(db(), from, to).map(({ number }) => number);
    expect(listed).toEqual(["E", "A", "B", "N"]);
    const sums = listSums(db(), from, to);
    expect(sums.map(({ number }) => number).sort()).toEqual(["A", "B", "E", "N"]);
    expect(sums.find(({ number }) => number === "A")).toMatchObject({
      sample: false,
      tax: { cgst: 9_000, sgst: 9_000, igst: 0 },
      taxablePaise: 99_900,
    });
    expect(listSums(db(), "2026-10-31", "2026-10-31")).toMatchObject([{ sample: true }]);
    expect(firstOfDocuments(db())).toEqual({ onDate: "2026-10-31", paidAt: 1 });
  });

  it("counts each series and year from one, and a setting is the last one written", () => {
    const taken = [
      ["A", "1"],
      ["A", "1"],
      ["A", "2"],
      ["B", "1"],
      ["A", "1"],
    ] as const;
    expect(taken.map(([series, year]) => takeSerial(db(), series, year))).toEqual([1, 2, 1, 1, 3]);
    for (const value of ["1", "2"]) writeSetting(db(), "k", value);
    writeSetting(db(), "l", "3");
    expect(["k", "l", "m"].map((key) => readSetting(db(), key))).toEqual(["2", "3", null]);
  });
});

describe("holds", () => {
  const who = { network: "2001:db8:1::/48", address: "2001:db8:1:2::/64", exceptId: "self" };
  const asked = { ...who, email: "a@b.in", phone: "+1" };
  const held = (id: string, changes = {}) =>
    book(id, {
      status: "pending_payment",
      hold_until: 101,
      client_address: who.address,
      email: "o@b.in",
      phone: "+2",
      ...changes,
    });

  it("are counted by network, address and contact while they run", () => {
    held("address", { hold_until: 103 });
    held("self");
    held("network", { client_address: "2001:db8:1:3::/64" });
    held("other network", { client_address: "2001:db8:11:2::/64", email: "a@b.in" });
    held("mail", { client_address: "2001:db8:1:4::/64", email: "A@B.in", hold_until: 102 });
    held("phone", { hold_until: 104, client_address: "2001:db8:1:5::/64", phone: "+1" });
    held("ended", { hold_until: 100 });
    held("paid", { status: "confirmed" });
    expect(countHolds(db(), asked, 100)).toMatchObject({
      ...{ ofNetwork: 4, ofAddress: 1, ofContact: 2 },
      ...{ untilNetwork: 101, untilAddress: 103, untilContact: 102 },
    });
  });

  it("of a captain are those of visitors, from now until an instant", () => {
    const hold = (id: string, starts_at: number, time = {}, booking = {}) => {
      book(id, { starts_at, client_address: id, ...booking });
      add("session_time", id, { starts_at, held_until: 101, ...time });
    };
    const DAY = 86_400_000;
    hold("first", 100);
    hold("last", 100 + DAY - 1);
    hold("begun", 99 - DAY);
    hold("until", 100 + 2 * DAY);
    hold("ended", 100 + DAY / 2, { held_until: 100 });
    hold("paid", 100 + DAY / 4, { held_until: null });
    hold("of staff", 100 + DAY / 8, {}, { client_address: null });
    hold("other captain", 100, { counselor_key: "rohan" });
    const listed = listVisitorHolds(db(), "asha", 100 + 2 * DAY, 100);
    expect(listed.map(({ clientAddress }) => clientAddress)).toEqual(["first", "last"]);
    expect(listed[0]).toMatchObject({ startsAt: 100, endsAt: 1_800_100 });
    expect(["first", "of staff", "none"].map((id) => findClientAddress(db(), id))).toEqual([
      ...["first", null, null],
    ]);
    expect(countTimesTaken(db(), 100)).toEqual([
      { kind: "unpaid_hold", count: 6 },
      { kind: "paid", count: 5 },
    ]);
    db().runRaw("UPDATE appointment SET status = 'cancelled' WHERE id = 'last'");
    db().runRaw("UPDATE appointment SET status = 'rescheduled' WHERE id = 'paid'");
    expect(countTimesTaken(db(), 100)[1]).toEqual({ kind: "paid", count: 4 });
  });

  it("end with a payment, by which an address is known", () => {
    book("x", { email: "A@b.in" });
    book("y", { email: "c@b.in", status: "pending_payment" });
    const known = ["a@B.in", "c@b.in", "d@b.in"].map((email) => hasPaidBooking(db(), email));
    expect(known).toEqual([true, false, false]);
  });
});

it("a queue's length counts what waits in it, and staff see what failed", () => {
  const empty = readQueues(db());
  expect(empty.backup).toBeNull();
  expect(empty.queues[0]).toEqual({ queue: "outbox", length: 0, oldest: null });
  add("payment", "p", { outcome: "unmatched" });
  add("payment", "q");
  const put = (table: "message" | "refund" | "provider_event", rows: object[]) => {
    const more: Record<string, string> = table === "refund" ? { payment_id: "p" } : {};
    for (const [i, row] of rows.entries()) add(table, `${table}${i}`, { ...more, ...row });
  };
  put("message", [
    ...[
      { next_try_at: 1, created_at: 7 },
      { next_try_at: 1, created_at: 8 },
    ],
    ...[{ created_at: 1 }, { state: "failed" }],
    // On purpose: nobody has to do anything.
    { state: "failed", last_error: "Not sent: its moment has passed." },
  ]);
  put("refund", [
    ...[
      { next_try_at: 1, created_at: 5 },
      { created_at: 1, state: "failed" },
    ],
    ...[{ state: "needs_person" }, { state: "processed" }, { state: "superseded" }],
    // Made and failed in the dashboard: the money for it is still here, or is not.
    ...[{ state: "failed", way: "dashboard" }],
    ...[{ state: "failed", way: "dashboard", amount_paise: 117_900 }],
  ]);
  put("provider_event", [
    ...[{ received_at: 4 }, { state: "parked", received_at: 1 }, { state: "done", received_at: 1 }],
  ]);
  // The second has nothing to make: a second look at what may have been made late.
  db().runRaw(`INSERT INTO session_room (room_key, appointment_id, next_try_at, created_at)
    VALUES ('made', 'x', 1, 6), ('over', NULL, 1, 2), ('there', 'y', NULL, 3)`);
  writeSetting(db(), "last_backup", '{"at":1,"bytes":2}');
  writeSetting(db(), "last_off_site", '{"at":3,"bytes":4}');
  expect(readQueues(db())).toEqual({
    queues: [
      { queue: "outbox", length: 2, oldest: 7 },
      { queue: "refunds", length: 1, oldest: 5 },
      { queue: "provider_events", length: 1, oldest: 4 },
      { queue: "session_rooms", length: 1, oldest: 6 },
    ],
    waiting: [
      { kind: "message", count: 1 },
      { kind: "refund", count: 3 },
      { kind: "unmatched_payment", count: 1 },
      { kind: "provider_event", count: 1 },
    ],
    backup: { at: 1, bytes: 2 },
    offSite: { at: 3, bytes: 4 },
  });
});

it("the log is read newest first by what it holds, and of one thing oldest first", () => {
  const log = (at: number, actor: string, target: string | null, more = {}) =>
    logActivity(db(), { at, actor, action: "cancel", target, ...more });
  log(1, "admin", "x", { before: { a: 1 }, after: { b: 2 } });
  log(2, "100%", "y", { before: null });
  log(3, "customer", "x");
  log(4, "1000", null);
  const page = (q: string | undefined, number = 1, pageSize = 2) => {
    const { entries, total } = listActivity(db(), { q, page: number, pageSize });
    return [total, ...entries.map(({ at }) => at)];
  };
  expect([page(undefined), page(undefined, 2), page("")]).toEqual([
    [4, 4, 3],
    [4, 2, 1],
    [4, 4, 3],
  ]);
  expect([page("100%"), page("x"), page("cancel", 2, 3), page("_")]).toEqual([
    ...[[1, 2], [2, 3, 1], [4, 1], [0]],
  ]);
  expect(listActivityOf(db(), "x").map(({ at, before, after }) => [at, before, after])).toEqual([
    [1, { a: 1 }, { b: 2 }],
    [3, null, null],
  ]);
  log(5, "admin", "y", { after: { c: 3 } });
  eraseActivityData(db(), "x");
  expect(listActivityOf(db(), "x").map(({ after }) => after)).toEqual([null, null]);
  expect(listActivityOf(db(), "y")[1]?.after).toEqual({ c: 3 });
});

it("moves of an unpaid booking are one entry, and nobody else's entries go with them", () => {
  logActivity(db(), { at: 1, actor: "admin", action: "cancel", target: "y" });
  const move = (at: number, from: string, to: string) =>
    logUnpaidMove(db(), "x", at, { before: { timeSlot: from }, after: { timeSlot: to } });
  move(2, "09:00", "10:00");
  move(3, "10:00", "11:00");
  expect(listActivityOf(db(), "x")).toMatchObject([
    { at: 3, before: { timeSlot: "09:00" }, after: { timeSlot: "11:00", moves: 2 } },
  ]);
  expect(listActivityOf(db(), "y")).toHaveLength(1);
});

describe("by schedule", () => {
  it("old answers, tokens, log entries and events go, the oldest first", () => {
    book("x");
    for (const at of [9, 8, 10]) {
      add("idempotency", `at ${at}`, { created_at: at });
      add("own_booking", `at ${at}`, { given_at: at, appointment_id: "x" });
    }
    for (const at of [8, 9, 10]) add("activity", `at ${at}`, { at });
    for (const at of [8, 9, 10])
      add("provider_event", `at ${at}`, { received_at: at, state: "done" });
    const tables = ["idempotency", "own_booking", "activity", "provider_event"] as const;
    const deletes = [deleteOldAnswers, deleteOldTokens, deleteOldActivity, deleteOldEvents];
    for (const [i, deleteOld] of deletes.entries()) {
      expect(deleteOld(db(), 10, 1)).toBe(1);
      expect(left(tables[i]!)).toEqual(["at 10", "at 9"]);
      expect(deleteOld(db(), 10, 9)).toBe(1);
      expect(left(tables[i]!)).toEqual(["at 10"]);
    }
    add("provider_event", "waits", { received_at: 1 });
    expect(deleteOldEvents(db(), 10, 9)).toBe(0);
  });

  it("old messages go, loose ones sooner, and none that waits", () => {
    add("message", "old", { created_at: 9, appointment_id: "x" });
    add("message", "loose", { created_at: 9 });
    add("message", "waits", { created_at: 9, next_try_at: 1 });
    add("message", "young", { created_at: 10 });
    expect([deleteLooseMessages(db(), 10, 0), deleteLooseMessages(db(), 10, 9)]).toEqual([0, 1]);
    expect(left("message")).toEqual(["old", "waits", "young"]);
    expect([deleteOldMessages(db(), 10, 0), deleteOldMessages(db(), 10, 9)]).toEqual([0, 1]);
    expect(left("message")).toEqual(["waits", "young"]);
    add("message", "behind", { created_at: 1 });
    expect(deleteOldMessages(db(), 10, 2)).toBe(0);
  });

  it("the personal data of a booking never paid goes long after its end", () => {
    const pending = { status: "pending_payment", hold_until: 9, updated_at: 99 };
    const cancelled = { status: "cancelled", updated_at: 9 };
    const LEFT = {
      erased: { personal_data_erased_at: 1 },
      "with a document": {},
      "with money": {},
    };
    for (const [name, row] of Object.entries({ pending, cancelled })) {
      book(name, row);
      for (const [why, changes] of Object.entries(LEFT)) {
        const id = book(`${name} ${why}`, { ...row, ...changes });
        const [appointmentId, paymentId] = [id, id];
        if (why === "with a document") {
          insertDocument(db(), ledgerRow({ number: name, series: name, appointmentId, paymentId }));
        }
        if (why === "with money") {
          add("payment", id, { appointment_id: id, captured_at: 1, outcome: "time_gone" });
        }
      }
      add("payment", `${name} failed`, { appointment_id: name, outcome: "failed" });
    }
    book("held", { ...pending, hold_until: 10 });
    book("changed", { ...cancelled, updated_at: 10 });
    book("paid", { ...cancelled, status: "confirmed" });
    const list = (limit: number) => listUnpaidToErase(db(), 10, limit);
    expect([list(9), list(1)]).toEqual([["pending", "cancelled"], ["pending"]]);
  });

  it("a person's data is blanked everywhere, and nobody else's", () => {
    for (const id of ["x", "y"]) {
      const starts_at = id === "x" ? 0 : 9_000_000;
      book(id, { gstin: "g", state_code: "29", hold_until: 1, pay_before: 1, starts_at });
      add("session_time", id, { starts_at });
      add("message", id, { appointment_id: id });
      add("idempotency", id, { appointment_id: id });
      add("own_booking", id, { appointment_id: id });
      add("payment_order", id);
      // As events were kept before they were kept without what they say of a person.
      const entity = { order_id: `order_${id}`, email: `${id}@b.in` };
      add("provider_event", id, { body: JSON.stringify({ payload: { payment: { entity } } }) });
    }
    eraseAppointment(db(), "x", 7);
    const events = Object.values(column("provider_event", "body")).join();
    expect(events).not.toContain("x@b.in");
    expect(events).toContain("y@b.in");
    for (const table of ["session_time", "message", "idempotency", "own_booking"] as const) {
      expect(left(table)).toEqual(["y"]);
    }
    const [row] = db().allRaw("SELECT * FROM appointment WHERE id = 'x'");
    expect(row).toMatchObject({
      name: "",
      email: "",
      phone: "",
      notes: null,
      gstin: null,
      state_code: null,
      hold_until: null,
      personal_data_erased_at: 7,
    });
    expect(column("appointment", "personal_data_erased_at")).toEqual({ x: 7, y: null });
  });
});
