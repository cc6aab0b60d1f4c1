/**
 * The workbook of a filtered list, read and written in a worker thread on its own connection, because
 * even reading the rows would block every visitor.
 */
import { readCatalogue } from "#app/catalogue/read.server.ts";
import { codeWithState } from "#app/documents/document-facts.ts";
import type { AppointmentFilter } from "#app/model/appointment.ts";
import { findCounselorByKey } from "#app/model/catalogue.ts";
import { formatDate, formatSlot } from "#app/model/dates.ts";
import { OUTSIDE_INDIA } from "#app/model/gstin.ts";
import { GST_PERCENT, netOf } from "#app/model/money.ts";
import { TAKEN_BACK } from "#app/model/refund.ts";
import {
  attendanceLabel,
  paymentMethodLabel,
  sourceLabel,
  statusLabel,
} from "#app/model/wording.ts";
import type { Db } from "#db/connection.server.ts";
import { listForExport, readAppointmentPage } from "#db/queries/appointment-list.server.ts";
import { listNumberedAmong, listSums } from "#db/queries/documents.server.ts";
import { type ExportRow, readExportRows } from "#db/queries/reports.server.ts";
import { documentsIssued, gstSummary, NATURE } from "./ledger-sums.ts";
import { readApart } from "./read-apart.server.ts";
import { date, instant, money, phone, text, userText, whole } from "./workbook-cells.ts";
import { type Column, type Sheet, tableSheet, writeXlsx } from "./workbook-file.ts";

export interface MadeExport {
  bytes: Uint8Array;
  /** Number of appointments. */
  rows: number;
}

/** Null for more than `most` appointments. Throws errors of SQLite. */
export function makeExport(
  databasePath: string,
  filter: AppointmentFilter,
  most: number,
): MadeExport | null {
  const input = readApart(databasePath, (db) => readWorkbook(db, filter, most));
  return input && { bytes: renderXlsx(input), rows: input.appointments.length };
}

export type WorkbookInput = NonNullable<ReturnType<typeof readWorkbook>>;

function readWorkbook(db: Db, filter: AppointmentFilter, most: number) {
  const seqs = listForExport(db, filter, most + 1);
  if (seqs.length > most) return null;
  const { startDate = "0000-00-00", endDate = "9999-99-99" } = filter;
  const { stats } = readAppointmentPage(db, filter, { page: 1, pageSize: 1 });
  return {
    appointments: readExportRows(db, seqs),
    /** Of the filter's dates, whatever else it says: a tax return needs all of them. */
    documents: listSums(db, startDate, endDate),
    others: listNumberedAmong(db, startDate, endDate),
    /** The revenue that the list shows under the same filter. */
    revenuePaise: Math.round(stats.totalRevenue * 100),
    filter: filterWords(db, filter),
  };
}

function filterWords(db: Db, filter: AppointmentFilter): string {
  const { startDate, endDate, counselorKey, statuses, minutes, attendance, refunded, q } = filter;
  const words = [
    startDate && `session date from ${formatDate(startDate)}`,
    endDate && `session date to ${formatDate(endDate)}`,
    counselorKey &&
      `counselor ${findCounselorByKey(readCatalogue(db), counselorKey)?.name ?? counselorKey}`,
    statuses && `status ${statuses.map(statusLabel).join(" or ")}`,
    minutes && `package ${minutes} minutes`,
    attendance && `attendance ${attendanceLabel(attendance).toLowerCase()}`,
    refunded && "with a refund",
    q && `search “${q}”`,
  ].filter(Boolean);
  return words.length === 0 ? "All appointments" : words.join(", ");
}

