/** The accountant's workbook of a month: register, summary, and the sheets of the portal's tool. */
import type { Filer } from "#app/core/services.ts";
import { codeWithState, faultOf, supplierOf } from "#app/documents/document-facts.ts";
import { gstinFault } from "#app/model/gstin.ts";
import { netOf } from "#app/model/money.ts";
import { formatMonth, type Month } from "#app/model/month.ts";
import { leftOf, TAKEN_BACK } from "#app/model/refund.ts";
import { unknownCode } from "#app/model/unknown-code.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import type { Db } from "#db/connection.server.ts";
import { readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong } from "#db/queries/documents.server.ts";
import {
  countUndatedDocuments,
  type DocumentSum,
  type GstDocument,
  type LedgerParts,
  listGstDocuments,
  listSessionPayments,
  readLedgerParts,
  type SessionPayment,
} from "#db/queries/reports.server.ts";
import { readApart } from "./export-file.server.ts";
import { gstSheets } from "./gst-sheets.ts";
import { signOf } from "./ledger-sums.ts";
import { type Cell, date, money, text, userText, whole } from "./workbook-cells.ts";
import { type Column, type Sheet, tableSheet, writeXlsx } from "./workbook-file.ts";

export function makeGstMonth(databasePath: string, month: Month, filer: Filer): Buffer {
  return renderGstMonth(
    readApart(databasePath, (db) => readMonth(db, month)),
    month,
    filer,
  );
}

type GstMonth = ReturnType<typeof readMonth>;

function readMonth(db: Db, { from, to }: Month) {
  const range = { startDate: from, endDate: to };
  const { stats } = readAppointmentPage(db, range, { page: 1, pageSize: 1 });
  return {
    documents: listGstDocuments(db, from, to),
    undated: countUndatedDocuments(db),
    numberedAmong: listNumberedAmong(db, from, to),
    parts: readLedgerParts(db, from, to),
    payments: listSessionPayments(db, from, to),
    /** As the list shows it for the same dates. */
    revenuePaise: Math.round(stats.totalRevenue * 100),
  };
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
      ...sheets.map(({ sheet }) => sheet),
    ],
    { Title: `GST ${period}`, Author: filer.name },
  );
}

/** The suppliers as the documents print them; in a month without documents, today's. */
function filersOf(documents: readonly GstDocument[], now: Filer) {
  const kept = new Set(documents.map(({ supplier }) => supplier));
  const printed = [...kept].map((supplier) => supplierOf({ supplier }));
  const different = (texts: (string | null)[]) => [...new Set(texts.filter((text) => text))];
  return printed.length === 0
    ? { names: [now.name], gstins: different([now.gstin]) }
    : {
        names: different(printed.map(({ name }) => name)),
        gstins: different(printed.map(({ gstin }) => gstin)),
      };
}

/** What a reader must know before adding anything up. */
function notesOf({ documents, undated }: GstMonth, taxed: readonly GstDocument[]): string[] {
  const samples = documents.filter((document) => document.sample);
  const faults = taxed.flatMap((document) => {
    const fault = faultOf(document);
    return fault === null ? [] : [`${document.number}: ${fault}`];
  });
  const byGstin = Map.groupBy(taxed, (document) => supplierOf(document).gstin);
  // Suppliers that cannot be read.
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

function netPaise(document: GstDocument): number | null {
  const { kind, totalPaise: amountPaise } = document;
  return kind === "credit_note" ? -amountPaise : netOf({ ...document, amountPaise });
}

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
  ["Method", 13, (row) => text(row.method && paymentMethodWords(row.method))],
  ["Fee (without GST)", 17, fee((row) => row.feePaise)],
  ["Fee GST", 11, fee((row) => row.feeTaxPaise)],
  ["Net (Total less both)", 20, (row) => money(netPaise(row))],
];

