/** Rows → XLSX bytes. Runs in a worker thread: writing a long workbook holds the event loop. */
import { deflateRawSync, InflateRaw } from "node:zlib";
import { CFB, SSF, utils, type WorkBook, type WorkSheet, write } from "xlsx";
import { formatSlot } from "#app/model/dates.ts";
import { GST_PERCENT } from "#app/model/price.ts";
import type { ExportRow } from "#db/queries/export-rows.server.ts";
import { codeWithState } from "./tax-lines.ts";
import {
  type Cell,
  date,
  instant,
  money,
  OWN_FORMATS,
  phone,
  text,
  userText,
  whole,
} from "./workbook-cells.ts";
import type { DocumentsIssuedRow, GstSummaryRow, WorkbookInput } from "./workbook-rows.ts";

/** A column's heading, its width in characters, and its cell of a row. */
type Column<Row> = readonly [heading: string, width: number, cell: (row: Row) => Cell];

const APPOINTMENT_COLUMNS: readonly Column<ExportRow>[] = [
  ["Appointment ID", 29, (row) => text(row.id)],
  ["Status", 16, (row) => text(row.status)],
  ["Session date", 13, (row) => date(row.date)],
  ["Time (IST)", 11, (row) => text(formatSlot(row.timeSlot))],
  ["Counsellor", 22, (row) => text(row.counselor)],
  ["Package (min)", 14, (row) => whole(row.minutes)],
  ["Customer", 24, (row) => userText(row.name)],
  ["Email", 28, (row) => userText(row.email)],
  ["Phone", 16, (row) => phone(row.phone)],
  ["Base (₹)", 11, (row) => money(row.basePaise)],
  [`GST ${GST_PERCENT}% (₹)`, 12, (row) => money(row.gstPaise)],
  ["Total (₹)", 11, (row) => money(row.totalPaise)],
  ["Payment ID", 22, (row) => text(row.paymentId)],
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
];

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

/** What the library asks of native compression, which it takes to be missing in today's Node. */
class CountingInflateRaw extends InflateRaw {
  get bytesRead(): number {
    return this.bytesWritten;
  }
}

/** A tenth longer than at the usual level, made in seven eighths of the time. */
const DEFLATE_LEVEL = 3;

CFB.utils.use_zlib({
  InflateRaw: CountingInflateRaw,
  deflateRawSync: (bytes: Uint8Array) => deflateRawSync(bytes, { level: DEFLATE_LEVEL }),
});

export function renderXlsx(input: WorkbookInput): Buffer {
  const workbook: WorkBook & { SSF: Record<number, string> } = {
    ...utils.book_new(),
    SSF: numberFormats(),
  };
  addSheet(workbook, "Appointments", APPOINTMENT_COLUMNS, input.appointments);
  addSheet(workbook, "GST summary", SUMMARY_COLUMNS, input.gstSummary);
  addSheet(workbook, "Documents issued", DOCUMENT_COLUMNS, input.documents);
  return write(workbook, { type: "buffer", bookType: "xlsx", bookSST: true, compression: true });
}

function addSheet<Row>(
  workbook: WorkBook,
  name: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): void {
  const cells: Cell[][] = [columns.map(([heading]) => text(heading))];
  for (const row of rows) cells.push(columns.map(([, , cell]) => cell(row)));
  const last = { r: rows.length, c: columns.length - 1 };
  const sheet: WorkSheet = {
    "!type": "sheet",
    "!data": cells as WorkSheet["!data"],
    "!ref": utils.encode_range({ s: { r: 0, c: 0 }, e: last }),
    "!autofilter": { ref: utils.encode_range({ s: { r: 0, c: 0 }, e: last }) },
    "!cols": columns.map(([, width]) => ({ wch: width })),
  };
  utils.book_append_sheet(workbook, sheet, name);
}

/**
 * Custom formats get numbers from 164 on, as the file format wants it. The library would number
 * them lower, where some readers take them for reserved and show a date as a number.
 */
function numberFormats(): Record<number, string> {
  const formats: Record<number, string> = { ...SSF.get_table() };
  for (const id of Object.keys(formats)) if (Number(id) >= 50) delete formats[Number(id)];
  for (const [index, format] of OWN_FORMATS.entries()) formats[164 + index] = format;
  return formats;
}

function natureOf(row: DocumentsIssuedRow): string {
  const nature = row.kind === "invoice" ? "Invoices for outward supply" : "Credit notes";
  return row.sample ? `${nature} (SAMPLE)` : nature;
}
