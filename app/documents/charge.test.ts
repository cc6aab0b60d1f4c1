import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceOf } from "#app/model/price.ts";
import { type Charge, chargeOf, creditOf, NOTHING } from "./charge.ts";

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

/** The notes of one refund after the other, the last of which takes what is left. */
function creditAll(invoice: Charge, parts: readonly number[]): Charge[] {
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
  {
    maxLength: 12,
  },
);

describe("an invoice", () => {
  it("has the rounded tax in two equal halves within the state, as one outside it", () => {
    const price = priceOf(999);
    expect(columns(chargeOf(price.totalPaise, price, true))).toEqual([
      ...[99_900, 9_000, 9_000, 0, 0, 117_900],
    ]);
    expect(columns(chargeOf(price.totalPaise, price, false))).toEqual([
      ...[99_900, 0, 0, 18_000, 0, 117_900],
    ]);
  });
});

describe("the credit notes of any sequence of refunds", () => {
  it("tie, keep the halves equal, and never come to more than the invoice", () => {
    fc.assert(
      fc.property(bases, fc.boolean(), refunds, (base, within, parts) => {
        const price = priceOf(base);
        const invoice = chargeOf(price.totalPaise, price, within);
        const notes = creditAll(invoice, parts);
        for (const [index, note] of notes.entries()) {
          const { taxablePaise, tax, roundOffPaise, totalPaise } = note;
          expect(taxablePaise + tax.cgst + tax.sgst + tax.igst + roundOffPaise).toBe(totalPaise);
          expect(totalPaise).toBeGreaterThan(0);
          expect(tax.cgst).toBe(tax.sgst);
          expect(within ? tax.igst : tax.cgst + Math.abs(roundOffPaise)).toBe(0);
          expect(Math.abs(roundOffPaise)).toBeLessThanOrEqual(1);
          for (const part of [taxablePaise, tax.cgst, tax.igst]) {
            expect(part).toBeGreaterThanOrEqual(0);
          }
          // Between two notes the odd paisa may be on its way.
          const so = sumOf(notes.slice(0, index + 1));
          const most = columns({ ...invoice, roundOffPaise: 1 });
          for (const [i, column] of columns(so).entries()) {
            expect(column).toBeLessThanOrEqual(most[i]!);
          }
        }
        expect(columns(sumOf(notes))).toEqual(columns(invoice));
        expect(creditOf(invoice, sumOf(notes), 1)).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  it("round off the paisa that one rupee's tax cannot halve, and take it back later", () => {
    const price = priceOf(1299);
    const invoice = chargeOf(price.totalPaise, price, true);
    const notes = creditAll(invoice, [100, 100]);
    expect(notes.slice(0, 2).map(columns)).toEqual([
      [85, 7, 7, 0, 1, 100],
      [84, 8, 8, 0, 0, 100],
    ]);
    expect(creditOf(invoice, NOTHING, 999_999)).toEqual(invoice);
  });
});
