/** What the doctor reads, and the first steps: beside rows that one condition alone keeps out. */
import { expect, it } from "vitest";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { creditNoteRow, ledgerRow } from "#tests/support/ledger-rows.ts";
import { plansOf } from "#tests/support/plans.ts";
import { storedRows } from "#tests/support/stored-rows.ts";
import { insertDocument } from "./documents.server.ts";
import { findLargestYear, listPausedTemplates, readMoneyMark, readSetUp } from "./health.server.ts";
import { deleteLooseMessages, deleteOldMessages } from "./retention.server.ts";

const { db, add, left } = storedRows();

it("the largest year is that of the taxable value less credit notes, without samples", () => {
  expect(findLargestYear(db())).toBeNull();
  const worth = (paise: number) => ({
    taxablePaise: paise,
    totalPaise: paise,
    roundOffPaise: 0,
    tax: { cgst: 0, sgst: 0, igst: 0 },
  });
  const issue = (number: string, paise: number, changes: Partial<PrintableDocument> = {}) => {
    const names = { number, series: number, paymentId: number };
    insertDocument(db(), ledgerRow({ ...names, ...worth(paise), ...changes }));
  };
  issue("A", 300, { financialYear: "25-26" });
  issue("B", 250);
  issue("C", 100);
  issue("S", 9_999, { sample: true });
  expect(findLargestYear(db())).toEqual({ year: "26-27", taxablePaise: 350 });
  const note = creditNoteRow({ number: "N", series: "N", refundId: "r", invoiceNumber: "B" });
  insertDocument(db(), { ...note, ...worth(60) });
  expect(findLargestYear(db())).toEqual({ year: "25-26", taxablePaise: 300 });
});

it("a template is paused until WhatsApp takes a later message of its kind", () => {
  const message = (kind: string, changes: object = {}) => {
    const id = `${kind} ${JSON.stringify(changes)}`;
    add("message", id, { kind, channel: "whatsapp", created_at: 10, ...changes });
  };
  const failed = { state: "failed", last_error: "WhatsApp 132015: paused" };
  const KINDS = ["booking_confirmed", "booking_cancelled", "reminder_1h", "reminder_24h"] as const;
  for (const kind of KINDS) message(kind, failed);
  message("payment_link", { ...failed, created_at: 5 });
  message("refund_sent", { ...failed, last_error: "WhatsApp 131026: no number" });
  message("session_plan", { ...failed, channel: "email" });
  message("help_customer", { last_error: "WhatsApp 132015: paused", state: "retrying" });
  message("booking_confirmed", { state: "delivered", sent_at: 11 });
  // None of these says that the template is used again.
  message("booking_cancelled", { state: "delivered", sent_at: 10 });
  message("reminder_1h", { state: "sent", sent_at: 11, channel: "email" });
  message("reminder_24h", { state: "queued", sent_at: 11 });
  expect(listPausedTemplates(db(), 5)).toEqual([
    "booking_cancelled",
    "reminder_1h",
    "reminder_24h",
  ]);
});

it("test mails stay, and stand in no other message's way", () => {
  expect(readSetUp(db()).hasTestMail).toBe(false);
  for (const name of ["first", "second"]) {
    add("message", name, { created_at: 1, kind: "test_mail", state: "sent" });
  }
  add("message", "loose", { created_at: 9 });
  expect([deleteLooseMessages(db(), 10, 1), deleteLooseMessages(db(), 10, 1)]).toEqual([1, 0]);
  add("message", "old", { created_at: 9, appointment_id: "x" });
  expect([deleteOldMessages(db(), 10, 1), deleteOldMessages(db(), 10, 1)]).toEqual([1, 0]);
  expect(left("message")).toEqual(["first", "second"]);
  expect(readSetUp(db()).hasTestMail).toBe(true);
});

it("a test mail is found by index, however many messages there are", async () => {
  expect(await plansOf(db(), () => readSetUp(db()))).toContain(
    "SEARCH message USING COVERING INDEX message_test (state=?)",
  );
});

it("money has moved also where a refund is marked as paid back by hand", () => {
  add("payment", "p");
  add("refund", "r", { payment_id: "p", state: "needs_person" });
  const before = readMoneyMark(db());
  expect(readMoneyMark(db())).toBe(before);
  db().runRaw("UPDATE refund SET state = 'processed', way = 'by_hand', settled_at = 5");
  expect(readMoneyMark(db())).not.toBe(before);
});
