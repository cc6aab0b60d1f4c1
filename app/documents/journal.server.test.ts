/** A month's double entries: balanced, and the same sums as documents, money and settlements. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { priceOf } from "#app/model/money.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import type { Movement, Settlement } from "#db/queries/settlements.server.ts";
import { gstDocument } from "#tests/support/ledger-rows.ts";
import { chargeOf, creditOf, NOTHING } from "./charge.ts";
import { type JournalLine, journalCsv, journalOf, LEDGERS } from "./journal.server.ts";

const AT = Date.UTC(2026, 10, 20, 6);

function movementOf(changes: Partial<Movement>): Movement {
  const money = { amountPaise: 117_900, feePaise: 0, feeTaxPaise: 0, isOutside: 0 };
  return {
    kind: "payment",
    id: "pay_1",
    paymentId: "pay_1",
    ...money,
    reference: null,
    at: AT,
    ...changes,
  };
}

const SETTLEMENT: Settlement = {
  settlementId: "setl_1",
  utr: "AXIS1",
  settledAt: AT,
  paymentsPaise: 117_900,
  refundsPaise: 0,
  adjustmentsPaise: -1_000,
  feePaise: 2_458,
  feeTaxPaise: 442,
  otherFeePaise: 100,
  otherFeeTaxPaise: 18,
  bankPaise: 114_000,
};

const sumOf = (lines: readonly JournalLine[], ledger: keyof typeof LEDGERS) =>
  lines
    .filter((line) => line.ledger === LEDGERS[ledger])
    .reduce((sum, { debitPaise, creditPaise }) => sum + debitPaise - creditPaise, 0);

describe("the journal", () => {
  /** The other ledgers stand in `render/golden/month.txt`. */
  it("books a settlement with what it took beside the fees of payments", () => {
    const lines = journalOf({ documents: [], movements: [], settlements: [SETTLEMENT] });
    const entry = lines.map((line) => [line.ledger, line.debitPaise - line.creditPaise]);
    expect(entry).toEqual([
      ["Bank", 114_000],
      ["Razorpay Adjustments", 1_000],
      ["Payment Gateway Charges", 100],
      ["Input GST", 18],
      ["Razorpay", -115_118],
    ]);
  });

  it("books money outside and paid back by hand apart from the provider's", () => {
    const lines = journalOf({
      documents: [],
      settlements: [],
      movements: [
        movementOf({ isOutside: 1 }),
        movementOf({ kind: "refund", id: "r1", isOutside: 1, amountPaise: 50_000 }),
      ],
    });
    expect(sumOf(lines, "outside")).toBe(67_900);
    expect(sumOf(lines, "customers")).toBe(-67_900);
    expect(sumOf(lines, "provider")).toBe(0);
  });

  it("of any month is balanced in each entry, and ties with documents and money", () => {
    const invoice = fc.record({
      base: fc.integer({ min: 1, max: 40_000 }),
      isWithin: fc.boolean(),
      back: fc.integer({ min: 0, max: 5_000_000 }),
    });
    fc.assert(
      fc.property(fc.array(invoice, { maxLength: 8 }), (months) => {
        const documents = months.flatMap(({ base, isWithin, back }, n) => {
          const charge = chargeOf(priceOf(base), isWithin);
          const note = creditOf({ ...charge, layout: 2, gstPercent: 18 }, NOTHING, back);
          const made = gstDocument({ ...charge, number: `AC/${n}` });
          const credited = gstDocument({ ...note, kind: "credit_note", number: `CN/${n}` });
          return note ? [made, credited] : [made];
        });
        const movements = documents.map(({ kind, totalPaise, number }) =>
          movementOf({
            kind: kind === "invoice" ? "payment" : "refund",
            id: number,
            amountPaise: totalPaise,
            feePaise: kind === "invoice" ? Math.round(totalPaise / 50) : 0,
          }),
        );
        const lines = journalOf({ documents, movements, settlements: [] });
        for (const [, entry] of Map.groupBy(lines, ({ voucher }) => voucher)) {
          const all = entry.reduce((sum, one) => sum + one.debitPaise - one.creditPaise, 0);
          expect(all).toBe(0);
        }
        const signed = (of: (document: GstDocument) => number) =>
          documents.reduce((sum, one) => sum + (one.kind === "invoice" ? 1 : -1) * of(one), 0);
        expect(sumOf(lines, "sales")).toBe(0 - signed(({ taxablePaise }) => taxablePaise));
        expect(sumOf(lines, "igst")).toBe(0 - signed(({ tax }) => tax.igst));
        expect(sumOf(lines, "cgst")).toBe(0 - signed(({ tax }) => tax.cgst));
        expect(sumOf(lines, "roundOff")).toBe(0 - signed(({ roundOffPaise }) => roundOffPaise));
        expect(sumOf(lines, "customers")).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });

  it("as CSV has the columns of Zoho Books, and no formula", () => {
    const lines = journalOf({
      documents: [],
      movements: [movementOf({ id: "=1", amountPaise: 100, reference: 'say "a", b' })],
      settlements: [],
    });
    expect(journalCsv(lines)).toBe(
      "Journal Date,Reference Number,Notes,Account,Debit,Credit\r\n" +
        `2026-11-20,'=1,"Payment =1, reference say ""a"", b",Razorpay,1.00,\r\n` +
        `2026-11-20,'=1,"Payment =1, reference say ""a"", b",Customers,,1.00\r\n`,
    );
  });
});
