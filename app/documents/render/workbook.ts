/** The workbook of a filter: the columns of its appointments, and the documents of its dates. */

import { codeWithState, stateName } from "#app/documents/document-facts.ts";
import { formatSlot } from "#app/model/dates.ts";
import { netOf } from "#app/model/money.ts";
import { GST_PERCENT, type Tax } from "#app/model/price.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import { paymentMethodWords } from "#app/model/wording.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";
import type { ExportRow } from "#db/queries/reports.server.ts";
import { date, instant, money, phone, text, userText, whole } from "./workbook-cells.ts";
import { type Column, type Sheet, tableSheet, writeXlsx } from "./workbook-file.ts";

/** As GSTR-1 table 13 names them. */
export const NATURE = {
  invoice: "Invoices for outward supply",
  credit_note: "Credit Note",
} as const;

export interface WorkbookInput {
  appointments: readonly ExportRow[];
  gstSummary: readonly GstSummaryRow[];
  documents: readonly DocumentsIssuedRow[];
  /** What the list shows for the filter. */
  revenuePaise: number;
  /** The filter in words. */
  filter: string;
}

/** Invoices less credit notes of one place of supply and rate: a line of GSTR-1 table 7. */
export interface GstSummaryRow {
  sample: boolean;
  stateCode: string;
  percent: number;
  invoices: number;
  creditNotes: number;
  taxablePaise: number;
  tax: Tax;
  totalPaise: number;
}

/** One series of one financial year: a line of GSTR-1 table 13. */
export interface DocumentsIssuedRow {
  sample: boolean;
  kind: LedgerDocument["kind"];
  series: string;
  financialYear: string;
  from: string;
  to: string;
  total: number;
  cancelled: number;
  net: number;
}

export type SummedDocument = Pick<
  LedgerDocument,
  "kind" | "sample" | "stateCode" | "gstPercent" | "taxablePaise" | "tax" | "totalPaise"
>;

/** Sums the given documents; the caller chose them by document date. */
export function gstSummary(documents: readonly SummedDocument[]): GstSummaryRow[] {
  const groups = new Map<string, GstSummaryRow>();
  for (const document of documents) {
    const percent = document.gstPercent;
    const key = `${document.sample}|${document.stateCode}|${percent}`;
    let row = groups.get(key);
    if (row === undefined) {
      row = emptySummary(document, percent);
      groups.set(key, row);
    }
    addTo(row, document);
  }
  return [...groups.values()].sort(
    (a, b) =>
      Number(a.sample) - Number(b.sample) ||
      stateName(a.stateCode).localeCompare(stateName(b.stateCode), "en") ||
      a.percent - b.percent,
  );
}

function emptySummary(document: SummedDocument, percent: number): GstSummaryRow {
  return {
    sample: document.sample,
    stateCode: document.stateCode,
    percent,
    invoices: 0,
    creditNotes: 0,
    taxablePaise: 0,
    tax: { cgst: 0, sgst: 0, igst: 0 },
    totalPaise: 0,
  };
}

function addTo(row: GstSummaryRow, document: SummedDocument): void {
  const sign = document.kind === "credit_note" ? -1 : 1;
  if (sign === 1) row.invoices += 1;
  else row.creditNotes += 1;
  row.taxablePaise += sign * document.taxablePaise;
  row.tax.cgst += sign * document.tax.cgst;
  row.tax.sgst += sign * document.tax.sgst;
  row.tax.igst += sign * document.tax.igst;
  row.totalPaise += sign * document.totalPaise;
}

export type NumberedDocument = Pick<
  LedgerDocument,
  "kind" | "sample" | "series" | "financialYear" | "serial" | "number"
>;

const seriesOf = ({ kind, series, financialYear }: NumberedDocument) =>
  `${kind}|${series}|${financialYear}`;

