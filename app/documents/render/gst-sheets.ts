/**
 * The sheets of a month in the columns, headings and labels of GSTN's offline tool for GSTR-1: row
 * 1 title, row 2 labels, row 3 totals, row 4 headings. A sheet without rows is left out, because
 * the tool refuses it. Large sales to consumers (over ₹1,00,000) do not occur, so there is no
 * `b2cl`; `cdnur` has the credit notes of customers abroad.
 */
import { codeWithState, faultOf } from "#app/documents/document-facts.ts";
import { sumOfTax } from "#app/model/money.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import {
  documentsIssued,
  isAbroad,
  NATURE,
  type NumberedDocument,
  receiverName,
  signOf,
  sumDocuments,
} from "./ledger-sums.ts";
import { type Cell, date, plainMoney, text, whole } from "./workbook-cells.ts";
import { type Column, type Sheet, tableSheet } from "./workbook-file.ts";

export interface GstSheet {
  sheet: Sheet;
  taxablePaise: number;
  /** As charged on the documents. */
  taxPaise: number;
  /** As the tool computes it from each row. */
  toolTaxPaise: number;
}

/** A line of a sheet: one document, or the sum of those with the same place or code and rate. */
interface Line extends ReturnType<typeof sumDocuments> {
  first: GstDocument;
  /** True outside the supplier's state: the tool then computes IGST. */
  isInterState: boolean;
}

/**
 * `documents`: without samples; the `docs` sheet also counts those that cannot be read. `others`:
 * documents of other months with numbers between theirs.
 */
export function gstSheets(
  documents: readonly GstDocument[],
  others: readonly NumberedDocument[],
): GstSheet[] {
  const readable = documents.filter((document) => faultOf(document) === null);
  const companies = readable.filter((document) => document.customerGstin !== null);
  const consumers = readable.filter((document) => document.customerGstin === null);
  const abroad = consumers.filter(isAbroad);
  const singly = (some: readonly GstDocument[], kind: GstDocument["kind"]) =>
    some.filter((document) => document.kind === kind).map((one) => lineOf([one], () => 1));
  const inIndia = consumers.filter((document) => !isAbroad(document));
  const byPlace = linesBy(inIndia, ({ stateCode, gstPercent }) => `${stateCode} ${gstPercent}`);
  const bySac = (some: GstDocument[]) =>
    linesBy(some, ({ sac, gstPercent }) => `${sac} ${gstPercent}`);
  return [
    lineSheet("b2b,sez,de", B2B, singly(companies, "invoice")),
    lineSheet("b2cs", B2CS, byPlace),
    lineSheet("exp", EXP, singly(abroad, "invoice")),
    lineSheet("cdnr", CDNR, singly(companies, "credit_note")),
    lineSheet("cdnur", CDNUR, singly(abroad, "credit_note")),
    lineSheet("hsn(b2b)", HSN, bySac(companies), taxCharged),
    lineSheet("hsn(b2c)", HSN, bySac(consumers), taxCharged),
    docsSheet(documents, others),
  ].flatMap((sheet) => sheet ?? []);
}

/** A column with the label and the total above it. */
type ToolColumn<Row> = readonly [...Column<Row>, label?: string, total?: (rows: Row[]) => Cell];

const taxable = (line: Line) => line.taxablePaise;
const total = (line: Line) => line.totalPaise;
const gstin = ({ first }: Line) => first.customerGstin;
const number = ({ first }: Line) => first.number;

type Amount = (line: Line) => number;
const add = (lines: Line[], of: Amount) => lines.reduce((all, line) => all + of(line), 0);
const nothing = (): Cell => undefined;
const zero = (): Cell => plainMoney(0);

function distinct(of: (line: Line) => unknown) {
  return (lines: Line[]) => whole(new Set(lines.map(of)).size);
}

function amount(heading: string, label: string, of: Amount): ToolColumn<Line> {
  const sum = (lines: Line[]) => plainMoney(add(lines, of));
  return [heading, 18, (line) => plainMoney(of(line)), label, sum];
}

