/** Random months of every kind of document: each sheet of the portal's tool ties with the others. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { chargeOf, creditOf, NOTHING } from "#app/documents/charge.ts";
import { priceOf } from "#app/model/money.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import { gstDocument } from "#tests/support/ledger-rows.ts";
import { gstSheets } from "./gst-sheets.ts";

const COMPANY = { customerGstin: "27AAPFU0939F1ZV", customerName: "Sky Lines Pvt. Ltd." };
const WHO: Record<string, Partial<GstDocument>> = {
  here: { stateCode: "29" },
  elsewhere: { stateCode: "27" },
  company: { stateCode: "27", ...COMPANY },
  abroad: { stateCode: "96", customerCountry: "Nepal" },
};

/** `back` in paise; 0: nothing. */
const sale = fc.record({
  base: fc.integer({ min: 1, max: 40_000 }),
  who: fc.constantFrom(...Object.keys(WHO)),
  back: fc.oneof(fc.constant(0), fc.integer({ min: 100, max: 5_000_000 })),
});

function documentsOf(sales: { base: number; who: string; back: number }[]): GstDocument[] {
  return sales.flatMap(({ base, who, back }, n) => {
    const number = `AC/26-27/${n + 1}`;
    const invoice: GstDocument = {
      ...gstDocument({ number, serial: n + 1, layout: 2 }),
      ...chargeOf(priceOf(base), who === "here"),
      ...WHO[who],
    };
    const credit = back === 0 ? null : creditOf(invoice, NOTHING, back);
    if (!credit) return [invoice];
    const note = { kind: "credit_note", series: "CN", invoiceNumber: number } as const;
    return [invoice, { ...invoice, ...credit, ...note, number: `CN/26-27/${n + 1}` }];
  });
}

const AMOUNTS = ["taxablePaise", "taxPaise"] as const;

it("of documents tie, sheet by sheet, with what was charged", () => {
  const property = fc.property(fc.array(sale, { minLength: 1, maxLength: 10 }), (sales) => {
    const documents = documentsOf(sales);
    const sheets = gstSheets(documents, []);
    const of = (name: string, amount: (typeof AMOUNTS)[number]) =>
      sheets.find(({ sheet }) => sheet.name === name)?.[amount] ?? 0;
    for (const amount of AMOUNTS) {
      const companies = of("b2b,sez,de", amount) - of("cdnr", amount);
      const consumers = of("b2cs", amount) + of("exp", amount) - of("cdnur", amount);
      expect(of("hsn(b2b)", amount)).toBe(companies);
      expect(of("hsn(b2c)", amount)).toBe(consumers);
      const charged = documents.reduce((sum, one) => {
        const tax = one.tax.igst + one.tax.cgst + one.tax.sgst;
        const paise = amount === "taxPaise" ? tax : one.taxablePaise;
        return sum + (one.kind === "invoice" ? paise : -paise);
      }, 0);
      expect(companies + consumers).toBe(charged);
    }
    const notes = documents.filter(({ kind }) => kind === "credit_note").length;
    for (const sheet of sheets) {
      // A paisa for each part note, and two where halves of a place are rounded apart.
      const difference = Math.abs(sheet.taxPaise - sheet.toolTaxPaise);
      expect(difference).toBeLessThanOrEqual(2 * notes + 1);
    }
  });
  fc.assert(property, { numRuns: 1_000 });
});

it("compares with a tool that rounds each half within the state, and the whole tax elsewhere", () => {
  const sale = gstDocument({ taxablePaise: 99_903, layout: 2 });
  const within = { ...sale, ...WHO.here, tax: { cgst: 8_991, sgst: 8_991, igst: 0 } };
  const elsewhere = { ...sale, ...WHO.elsewhere, tax: { cgst: 0, sgst: 0, igst: 17_983 } };
  const toolTaxOf = (one: GstDocument) =>
    gstSheets([one], []).find(({ sheet }) => sheet.name === "b2cs")?.toolTaxPaise;
  expect([within, elsewhere].map(toolTaxOf)).toEqual([17_982, 17_983]);
});