/**
 * First and last number per series. A number in between that no document carries counts as
 * cancelled, so that total less cancelled is what was issued; `others` are documents with such a
 * number that are not among those given.
 */
export function documentsIssued(
  documents: readonly NumberedDocument[],
  others: readonly NumberedDocument[] = [],
): DocumentsIssuedRow[] {
  const among = Map.groupBy(others, seriesOf);
  return [...Map.groupBy(documents, seriesOf)]
    .map(([series, group]) => seriesRow(group, among.get(series)?.length ?? 0))
    .sort(
      (a, b) =>
        Number(a.sample) - Number(b.sample) ||
        b.kind.localeCompare(a.kind, "en") ||
        a.financialYear.localeCompare(b.financialYear, "en") ||
        a.series.localeCompare(b.series, "en"),
    );
}

function seriesRow(group: readonly NumberedDocument[], others: number): DocumentsIssuedRow {
  const bySerial = [...group].sort((a, b) => a.serial - b.serial);
  const first = bySerial[0]!;
  const last = bySerial.at(-1)!;
  const total = last.serial - first.serial + 1;
  return {
    sample: first.sample,
    kind: first.kind,
    series: first.series,
    financialYear: first.financialYear,
    from: first.number,
    to: last.number,
    total,
    cancelled: total - group.length - others,
    net: group.length + others,
  };
}

const APPOINTMENT_COLUMNS: readonly Column<ExportRow>[] = [
  ["Appointment ID", 29, (row) => text(row.id)],
  ["Status", 16, (row) => text(row.status)],
  ["Session date", 13, (row) => date(row.date)],
  ["Time (IST)", 11, (row) => text(formatSlot(row.timeSlot))],
  ["Counselor", 22, (row) => text(row.counselor)],
  ["Package (min)", 14, (row) => whole(row.minutes)],
  ["Customer", 24, (row) => userText(row.name)],
  ["Email", 28, (row) => userText(row.email)],
  ["Phone", 16, (row) => phone(row.phone)],
  ["Base (₹)", 11, (row) => money(row.basePaise)],
  [`GST ${GST_PERCENT}% (₹)`, 12, (row) => money(row.gstPaise)],
  ["Total (₹)", 11, (row) => money(row.totalPaise)],
  ["Payment ID", 22, (row) => text(row.paymentId)],
  ["Payment method", 16, (row) => text(row.method && paymentMethodWords(row.method))],
  [
    "Refunded (₹)",
    13,
    (row) => money(row.paidPaise === null ? null : refundedPaise(row, row.paidPaise)),
  ],
  ["Kept (₹)", 11, (row) => money(row.paidPaise === null ? null : row.keptPaise)],
  ["Fee (without GST) (₹)", 20, (row) => money(row.feePaise)],
  ["Fee GST (₹)", 12, (row) => money(row.feeTaxPaise)],
  ["Net (Kept less both) (₹)", 23, (row) => money(netPaise(row))],
  ["Invoice no.", 17, (row) => text(row.invoiceNumber)],
  ["Invoice date", 13, (row) => date(row.invoiceDate)],
  ["Credit note no.", 17, (row) => text(row.creditNoteNumber)],
  ["Credit note date", 16, (row) => date(row.creditNoteDate)],
  ["Place of supply", 20, (row) => text(row.placeOfSupply && codeWithState(row.placeOfSupply))],
  ["CGST", 10, (row) => money(row.cgstPaise)],
  ["SGST", 10, (row) => money(row.sgstPaise)],
  ["IGST", 10, (row) => money(row.igstPaise)],
  ["Created at (IST)", 18, (row) => instant(row.createdAt)],
  ["Notes", 40, (row) => userText(row.notes)],
  ["Attendance", 12, (row) => text(row.attendance)],
  ["Source", 9, (row) => text(row.source)],
  // Last, so that the columns before keep their letters.
  [`${TAKEN_BACK} (₹)`, 25, (row) => money(row.paidPaise === null ? null : row.takenBackPaise)],
];

