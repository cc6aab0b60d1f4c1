import type { Tax } from "#app/model/price.ts";
import type { LedgerDocument } from "#db/ledger-document.ts";
import type { ExportRow } from "#db/queries/reports.server.ts";
import { stateName } from "./tax-lines.ts";

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

/** The documents given, summed; the caller has chosen them by document date. */
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
 * First and last number per series. A number between them that no document of the ledger carries
 * counts as cancelled, so that total less cancelled is what was issued; `others` are the documents
 * that carry one of them and are not among those given.
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
