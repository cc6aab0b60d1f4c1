import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceOf } from "#app/model/money.ts";
import { type Charge, chargeOf, creditOf, type Invoiced, NOTHING } from "./charge.ts";

const columns = ({ taxablePaise, tax, roundOffPaise, totalPaise }: Charge) => [
  ...[taxablePaise, tax.cgst, tax.sgst, tax.igst, roundOffPaise, totalPaise],
];

function sumOf(charges: readonly Charge[]): Charge {
  const total = (of: (charge: Charge) => number) =>
    charges.reduce((sum, charge) => sum + of(charge), 0);
  return {
    taxablePaise: total((charge) => charge.taxablePaise),
    tax: {
      cgst: total(({ tax }) => tax.cgst),
      sgst: total(({ tax }) => tax.sgst),
      igst: total(({ tax }) => tax.igst),
    },
    roundOffPaise: total((charge) => charge.roundOffPaise),
    totalPaise: total((charge) => charge.totalPaise),
  };
}

/** The credit notes of successive refunds, the last of which takes what is left. */
function creditAll(invoice: Invoiced, parts: readonly number[]): Charge[] {
  const notes: Charge[] = [];
  for (const paise of [...parts, invoice.totalPaise]) {
    const note = creditOf(invoice, sumOf(notes), paise);
    if (note) notes.push(note);
  }
  return notes;
}

const bases = fc.oneof(fc.constantFrom(999, 1299, 1499), fc.integer({ min: 1, max: 40_000 }));
const refunds = fc.array(
  fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 90_000 })),
  { maxLength: 12 },
);

const invoiceOf = (base: number, isWithin: boolean): Invoiced => ({
  ...chargeOf(priceOf(base), isWithin),
  layout: 2,
  gstPercent: 18,
});

/** As the first layout had it: tax rounded to the rupee. */
function formerInvoiceOf(base: number, isWithin: boolean): Invoiced {
  const { basePaise: taxablePaise, gstPaise: gst, totalPaise } = priceOf(base);
  const tax = isWithin
    ? { cgst: gst / 2, sgst: gst / 2, igst: 0 }
    : { cgst: 0, sgst: 0, igst: gst };
  return { taxablePaise, tax, roundOffPaise: 0, totalPaise, layout: 1, gstPercent: 18 };
}

describe("an invoice", () => {
  it.each([
    [999, [99_900, 8_991, 8_991, 0, 18, 117_900], [99_900, 0, 0, 17_982, 18, 117_900]],
    [1_299, [129_900, 11_691, 11_691, 0, 18, 153_300], [129_900, 0, 0, 23_382, 18, 153_300]],
    [1_499, [149_900, 13_491, 13_491, 0, 18, 176_900], [149_900, 0, 0, 26_982, 18, 176_900]],
    [1, [100, 9, 9, 0, -18, 100], [100, 0, 0, 18, -18, 100]],
  ])(
    "of ₹%i has its tax to the paisa, within the state and outside it",
    (base, within, outside) => {
      expect(columns(chargeOf(priceOf(base), true))).toEqual(within);
      expect(columns(chargeOf(priceOf(base), false))).toEqual(outside);
    },
  );

  it("of any price rounds off half a rupee at most", () => {
    fc.assert(
      fc.property(bases, fc.boolean(), (base, isWithin) => {
        const { tax, roundOffPaise, taxablePaise } = chargeOf(priceOf(base), isWithin);
        expect(Math.abs(roundOffPaise)).toBeLessThanOrEqual(50);
        expect(100 * (tax.cgst + tax.sgst + tax.igst)).toBe(18 * taxablePaise);
      }),
    );
  });
});

describe("the credit notes of any sequence of refunds", () => {
  it.each([
    ["now", invoiceOf],
    ["in the first layout", formerInvoiceOf],
  ])("tie, keep the halves equal, and are the invoice in the end, %s", (_, made) => {
    fc.assert(
      fc.property(bases, fc.boolean(), refunds, (base, isWithin, parts) => {
        const invoice = made(base, isWithin);
        const notes = creditAll(invoice, parts);
        for (const { taxablePaise, tax, roundOffPaise, totalPaise } of notes) {
          expect(taxablePaise + tax.cgst + tax.sgst + tax.igst + roundOffPaise).toBe(totalPaise);
          expect(totalPaise).toBeGreaterThan(0);
          expect(tax.cgst).toBe(tax.sgst);
          for (const part of [taxablePaise, tax.cgst, tax.igst]) {
            expect(part).toBeGreaterThanOrEqual(0);
          }
          // The table of the ledger refuses more.
          expect(Math.abs(roundOffPaise)).toBeLessThanOrEqual(invoice.layout === 1 ? 1 : 60);
          if (invoice.layout === 1) continue;
          const exact = (taxablePaise * 18) / 100;
          expect(Math.abs(tax.cgst + tax.sgst + tax.igst - exact)).toBeLessThanOrEqual(2);
        }
        const { layout: _layout, gstPercent: _percent, ...whole } = invoice;
        expect(columns(sumOf(notes))).toEqual(columns(whole));
        expect(creditOf(invoice, sumOf(notes), 1)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it("round off the paisa that one rupee's tax cannot halve, and take it back later", () => {
    const invoice = formerInvoiceOf(1299, true);
    const notes = creditAll(invoice, [100, 100]);
    expect(notes.slice(0, 2).map(columns)).toEqual([
      [85, 7, 7, 0, 1, 100],
      [84, 8, 8, 0, 0, 100],
    ]);
    expect(columns(creditOf(invoice, NOTHING, 999_999)!)).toEqual(columns(invoice));
  });
});
