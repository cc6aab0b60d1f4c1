/** Queries about one person, each beside a second one of whom there is as much. */
import { beforeEach, expect, it } from "vitest";
import { creditNoteRow, ledgerRow } from "#tests/support/ledger-rows.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import {
  listAppointmentsOf,
  listLooseMessages,
  listLoosePayments,
  listRowsOf,
} from "./customers.server.ts";
import { insertDocument } from "./documents.server.ts";
import { eraseCustomer, wasErased } from "./erasures.server.ts";
import { erasePayer, listStillOwed } from "./payments.server.ts";
import { listDisputesOfPayment } from "./refunds.server.ts";

const { db, add, column } = storedRows();

const PEOPLE = { ann: "+919845012301", joann: "+919845012302" } as const;

beforeEach(() => {
  everythingOf("ann", 1);
  everythingOf("joann", 2);
});

/** A booking with its money, papers, messages and log, and what an address has without a booking. */
function everythingOf(who: keyof typeof PEOPLE, serial: number): void {
  const [email, phone] = [`${who}@b.in`, PEOPLE[who]];
  const paid = `${who} paid`;
  add("appointment", who, { email: email.toUpperCase(), phone });
  add("payment", paid, { appointment_id: who });
  add("payment", `${who} loose`, { payer_email: email, payer_phone: phone });
  add("refund", `${who} back`, { payment_id: paid, appointment_id: who, state: "needs_person" });
  // Before the payment was assigned.
  add("refund", `${who} before`, { payment_id: paid, way: "dashboard", state: "processed" });
  add("dispute", `${who} of paid`, { payment_id: paid });
  add("dispute", `${who} of loose`, { payment_id: `${who} loose` });
  const paper = { appointmentId: who, paymentId: paid, serial };
  insertDocument(db(), ledgerRow({ ...paper, number: `${who} invoice` }));
  const note = { number: `${who} note`, refundId: `${who} back`, series: "CN" };
  insertDocument(db(), creditNoteRow({ ...paper, ...note, invoiceNumber: `${who} invoice` }));
  add("message", `${who} booked`, { appointment_id: who, recipient: `old.${email}` });
  add("message", `${who} loose`, { kind: "booking_code", recipient: email });
  add("message", `${who} captain`, { appointment_id: who, audience: "counselor" });
  add("activity", who, { words: `of ${who}` });
}

it("the rows of a customer are theirs alone, each kind of them", () => {
  const rows = listRowsOf(db(), "Ann@b.in");
  const names = {
    appointments: rows.appointments.map(({ id }) => id),
    payments: rows.payments.map(({ paymentId }) => paymentId).sort(),
    refunds: rows.refunds.map(({ id }) => id).sort(),
    disputes: rows.disputes.map(({ disputeId }) => disputeId).sort(),
    documents: rows.documents.map(({ number }) => number).sort(),
    messages: rows.messages.map(({ kind, recipient }) => `${kind} ${recipient}`).sort(),
    history: rows.history.map(({ words }) => words),
  };
  expect(names).toEqual({
    appointments: ["ann"],
    payments: ["ann loose", "ann paid"],
    refunds: ["ann back", "ann before"],
    disputes: ["ann of loose", "ann of paid"],
    documents: ["ann invoice", "ann note"],
    messages: ["booking_code ann@b.in", "booking_confirmed old.ann@b.in"],
    history: ["of ann"],
  });
});

it("disputes of a payment are not those of another", () => {
  const of = (payment: string) =>
    listDisputesOfPayment(db(), payment).map(({ disputeId }) => disputeId);
  expect([of("ann loose"), of("joann paid"), of("none")]).toEqual([
    ...[["ann of loose"], ["joann of paid"], []],
  ]);
});

it("bookings, loose messages, loose money and what is owed are one customer's", () => {
  const email = "ann@B.in";
  expect(listAppointmentsOf(db(), email).map(({ id }) => id)).toEqual(["ann"]);
  expect(listLooseMessages(db(), email).map(({ id }) => id)).toEqual(["ann loose"]);
  for (const who of ["ann", "joann"] as const) {
    add("payment", `${who} by number`, { payer_phone: PEOPLE[who] });
  }
  const loose = (phones: string[]) =>
    listLoosePayments(db(), { email, phones }).map(({ paymentId }) => paymentId);
  expect(loose([PEOPLE.ann])).toEqual(["ann loose", "ann by number"]);
  expect(loose([])).toEqual(["ann loose"]);
  // Made and failed in the dashboard: nothing of ours.
  add("refund", "ann failed there", { payment_id: "ann paid", way: "dashboard", state: "failed" });
  const owed = (...ids: string[]) => listStillOwed(db(), ids).map(({ id }) => id);
  expect([owed("ann"), owed("ann", "joann"), owed()]).toEqual([
    ...[["ann back"], ["ann back", "joann back"], []],
  ]);
});

it("a payer is forgotten by address or number, in what came until then, and no other payer", () => {
  add("payment", "later", { payer_email: "ann@b.in", created_at: 2 });
  erasePayer(db(), "ANN@b.in", 1);
  const known = () =>
    Object.entries(column("payment", "payer_email")).flatMap(([id, email]) => (email ? [id] : []));
  expect(known()).toEqual(["joann loose", "later"]);
  erasePayer(db(), PEOPLE.joann, 1);
  expect(known()).toEqual(["later"]);
});

it("an erasure is known by the address or the number of who was erased, and of nobody else", () => {
  eraseCustomer(db(), "ann@b.in", 10);
  const asked = (email: string | null, phone: string | null, since = 10) =>
    wasErased(db(), { email, phone }, since);
  expect(asked("ANN@b.in".toLowerCase(), null)).toBe(true);
  expect(asked("joann@b.in", PEOPLE.ann)).toBe(true);
  expect(asked("joann@b.in", PEOPLE.joann)).toBe(false);
  expect(asked("ann@b.in", PEOPLE.ann, 11)).toBe(false);
  expect(column("appointment", "email")).toEqual({ ann: "", joann: "JOANN@B.IN" });
});
