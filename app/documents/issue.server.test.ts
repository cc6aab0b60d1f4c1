/** What an invoice and a credit note say, of whom, and under which number. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Appointment } from "#app/model/appointment.ts";
import type { RefundWay } from "#app/model/refund.ts";
import {
  findCreditNoteOf,
  findCreditNoteOfRefund,
  findInvoiceOfPayment,
  insertDocument,
} from "#db/queries/documents.server.ts";
import { writeSetting } from "#db/queries/settings.server.ts";
import { SERIES_LETTER_SETTING } from "#db/restore.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import { issueCreditNote, issueInvoice } from "./issue.server.ts";

const NOW = Date.UTC(2026, 10, 20, 20, 0);

const test = sharedDeps();
// The ledger is append-only, so documents are removed by rolling back.
beforeEach(() => void test.deps.db.driver.exec("BEGIN"));
afterEach(() => void test.deps.db.driver.exec("ROLLBACK"));

const business = () => ({
  ...test.deps.env.business,
  name: "Briefing",
  address: "1 Road",
  state: "29",
  gstin: "29ABCDE1234F1ZW",
  sac: "9992",
});

function issue(changes: Partial<Appointment> = {}, env: { sample?: boolean; gstin?: null } = {}) {
  const supplier = env.gstin === null ? { ...business(), gstin: null } : business();
  const appointment = sampleAppointment(changes);
  const { db } = test.deps;
  const publicUrl = "https://captains.example";
  const { brand } = test.deps.env;
  const settings = { brand, business: supplier, sampleDocuments: env.sample ?? false, publicUrl };
  const number = issueInvoice(db, settings, appointment, "pay_1", NOW);
  const row = findInvoiceOfPayment(db, "pay_1")!;
  expect(row.number).toBe(number);
  return row;
}

const abroad = { country: "Nepal", address: "1 Ring Road\nKathmandu", name: null };
const company = { name: "Sky Lines", gstin: "27AAPFU0939F1ZV", address: "4 Marine Drive" };

const INVOICES: Record<string, Parameters<typeof issue>> = {
  "of the business's own state": [],
  "of another state": [{ stateCode: "27" }],
  "of no state": [{ stateCode: null }],
  "of a state that is none": [{ stateCode: "28" }],
  "of an empty state": [{ stateCode: "" }],
  "of a company": [{ company }],
  "of a customer abroad": [{ stateCode: "96", abroad }],
  "with sample documents": [{}, { sample: true }],
  "without a GSTIN": [{}, { gstin: null }],
};

/** Each field in a line; a supplier's own are a text within the row. */
const linesOf = (row: object) =>
  Object.entries(row).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);

describe("an invoice", () => {
  it("says who sold what to whom, dated in India", async () => {
    const usual = linesOf(issue());
    const lines = Object.entries(INVOICES).flatMap(([name, given], n) => {
      test.deps.db.driver.exec("ROLLBACK; BEGIN");
      const fields = linesOf(issue(...given));
      return [`${name}:`, ...fields.filter((line) => n === 0 || !usual.includes(line))];
    });
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("golden-invoices.txt");
  });

  it("takes the next number of its series, which a restored copy gives a letter", () => {
    issue({}, { sample: true });
    const { db, env } = test.deps;
    const next = () => issueInvoice(db, env, sampleAppointment(), `pay_${Math.random()}`, NOW);
    expect(next()).toBe("RC/26-27/00002");
    writeSetting(db, SERIES_LETTER_SETTING, "B");
    expect(next()).toBe("RCB/26-27/00001");
  });
});

describe("a credit note", () => {
  const credit = (amountPaise: number, id = "refund1", way: RefundWay = "provider") => {
    const refund = { id, paymentId: "pay_1", amountPaise, way, reason: "by_staff" as const };
    return issueCreditNote(test.deps.db, refund, NOW + 1);
  };

  it("says how the money goes back: as it was paid, but by hand where a person pays it", () => {
    issue();
    credit(100, "refund1");
    credit(100, "refund2", "dashboard");
    credit(100, "refund3", "by_hand");
    const methods = ["refund1", "refund2", "refund3"].map(
      (id) => findCreditNoteOfRefund(test.deps.db, id)?.paidMethod,
    );
    expect(methods).toEqual([null, null, "by_hand"]);
  });

  it("takes all back under a number of its own, once a refund", () => {
    const { supplier, ...invoice } = issue({ stateCode: "27" });
    expect(credit(117_900)).toBe("CN/26-27/00001");
    expect(credit(117_900)).toBe("CN/26-27/00001");
    expect(credit(100, "refund2")).toBeNull();
    const note = findCreditNoteOf(test.deps.db, invoice.appointmentId);
    expect(note).toEqual({
      ...invoice,
      supplier,
      kind: "credit_note",
      series: "CN",
      description:
        "Refund of invoice AC/26-27/00001\nReason: agreed with the customer\nOne-on-one aviation career counselling, 30 minutes",
      number: "CN/26-27/00001",
      issuedAt: NOW + 1,
      refundId: "refund1",
      invoiceNumber: invoice.number,
      invoiceDate: invoice.onDate,
    });
  });

  it.each([
    [117_900, 99_900, 8_991, 18],
    [58_950, 49_950, 4_496, 8],
    [1, 1, 0, 0],
    [7, 6, 1, -1],
    [100_001, 84_734, 7_626, 15],
  ])(
    "of %i paise credits %i, %i of each tax and rounds %i off",
    (paise, taxablePaise, half, off) => {
      const { appointmentId } = issue();
      credit(paise);
      expect(findCreditNoteOf(test.deps.db, appointmentId)).toMatchObject({
        taxablePaise,
        totalPaise: paise,
        tax: { cgst: half, sgst: half, igst: 0 },
        roundOffPaise: off,
      });
    },
  );

  it("of a part says so, without the words of staff", () => {
    const { appointmentId } = issue({}, { sample: true });
    credit(100);
    const { description } = findCreditNoteOf(test.deps.db, appointmentId)!;
    expect(description.split("\n")[0]).toBe("Part refund of receipt RC/26-27/00001");
  });

  it("on an invoice of the first layout keeps that layout, its tax and its words", () => {
    const former = ledgerRow({ paymentId: "pay_1", number: "AC/25-26/00001" });
    insertDocument(test.deps.db, former);
    credit(7);
    expect(findCreditNoteOf(test.deps.db, former.appointmentId)).toMatchObject({
      layout: 1,
      taxablePaise: 6,
      tax: { cgst: 0, sgst: 0, igst: 0 },
      roundOffPaise: 1,
      description: former.description,
    });
  });

  it("is not dated before its invoice, also on a clock that went back over the year's end", () => {
    const issuedAt = Date.UTC(2027, 2, 31, 19, 0);
    const invoice = { paymentId: "pay_1", onDate: "2027-04-01", issuedAt };
    const { appointmentId } = ledgerRow(invoice);
    insertDocument(test.deps.db, ledgerRow(invoice));
    expect(credit(7)).toBe("CN/27-28/00001");
    const note = { onDate: "2027-04-01", issuedAt, financialYear: "27-28" };
    expect(findCreditNoteOf(test.deps.db, appointmentId)).toMatchObject(note);
  });

  it("of a sample is a sample, and there is none without an invoice", () => {
    expect(credit(1)).toBeNull();
    issue({}, { sample: true });
    expect(credit(1)).toBe("RN/26-27/00001");
  });
});
