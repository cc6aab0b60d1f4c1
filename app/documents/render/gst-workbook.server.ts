/** The accountant's workbook of a month: register, summary, and the sheets of the portal's tool. */
import type { Filer } from "#app/core/services.ts";
import { codeWithState, faultOf, supplierOf } from "#app/documents/document-facts.ts";
import {
  type Books,
  type JournalLine,
  journalCsv,
  journalOf,
} from "#app/documents/journal.server.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { gstinFault } from "#app/model/gstin.ts";
import { formatMonth, type Month } from "#app/model/month.ts";
import { unknownCode } from "#app/model/unknown-code.ts";
import { paymentMethodLabel } from "#app/model/wording.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import type { Settlement } from "#db/queries/settlements.server.ts";
import { gstSheets } from "./gst-sheets.ts";
import { type GstMonth, readMonth, summarySheet } from "./gst-summary.server.ts";
import { netPaise, paidOn, signOf } from "./ledger-sums.ts";
import { readApart } from "./read-apart.server.ts";
import { date, money, text, userText } from "./workbook-cells.ts";
import { type Column, type Sheet, tableSheet, writeXlsx } from "./workbook-file.ts";

/** The workbook, or the journal as CSV. */
export function makeGstMonth(
  databasePath: string,
  month: Month,
  filer: Filer,
  format: "xlsx" | "csv",
): Buffer {
  const read = readApart(databasePath, (db) => readMonth(db, month));
  if (format === "csv") return Buffer.from(journalCsv(journalOf(booksOf(read))));
  return renderGstMonth(read, month, filer);
}

function booksOf({ documents, movements, settlementsInBooks: settlements }: GstMonth): Books {
  return { documents: documents.filter(({ sample }) => !sample), movements, settlements };
}

export function renderGstMonth(read: GstMonth, month: Month, filer: Filer): Buffer {
  const period = `${formatMonth(month.value)} (${month.value})`;
  const taxed = read.documents.filter((document) => !document.sample);
  const filers = filersOf(read.documents, filer);
  const gstins = filers.gstins.join(", ") || "No GSTIN: sample documents";
  const head = [filers.names.join(", "), gstins, period];
  const notes = notesOf(read, taxed);
  const above = [...head.map((line) => [text(line)]), [text(notes.join(" "))]];
  const sheets = gstSheets(taxed, read.numberedAmong);
  return writeXlsx(
    [
      tableSheet("Register", REGISTER, read.documents, { above }),
      summarySheet(read, sheets, [...head, ...notes]),
      settlementsSheet(read),
      tableSheet("Journal", JOURNAL, journalOf(booksOf(read))),
      ...sheets.map(({ sheet }) => sheet),
    ],
    { Title: `GST ${period}`, Author: filer.name },
  );
}

/** Paid to bank: payments and adjustments, less refunds and fees with their GST. */
const SETTLEMENTS: readonly Column<Settlement>[] = [
  ["Date", 13, (row) => date(dateInIndia(row.settledAt))],
  ["Settlement ID", 24, (row) => text(row.settlementId)],
  ["UTR", 24, (row) => text(row.utr)],
  ["Payments", 13, (row) => money(row.paymentsPaise)],
  ["Refunds", 13, (row) => money(row.refundsPaise)],
  ["Adjustments", 13, (row) => money(row.adjustmentsPaise)],
  ["Fees", 11, (row) => money(row.feePaise)],
  ["GST on fees", 12, (row) => money(row.feeTaxPaise)],
  ["Paid to bank", 14, (row) => money(row.bankPaise)],
];

/**
 * The month's settlements and below them, in the same columns, all money that no settlement had named
 * by the end of the month: its sum is what the provider owes.
 */
function settlementsSheet({ settlements, unsettled }: GstMonth): Sheet {
  const sheet = tableSheet("Settlements", SETTLEMENTS, settlements, { filter: false });
  const open = unsettled.map(({ kind, at, id, amountPaise, feePaise, feeTaxPaise }) => {
    const paise = kind === "refund" ? -amountPaise : amountPaise;
    return [
      date(dateInIndia(at)),
      text(id),
      undefined,
      money(kind === "payment" ? paise : 0),
      money(kind === "payment" ? 0 : -paise),
      undefined,
      money(feePaise),
      money(feeTaxPaise),
      money(paise - feePaise - feeTaxPaise),
    ];
  });
  const below =
    open.length === 0 ? [] : [[], [text("Not settled by the end of the month")], ...open];
  return { ...sheet, rows: [...sheet.rows, ...below] };
}