function numbered(heading: string, label: string): ToolColumn<Line> {
  return [heading, 17, (line) => text(number(line)), label, distinct(number)];
}

function fact(heading: string, width: number, of: (one: GstDocument) => Cell): ToolColumn<Line> {
  return [heading, width, ({ first }) => of(first)];
}

function dated(heading: string): ToolColumn<Line> {
  return fact(heading, 13, ({ onDate }) => date(onDate));
}

const RECIPIENT: ToolColumn<Line> = [
  "GSTIN/UIN of Recipient",
  22,
  (line) => text(gstin(line)),
  "No. of Recipients",
  distinct(gstin),
];
const RECEIVER = fact("Receiver Name", 24, ({ customerName }) => text(receiverName(customerName)));
const PLACE = fact("Place Of Supply", 20, ({ stateCode }) => text(codeWithState(stateCode)));
const APPLICABLE: ToolColumn<Line> = ["Applicable % of Tax Rate", 24, nothing];
const RATE = fact("Rate", 8, ({ gstPercent }) => whole(gstPercent));
const TAXABLE = amount("Taxable Value", "Total Taxable Value", taxable);
const CESS: ToolColumn<Line> = ["Cess Amount", 12, zero, "Total Cess", zero];
const REVERSE: ToolColumn<Line> = ["Reverse Charge", 14, () => text("N")];
const ECOMMERCE: ToolColumn<Line> = ["E-Commerce GSTIN", 17, nothing];
const REGULAR = () => text("Regular B2B");

interface Layout<Row> {
  title: string;
  columns: readonly ToolColumn<Row>[];
}

const B2B: Layout<Line> = {
  title: "Summary For B2B, SEZ, DE (4A, 4B, 6B, 6C)",
  columns: [
    RECIPIENT,
    RECEIVER,
    numbered("Invoice Number", "No. of Invoices"),
    dated("Invoice date"),
    amount("Invoice Value", "Total Invoice Value", total),
    PLACE,
    REVERSE,
    APPLICABLE,
    ["Invoice Type", 13, REGULAR],
    ECOMMERCE,
    RATE,
    TAXABLE,
    CESS,
  ],
};

const B2CS: Layout<Line> = {
  title: "Summary For B2CS (7)",
  columns: [["Type", 6, () => text("OE")], PLACE, APPLICABLE, RATE, TAXABLE, CESS, ECOMMERCE],
};

const CDNR: Layout<Line> = {
  title: "Summary For CDNR (9B)",
  columns: [
    RECIPIENT,
    RECEIVER,
    numbered("Note Number", "No. of Notes"),
    dated("Note Date"),
    ["Note Type", 10, () => text("C")],
    PLACE,
    REVERSE,
    ["Note Supply Type", 17, REGULAR],
    amount("Note Value", "Total Note Value", total),
    APPLICABLE,
    RATE,
    TAXABLE,
    CESS,
  ],
};

/** Credit notes to customers abroad, on whose invoices tax was paid. */
const CDNUR: Layout<Line> = {
  title: "Summary For CDNUR (9B)",
  columns: [
    ["UR Type", 9, () => text("EXPWP")],
    numbered("Note Number", "No. of Notes/Vouchers"),
    dated("Note Date"),
    ["Note Type", 10, () => text("C")],
    PLACE,
    amount("Note Value", "Total Note Value", total),
    APPLICABLE,
    RATE,
    TAXABLE,
    CESS,
  ],
};

/** Services have neither port nor shipping bill. */
const EXP: Layout<Line> = {
  title: "Summary For EXP(6)",
  columns: [
    ["Export Type", 12, () => text("WPAY")],
    numbered("Invoice Number", "No. of Invoices"),
    dated("Invoice date"),
    amount("Invoice Value", "Total Invoice Value", total),
    ["Port Code", 10, nothing],
    ["Shipping Bill Number", 20, nothing, "No. of Shipping Bill", () => whole(0)],
    ["Shipping Bill Date", 18, nothing],
    RATE,
    TAXABLE,
    CESS,
  ],
};