function summarySheet(read: GstMonth, sheets: ReturnType<typeof gstSheets>, head: string[]): Sheet {
  const rows: Cell[][] = [...head.map((line) => [text(line)]), []];
  const line = (label: string, ...cells: Cell[]) => rows.push([text(label), ...cells]);
  rows.push(
    ["Sheet", "Taxable value", "Tax as the tool computes it", "Tax charged", "Difference"].map(
      text,
    ),
  );
  for (const { sheet, taxablePaise, toolTaxPaise, taxPaise } of sheets) {
    if (sheet.name === "docs") continue;
    const amounts = [taxablePaise, toolTaxPaise, taxPaise, taxPaise - toolTaxPaise];
    line(sheet.name, ...amounts.map(money));
  }
  rows.push([]);

  const sum = (some: readonly GstDocument[], of: (document: GstDocument) => number) =>
    some.reduce((all, document) => all + of(document), 0);
  const invoices = read.documents.filter(({ kind }) => kind === "invoice");
  const known = invoices.filter(({ feePaise }) => feePaise !== null);
  const unknown = invoices.filter(({ feePaise }) => feePaise === null);
  const fees = (label: string, some: GstDocument[], of: (one: GstDocument) => number | null) =>
    line(label, whole(some.length), money(sum(some, (one) => of(one) ?? 0)));
  rows.push(["Provider's fees", "Invoices", "Amount"].map(text));
  fees("Total of invoices whose fee is known", known, (one) => one.totalPaise);
  fees("Fee without GST", known, (one) => -(one.feePaise ?? 0));
  fees("GST on the fee", known, (one) => -(one.feeTaxPaise ?? 0));
  fees("Net (Total less both)", known, netPaise);
  fees("Fee not known yet", unknown, (one) => one.totalPaise);
  rows.push([]);

  const total = sum(read.documents, (one) => signOf(one) * one.totalPaise);
  rows.push(["From the ledger to the list's revenue", "Count", "Amount"].map(text));
  line("Total of the register, by document date", whole(read.documents.length), money(total));
  const bridge = bridgeLines(read.parts, read.payments);
  for (const { label, count, paise } of bridge) line(label, whole(count), money(paise));
  const reached = total + bridge.reduce((all, { paise }) => all + paise, 0);
  line("Together", undefined, money(reached));
  line("Revenue of the list, by session date", undefined, money(read.revenuePaise));
  line("Difference", undefined, money(read.revenuePaise - reached));
  return { name: "Summary", rows, widths: [50, 15, 26, 15, 13] };
}

// The bridge leads from the ledger's total of a month (by document date, all documents) to the
// list's revenue of the same dates (by session date, existing appointments). Each line is counted
// separately, none as the rest: if something is missing, the ends differ.

/** From the third line on, about this month's sessions. */
export function bridgeLines(parts: LedgerParts, payments: readonly SessionPayment[]) {
  const invoiced = payments.filter(isInvoiced);
  const refunds = invoiced.flatMap((payment) => payment.refunds);
  const takenOff = ({ count, paise }: DocumentSum): DocumentSum => ({ count, paise: -paise });
  const uncredited = sumOf(refunds, (one) =>
    one.counts ? (one.creditedPaise ?? 0) - one.amountPaise : 0,
  );
  const credited = sumOf(refunds, (one) => (one.counts ? 0 : (one.creditedPaise ?? 0)));
  const takenBack = sumOf(invoiced, (one) => -one.takenBackPaise);
  const beyond = sumOf(invoiced, (one) => one.amountPaise - one.invoicePaise);
  const kept = sumOf(payments, (one) => (isInvoiced(one) ? 0 : leftOf(one, one.refunds)));
  return [
    { label: "Documents of appointments deleted since", ...takenOff(parts.deleted) },
    { label: "Documents for sessions of other months", ...takenOff(parts.otherSessions) },
    { label: "Documents of other months for sessions of this one", ...parts.otherDates },
    { label: "Refunds wanted and not credited yet", ...uncredited },
    { label: "Credit notes of refunds that count no more", ...credited },
    { label: TAKEN_BACK, ...takenBack },
    { label: "Paid beyond the invoice", ...beyond },
    { label: "Kept of payments without an invoice", ...kept },
  ];
}

type Invoiced = SessionPayment & { invoicePaise: number };

function isInvoiced(payment: SessionPayment): payment is Invoiced {
  return payment.invoicePaise !== null;
}

function sumOf<T>(rows: readonly T[], paiseOf: (row: T) => number): DocumentSum {
  const amounts = rows.map(paiseOf).filter((paise) => paise !== 0);
  return { count: amounts.length, paise: amounts.reduce((sum, paise) => sum + paise, 0) };
}
