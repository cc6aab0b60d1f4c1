/**
 * The accountant's workbook of a made month, every sheet whole against a golden file: each kind of
 * document, money of an earlier month and outside, abroad, settlements and journal. After a wanted
 * change: `vitest run app/documents/render/golden-month.test.ts -u`, and read the difference.
 */
import { expect, it } from "vitest";
import { chargeOf, creditOf, NOTHING } from "#app/documents/charge.ts";
import { instantOf } from "#app/model/dates.ts";
import { priceOf } from "#app/model/money.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import type { Movement } from "#db/queries/settlements.server.ts";
import { gstBook, textOf } from "#tests/support/gst-month.ts";
import { gstDocument } from "#tests/support/ledger-rows.ts";

const FILER = { name: "Captain's Briefing Private Limited", gstin: "29ABCDE1234F1ZW" };
const at = (day: string) => instantOf(day, "12:00");

let serial = 0;

/** An invoice of ₹1,179 of the second layout, paid by UPI on its date unless the changes say so. */
function invoice(onDate: string, changes: Partial<GstDocument> = {}): GstDocument {
  serial += 1;
  const number = `AC/26-27/0000${serial}`;
  const isWithin = (changes.stateCode ?? "29") === "29";
  const paid = {
    paymentId: `pay_${serial}`,
    paidAt: at(onDate),
    paidReference: `43391234567${serial}`,
  };
  return {
    ...gstDocument({ number, serial, onDate, layout: 2, feePaise: 2_358, feeTaxPaise: 424 }),
    ...paid,
    ...chargeOf(priceOf(999), isWithin),
    ...changes,
  };
}

function creditNote(of: GstDocument, onDate: string, paise: number): GstDocument {
  const number = of.number.replace("AC/", "CN/");
  const credit = creditOf(of, NOTHING, paise)!;
  return {
    ...of,
    ...credit,
    kind: "credit_note",
    series: "CN",
    number,
    onDate,
    invoiceNumber: of.number,
  };
}

const NO_FEE = { feePaise: 0, feeTaxPaise: 0 };
const consumer = invoice("2026-11-02");
const elsewhere = invoice("2026-11-03", { stateCode: "27" });
const company = invoice("2026-11-04", {
  stateCode: "27",
  customerGstin: "27AAPFU0939F1ZV",
  customerName: "Sky Lines Pvt. Ltd.",
});
const former = invoice("2026-11-05", {
  layout: 1,
  tax: { cgst: 9_000, sgst: 9_000, igst: 0 },
  roundOffPaise: 0,
});
const abroad = invoice("2026-11-06", {
  stateCode: "96",
  customerCountry: "Nepal",
  method: "card",
  international: 1,
});
const cash = invoice("2026-11-07", {
  ...NO_FEE,
  method: "cash",
  paymentId: "offline_abcdefgh",
  paidReference: "R-17",
  paidAt: at("2026-10-28"),
});
const sample = invoice("2026-11-08", { number: "RC/26-27/00001", series: "RC", sample: true });
const unknownFee = invoice("2026-11-09", { feePaise: null, feeTaxPaise: null });
const invoices = [consumer, elsewhere, company, former, abroad, cash, unknownFee];
const notes = [
  creditNote(company, "2026-11-20", 58_950),
  creditNote(former, "2026-11-21", 117_900),
  creditNote(abroad, "2026-11-22", 117_900),
];

const payments = invoices
  .filter((one) => one !== cash)
  .map(
    (one): Movement => ({
      kind: "payment",
      id: one.paymentId,
      paymentId: one.paymentId,
      amountPaise: one.totalPaise,
      feePaise: one.feePaise ?? 0,
      feeTaxPaise: one.feeTaxPaise ?? 0,
      reference: one.paidReference,
      at: one.paidAt!,
      isOutside: 0,
    }),
  );
const refunds = notes.map(
  (one): Movement => ({
    ...NO_FEE,
    kind: "refund",
    id: one.number.replace("CN/26-27/", "rfnd_"),
    paymentId: one.paymentId,
    amountPaise: one.totalPaise,
    reference: null,
    at: at(one.onDate),
    isOutside: 0,
  }),
);

const settlements = [
  {
    settlementId: "setl_1",
    utr: "AXIS0001",
    settledAt: at("2026-11-10"),
    paymentsPaise: 353_700,
    refundsPaise: 58_950,
    adjustmentsPaise: -1_000,
    feePaise: 7_074,
    feeTaxPaise: 1_272,
    otherFeePaise: 0,
    otherFeeTaxPaise: 0,
    bankPaise: 285_404,
  },
];

it("is what the golden file says", async () => {
  const more = {
    settlements,
    settlementsInBooks: settlements,
    unsettled: [payments.find(({ id }) => id === unknownFee.paymentId)!, refunds.at(-1)!],
    movements: [...payments, ...refunds],
  };
  const book = gstBook([...invoices, sample, ...notes], more, FILER);
  await expect(textOf(book)).toMatchFileSnapshot("golden/month.txt");
});