const JOURNAL: readonly Column<JournalLine>[] = [
  ["Date", 13, (line) => date(line.date)],
  ["Voucher", 24, (line) => text(line.voucher)],
  ["Ledger", 26, (line) => text(line.ledger)],
  ["Debit", 13, (line) => money(line.debitPaise || null)],
  ["Credit", 13, (line) => money(line.creditPaise || null)],
  ["Narration", 44, (line) => text(line.narration)],
];

/** The suppliers printed on the documents; in a month without documents, the configured one. */
function filersOf(documents: readonly GstDocument[], configured: Filer) {
  const kept = new Set(documents.map(({ supplier }) => supplier));
  const printed = [...kept].map((supplier) => supplierOf({ supplier }));
  const different = (texts: (string | null)[]) => [...new Set(texts.filter((text) => text))];
  return printed.length === 0
    ? { names: [configured.name], gstins: different([configured.gstin]) }
    : {
        names: different(printed.map(({ name }) => name)),
        gstins: different(printed.map(({ gstin }) => gstin)),
      };
}

/** Notes to read before adding anything up. */
function notesOf({ documents, undated }: GstMonth, taxed: readonly GstDocument[]): string[] {
  const samples = documents.filter((document) => document.sample);
  const faults = taxed.flatMap((document) => {
    const fault = faultOf(document);
    return fault === null ? [] : [`${document.number}: ${fault}`];
  });
  const byGstin = Map.groupBy(taxed, (document) => supplierOf(document).gstin);
  // Documents whose supplier has no GSTIN that can be read.
  byGstin.delete("");
  const issued = [...byGstin].map(([gstin, some]) => `${gstin} (${count(some)})`);
  return [
    documents.length === 0 && "No documents in this month.",
    samples.length > 0 &&
      `${count(samples)} headed SAMPLE (series ${seriesOf(samples)}): no tax documents, and in none of the tool's sheets.`,
    byGstin.size > 1 &&
      `Issued under more than one GSTIN, while each is filed by itself and the tool's sheets hold all: ${issued.join(", ")}.`,
    faults.length > 0 &&
      `${count(faults)} missing in the sums of the tool's sheets. ${faults.join(" ")}`,
    undated > 0 && `In the whole ledger ${undated} without a date that can be read, in no month.`,
  ].filter((note) => note !== false);
}

function count({ length }: readonly unknown[]): string {
  return length === 1 ? "1 document" : `${length} documents`;
}

function seriesOf(documents: readonly GstDocument[]): string {
  return [...new Set(documents.map(({ series }) => series))].join(", ");
}

/** Credit notes are negative and have no fee, because the provider returns none. */
const signed = (of: (document: GstDocument) => number) => (document: GstDocument) =>
  money(signOf(document) * of(document));
const fee = (of: (document: GstDocument) => number | null) => (document: GstDocument) =>
  money(document.kind === "invoice" ? of(document) : null);

function readableGstin({ customerGstin }: GstDocument): string | null {
  if (customerGstin === null || gstinFault(customerGstin) === null) return customerGstin;
  return unknownCode(customerGstin);
}

const REGISTER: readonly Column<GstDocument>[] = [
  ["Date", 13, (row) => date(row.onDate)],
  ["Document no.", 17, (row) => text(row.number)],
  ["Type", 12, (row) => text(row.kind === "invoice" ? "Invoice" : "Credit note")],
  ["Original invoice no.", 19, (row) => text(row.invoiceNumber)],
  ["Customer", 24, (row) => userText(row.customerName)],
  ["GSTIN", 18, (row) => text(readableGstin(row))],
  ["Place of supply", 20, (row) => text(codeWithState(row.stateCode))],
  ["SAC", 9, (row) => text(row.sac)],
  ["Taxable value", 14, signed((row) => row.taxablePaise)],
  ["IGST", 12, signed(({ tax }) => tax.igst)],
  ["CGST", 12, signed(({ tax }) => tax.cgst)],
  ["SGST", 12, signed(({ tax }) => tax.sgst)],
  ["Round-off", 11, signed((row) => row.roundOffPaise)],
  ["Total", 13, signed((row) => row.totalPaise)],
  ["Payment ID", 22, (row) => text(row.paymentId)],
  ["Method", 13, (row) => text(row.method && paymentMethodLabel(row.method))],
  ["Fee (without GST)", 17, fee((row) => row.feePaise)],
  ["Fee GST", 11, fee((row) => row.feeTaxPaise)],
  ["Net (Total less both)", 20, (row) => money(netPaise(row))],
  ["Paid on", 13, (row) => date(row.kind === "invoice" ? paidOn(row) : null)],
  ["Reference", 22, (row) => userText(row.kind === "invoice" ? row.paidReference : null)],
];
