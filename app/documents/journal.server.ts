/** A month in double-entry bookkeeping: in each entry, debits and credits are equal. */
import { dateInIndia } from "#app/model/dates.ts";
import { withoutFormula } from "#app/model/text.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import type { Movement, Settlement } from "#db/queries/settlements.server.ts";

/** The names of the ledgers, which must exist in the accountant's program. */
export const LEDGERS = {
  customers: "Customers",
  sales: "Counselling Fees",
  igst: "Output IGST",
  cgst: "Output CGST",
  sgst: "Output SGST",
  roundOff: "Round Off",
  provider: "Razorpay",
  outside: "Cash and Bank",
  bank: "Bank",
  fees: "Payment Gateway Charges",
  feeTax: "Input GST",
  adjustments: "Razorpay Adjustments",
} as const;

type Ledger = keyof typeof LEDGERS;

export interface JournalLine {
  /** yyyy-MM-dd, in India. */
  date: string;
  voucher: string;
  ledger: (typeof LEDGERS)[Ledger];
  /** In paise; one of the two is 0. */
  debitPaise: number;
  creditPaise: number;
  narration: string;
}

export interface Books {
  /** Without samples. */
  documents: readonly GstDocument[];
  movements: readonly Movement[];
  settlements: readonly Settlement[];
}

/** Ordered by date, without lines of 0 paise. */
export function journalOf({ documents, movements, settlements }: Books): JournalLine[] {
  const entries = [
    ...documents.map(documentEntry),
    ...movements.flatMap((one) => [movementEntry(one), feeEntry(one)]),
    ...settlements.map(settlementEntry),
  ];
  return entries.flat().toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)));
}

/** `amounts` in paise: a positive one is a debit, a negative one a credit. */
function entry(
  { date, voucher, narration }: Pick<JournalLine, "date" | "voucher" | "narration">,
  amounts: readonly (readonly [Ledger, number])[],
): JournalLine[] {
  return amounts
    .filter(([, paise]) => paise !== 0)
    .map(([ledger, paise]) => ({
      date,
      voucher,
      ledger: LEDGERS[ledger],
      debitPaise: Math.max(0, paise),
      creditPaise: Math.max(0, -paise),
      narration,
    }));
}

function documentEntry(document: GstDocument): JournalLine[] {
  const { kind, number, onDate, invoiceNumber, tax, taxablePaise } = document;
  const sign = kind === "credit_note" ? -1 : 1;
  const narration =
    kind === "credit_note" ? `Credit note on invoice ${invoiceNumber}` : `Tax invoice ${number}`;
  return entry({ date: onDate, voucher: number, narration }, [
    ["customers", sign * document.totalPaise],
    ["sales", -sign * taxablePaise],
    ["igst", -sign * tax.igst],
    ["cgst", -sign * tax.cgst],
    ["sgst", -sign * tax.sgst],
    ["roundOff", -sign * document.roundOffPaise],
  ]);
}

function movementEntry(movement: Movement): JournalLine[] {
  const { kind, id, paymentId, at, amountPaise, isOutside, reference } = movement;
  const sign = kind === "refund" ? -1 : 1;
  const what = {
    payment: `Payment ${id}`,
    refund: `Refund of payment ${paymentId}`,
    reversal: `Refund of payment ${paymentId}, not carried out`,
  }[kind];
  const narration = reference ? `${what}, reference ${reference}` : what;
  const voucher = kind === "reversal" ? `${id} failed` : id;
  return entry({ date: dateInIndia(at), voucher, narration }, [
    [isOutside ? "outside" : "provider", sign * amountPaise],
    ["customers", -sign * amountPaise],
  ]);
}

function feeEntry({ id, at, feePaise, feeTaxPaise }: Movement): JournalLine[] {
  const narration = `Provider's fee of ${id}`;
  return entry({ date: dateInIndia(at), voucher: `${id} fee`, narration }, [
    ["fees", feePaise],
    ["feeTax", feeTaxPaise],
    ["provider", -feePaise - feeTaxPaise],
  ]);
}

function settlementEntry(settlement: Settlement): JournalLine[] {
  const { settlementId, utr, settledAt, bankPaise, adjustmentsPaise } = settlement;
  const { otherFeePaise, otherFeeTaxPaise } = settlement;
  const narration = `Settlement ${settlementId}${utr === null ? "" : `, UTR ${utr}`}`;
  return entry({ date: dateInIndia(settledAt), voucher: utr ?? settlementId, narration }, [
    ["bank", bankPaise],
    ["adjustments", -adjustmentsPaise],
    // Fees of payments are booked with the payments.
    ["fees", otherFeePaise],
    ["feeTax", otherFeeTaxPaise],
    ["provider", adjustmentsPaise - bankPaise - otherFeePaise - otherFeeTaxPaise],
  ]);
}

const CSV_HEAD = ["Journal Date", "Reference Number", "Notes", "Account", "Debit", "Credit"];

/** Under the column names of Zoho Books; UTF-8 with CRLF. */
export function journalCsv(lines: readonly JournalLine[]): string {
  const rows = lines.map((line) => [
    line.date,
    line.voucher,
    line.narration,
    line.ledger,
    rupees(line.debitPaise),
    rupees(line.creditPaise),
  ]);
  return [CSV_HEAD, ...rows].map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function rupees(paise: number): string {
  return paise === 0 ? "" : (paise / 100).toFixed(2);
}

function quoted(text: string): string {
  const safe = withoutFormula(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