/** Codes that begin with 99 are services: the tool wants neither unit nor quantity for them. */
const HSN: Layout<Line> = {
  title: "Summary For HSN (12)",
  columns: [
    ["HSN", 10, ({ first }) => text(first.sac), "No. of HSN", distinct(({ first }) => first.sac)],
    ["Description", 14, nothing],
    ["UQC", 6, () => text("NA")],
    ["Total Quantity", 14, () => whole(0)],
    amount("Total Value", "Total Value", total),
    RATE,
    TAXABLE,
    amount("Integrated Tax Amount", "Total Integrated Tax", ({ tax }) => tax.igst),
    amount("Central Tax Amount", "Total Central Tax", ({ tax }) => tax.cgst),
    amount("State/UT Tax Amount", "Total State/UT Tax", ({ tax }) => tax.sgst),
    CESS,
  ],
};

/** `taxOf`: a line's tax as the tool has it, which it computes except where the sheet states it. */
function lineSheet(
  name: string,
  layout: Layout<Line>,
  lines: Line[],
  taxOf = toolTax,
): GstSheet | null {
  if (lines.length === 0) return null;
  return {
    sheet: toolSheet(name, layout, lines),
    taxablePaise: add(lines, taxable),
    taxPaise: add(lines, taxCharged),
    toolTaxPaise: add(lines, taxOf),
  };
}

function toolSheet<Row>(name: string, { title, columns }: Layout<Row>, rows: Row[]): Sheet {
  const labels = columns.map(([, , , label]) => text(label ?? null));
  const totals = columns.map(([, , , , of]) => of?.(rows));
  const plain = columns.map(([heading, width, cell]) => [heading, width, cell] as const);
  return tableSheet(name, plain, rows, { above: [[text(title)], labels, totals], filter: false });
}

type Issued = ReturnType<typeof documentsIssued>[number];

function counted(
  heading: string,
  width: number,
  label: string,
  of: "total" | "cancelled",
): ToolColumn<Issued> {
  const sum = (rows: Issued[]) => whole(rows.reduce((all, row) => all + row[of], 0));
  return [heading, width, (row) => whole(row[of]), label, sum];
}

const DOCS: Layout<Issued> = {
  title: "Summary of documents issued during the tax period (13)",
  columns: [
    ["Nature of Document", 28, ({ kind }) => text(NATURE[kind])],
    ["Sr. No. From", 17, ({ from }) => text(from)],
    ["Sr. No. To", 17, ({ to }) => text(to)],
    counted("Total Number", 13, "Total Number", "total"),
    counted("Cancelled", 11, "Total Cancelled", "cancelled"),
  ],
};

function docsSheet(documents: readonly GstDocument[], others: readonly NumberedDocument[]) {
  if (documents.length === 0) return null;
  const sheet = toolSheet("docs", DOCS, documentsIssued(documents, others));
  return { sheet, taxablePaise: 0, taxPaise: 0, toolTaxPaise: 0 };
}

function linesBy(documents: readonly GstDocument[], key: (document: GstDocument) => string) {
  return [...Map.groupBy(documents, key)]
    .sort(([a], [b]) => a.localeCompare(b, "en"))
    .map(([, group]) => lineOf(group));
}

/** Credit notes are subtracted, unless `sign` says otherwise. */
function lineOf(group: readonly GstDocument[], sign = signOf): Line {
  const isInterState = group.some(({ tax }) => tax.igst > 0);
  return { first: group[0]!, ...sumDocuments(group, sign), isInterState };
}

function taxCharged({ tax }: Line): number {
  return sumOfTax(tax);
}

/** In paise, each tax rounded separately: two halves within the state, else one. */
function toolTax({ first, taxablePaise, isInterState }: Line): number {
  const exact = taxablePaise * first.gstPercent;
  return isInterState ? Math.round(exact / 100) : 2 * Math.round(exact / 200);
}
