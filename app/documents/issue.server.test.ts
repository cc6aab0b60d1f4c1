/** What an invoice and a credit note say, of whom, and under which number. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BRAND } from "#app/catalogue.ts";
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
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { sampleAppointment } from "#tests/support/sample-messages.ts";
import { issueCreditNote, issueInvoice } from "./issue.server.ts";

const NOW = Date.UTC(2026, 10, 20, 20, 0);

let test: TestDeps;
beforeAll(async () => {
  test = await makeDeps();
});
afterAll(() => test.close());
// The ledger is append-only, so documents are removed by rolling back.
beforeEach(() => void test.deps.db.driver.exec("BEGIN"));
afterEach(() => void test.deps.db.driver.exec("ROLLBACK"));

const business = () => ({
  ...test.deps.env.business,
  ...{ name: "Briefing", address: "1 Road", state: "29", gstin: "29ABCDE1234F1ZW", sac: "9992" },
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

describe("an invoice", () => {
  it("says who sold what to whom, dated in India", () => {
    const { supplier, ...row } = issue();
    expect(row).toEqual({
      ...{ number: "AC/26-27/00001", kind: "invoice", series: "AC", financialYear: "26-27" },
      ...{ serial: 1, onDate: "2026-11-21", issuedAt: NOW, paymentId: "pay_1", refundId: null },
      ...{ appointmentId: sampleAppointment().id, invoiceNumber: null, invoiceDate: null },
      ...{ customerName: "Priya Raghunathan", customerGstin: null, customerAddress: null },
      description:
        "One-on-one aviation career counselling, 30 minutes\nCapt. Asha Sample, Sat, 21 Nov 2026, 2:00 PM IST",
      ...{ stateCode: "29", minutes: 30, sac: "9992", sample: false, layout: 2 },
      ...{ customerStateCode: "29", gstPercent: 18, paidMethod: null, paidAt: null },
      ...{ customerCountry: null, paidReference: null },
      ...{ taxablePaise: 99_900, totalPaise: 117_900, tax: { cgst: 8_991, sgst: 8_991, igst: 0 } },
      roundOffPaise: 18,
    });
    expect(JSON.parse(supplier)).toEqual({
      ...{ brand: BRAND.name, name: "Briefing", address: "1 Road", state: "29" },
      ...{ gstin: "29ABCDE1234F1ZW", sac: "9992", cin: null, website: "captains.example" },
      ...{ email: business().email, phone: business().phone },
    });
  });

  it.each([
    ["29", "29", 0],
    ["27", "27", 17_982],
    [null, "29", 0],
    ["28", "29", 0],
    ["", "29", 0],
  ])("of state %j is supplied in %s, with IGST of %i", (stateCode, place, igst) => {
    const row = issue({ stateCode });
    expect([row.stateCode, row.tax.igst]).toEqual([place, igst]);
  });

  it("names the company in the customer's place", () => {
    const company = { name: "Sky Lines", gstin: "27AAPFU0939F1ZV", address: "4 Marine Drive" };
    expect(issue({ company })).toMatchObject({
      ...{ customerName: company.name, customerGstin: company.gstin },
      customerAddress: company.address,
    });
  });

  it("of a customer abroad charges IGST, and names who and where they are", () => {
    const abroad = { country: "Nepal", address: "1 Ring Road\nKathmandu", name: null };
    const row = issue({ stateCode: "96", abroad });
    expect(row).toMatchObject({
      ...{ stateCode: "96", customerStateCode: "96", customerCountry: "Nepal" },
      ...{ customerName: "Priya Raghunathan", customerAddress: abroad.address },
      tax: { cgst: 0, sgst: 0, igst: 17_982 },
    });
  });

  it.each([
    [{}, false, "AC", "29ABCDE1234F1ZW"],
    [{ sample: true }, true, "RC", null],
    [{ gstin: null }, true, "RC", null],
  ])("with %j is a sample: %s", (env, sample, series, gstin) => {
    const row = issue({}, env);
    expect([row.sample, row.series, JSON.parse(row.supplier).gstin]).toEqual([
      ...[sample, series, gstin],
    ]);
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
      ...{ ...invoice, supplier, kind: "credit_note", series: "CN" },
      description:
        "Refund of invoice AC/26-27/00001\nReason: agreed with the customer\nOne-on-one aviation career counselling, 30 minutes",
      ...{ number: "CN/26-27/00001", issuedAt: NOW + 1, refundId: "refund1" },
      ...{ invoiceNumber: invoice.number, invoiceDate: invoice.onDate },
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
        ...{ taxablePaise, totalPaise: paise, tax: { cgst: half, sgst: half, igst: 0 } },
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
      ...{ layout: 1, taxablePaise: 6, tax: { cgst: 0, sgst: 0, igst: 0 }, roundOffPaise: 1 },
      description: former.description,
    });
  });

  it("of a sample is a sample, and there is none without an invoice", () => {
    expect(credit(1)).toBeNull();
    issue({}, { sample: true });
    expect(credit(1)).toBe("RN/26-27/00001");
  });
});