function refundedPaise({ keptPaise, takenBackPaise }: ExportRow, paidPaise: number): number {
  return paidPaise - keptPaise - takenBackPaise;
}

function netPaise({ keptPaise, ...fee }: ExportRow): number | null {
  return netOf({ ...fee, amountPaise: keptPaise });
}

const SUMMARY_COLUMNS: readonly Column<GstSummaryRow>[] = [
  ["Type", 10, (row) => text(row.sample ? "SAMPLE" : "OE")],
  ["Place of supply", 22, (row) => text(codeWithState(row.stateCode))],
  ["Rate (%)", 10, (row) => whole(row.percent)],
  ["Invoices", 10, (row) => whole(row.invoices)],
  ["Credit notes", 13, (row) => whole(row.creditNotes)],
  ["Taxable value (₹)", 18, (row) => money(row.taxablePaise)],
  ["CGST (₹)", 13, (row) => money(row.tax.cgst)],
  ["SGST/UTGST (₹)", 16, (row) => money(row.tax.sgst)],
  ["IGST (₹)", 13, (row) => money(row.tax.igst)],
  ["Total (₹)", 14, (row) => money(row.totalPaise)],
];

const DOCUMENT_COLUMNS: readonly Column<DocumentsIssuedRow>[] = [
  ["Nature of document", 36, (row) => text(natureOf(row))],
  ["Series", 10, (row) => text(row.series)],
  ["Financial year", 15, (row) => text(row.financialYear)],
  ["From", 17, (row) => text(row.from)],
  ["To", 17, (row) => text(row.to)],
  ["Total", 9, (row) => whole(row.total)],
  ["Cancelled", 11, (row) => whole(row.cancelled)],
  ["Net issued", 12, (row) => whole(row.net)],
];

export function renderXlsx(input: WorkbookInput): Buffer {
  const sheets = [
    tableSheet("Appointments", APPOINTMENT_COLUMNS, input.appointments),
    tableSheet("GST summary", SUMMARY_COLUMNS, input.gstSummary),
    tableSheet("Documents issued", DOCUMENT_COLUMNS, input.documents),
    totalsSheet(input),
  ];
  return writeXlsx(sheets, { Title: "Appointments", Subject: input.filter });
}

/** The money of the rows beside the revenue that the list shows under the same filter. */
function totalsSheet({ appointments, revenuePaise }: WorkbookInput): Sheet {
  const sum = (of: (row: ExportRow) => number) =>
    appointments.reduce((all, row) => all + of(row), 0);
  const paid = sum((row) => row.paidPaise ?? 0);
  const kept = sum((row) => row.keptPaise);
  const taken = sum((row) => row.takenBackPaise);
  const net = sum((row) => netPaise(row) ?? 0);
  const unknown = sum((row) => (netPaise(row) === null ? row.keptPaise : 0));
  const rows = [
    ["Money of the rows, by session date", "Amount (₹)"].map(text),
    [text("Paid"), money(paid)],
    [text("Refunded, or to go back"), money(kept + taken - paid)],
    [text(TAKEN_BACK), money(-taken)],
    [text("Kept"), money(kept)],
    [text("Revenue of the list under the same filters"), money(revenuePaise)],
    [text("Difference"), money(revenuePaise - kept)],
    [text("Provider's fees without GST, where known"), money(-sum((row) => row.feePaise ?? 0))],
    [text("GST on these fees"), money(-sum((row) => row.feeTaxPaise ?? 0))],
    [text("Net (Kept less both), where the fee is known"), money(net)],
    [text("Kept where the fee is not known"), money(unknown)],
  ];
  return { name: "Totals", rows, header: 0, widths: [44, 16] };
}

function natureOf(row: DocumentsIssuedRow): string {
  return row.sample ? `${NATURE[row.kind]} (SAMPLE)` : NATURE[row.kind];
}