const APPOINTMENT_COLUMNS: readonly Column<ExportRow>[] = [
  ["Appointment ID", 29, (row) => text(row.id)],
  ["Status", 16, (row) => text(statusLabel(row.status))],
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
  ["Payment method", 16, (row) => text(row.method && paymentMethodLabel(row.method))],
  ["Refunded (₹)", 13, ifPaid((paid, row) => paid - row.keptPaise - row.takenBackPaise)],
  ["Kept (₹)", 11, ifPaid((_, row) => row.keptPaise)],
  ["Fee (without GST) (₹)", 20, (row) => money(row.feePaise)],
  ["Fee GST (₹)", 12, (row) => money(row.feeTaxPaise)],
  ["Net (Kept less both) (₹)", 23, (row) => money(netPaise(row))],
  ["Invoice no.", 17, (row) => text(row.invoiceNumber)],
  ["Invoice date", 13, (row) => date(row.invoiceDate)],
  ["Credit note no.", 17, (row) => text(row.creditNoteNumbers)],
  ["Credit note date", 16, (row) => date(row.creditNoteDate)],
  ["Place of supply", 20, (row) => text(row.placeOfSupply && codeWithState(row.placeOfSupply))],
  ["CGST", 10, (row) => money(row.cgstPaise)],
  ["SGST", 10, (row) => money(row.sgstPaise)],
  ["IGST", 10, (row) => money(row.igstPaise)],
  ["Created at (IST)", 18, (row) => instant(row.createdAt)],
  ["Notes", 40, (row) => userText(row.notes)],
  ["Attendance", 12, (row) => text(row.attendance && attendanceLabel(row.attendance))],
  ["Source", 9, (row) => text(sourceLabel(row.source))],
  // Added last, so that the columns before keep their letters.
  [`${TAKEN_BACK} (₹)`, 25, ifPaid((_, row) => row.takenBackPaise)],
  ["Payment reference", 22, (row) => userText(row.paymentReference)],
  ["Round-off (₹)", 13, (row) => money(row.roundOffPaise)],
];

/** No cell where nothing was paid. */
function ifPaid(of: (paidPaise: number, row: ExportRow) => number) {
  return (row: ExportRow) => money(row.paidPaise === null ? null : of(row.paidPaise, row));
}

function netPaise({ keptPaise, ...fee }: ExportRow): number | null {
  return netOf({ ...fee, amountPaise: keptPaise });
}

const SUMMARY_COLUMNS: readonly Column<ReturnType<typeof gstSummary>[number]>[] = [
  // `OE` is the code of GSTR-1 table 7, which has only consumers in India.
  [
    "Type",
    10,
    ({ sample, isOfCompanies, stateCode }) =>
      text(sample ? "SAMPLE" : isOfCompanies || stateCode === OUTSIDE_INDIA ? null : "OE"),
  ],
  ["Place of supply", 22, (row) => text(codeWithState(row.stateCode))],
  ["Rate (%)", 10, (row) => whole(row.percent)],
  ["Invoices", 10, (row) => whole(row.invoices)],
  ["Credit notes", 13, (row) => whole(row.creditNotes)],
  ["Taxable value (₹)", 18, (row) => money(row.taxablePaise)],
  ["CGST (₹)", 13, (row) => money(row.tax.cgst)],
  ["SGST/UTGST (₹)", 16, (row) => money(row.tax.sgst)],
  ["IGST (₹)", 13, (row) => money(row.tax.igst)],
  ["Total (₹)", 14, (row) => money(row.totalPaise)],
  ["Customers", 12, (row) => text(row.isOfCompanies ? "B2B" : "B2C")],
  ["Round-off (₹)", 13, (row) => money(row.roundOffPaise)],
];

const DOCUMENT_COLUMNS: readonly Column<ReturnType<typeof documentsIssued>[number]>[] = [
  [
    "Nature of document",
    36,
    ({ kind, sample }) => text(`${NATURE[kind]}${sample ? " (SAMPLE)" : ""}`),
  ],
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
    tableSheet("GST summary", SUMMARY_COLUMNS, gstSummary(input.documents)),
    tableSheet(
      "Documents issued",
      DOCUMENT_COLUMNS,
      documentsIssued(input.documents, input.others),
    ),
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
