/** Sums of ledger documents, by place and rate, and by series; and facts about one of them. */
import { stateName } from "#app/documents/document-facts.ts";
import { dateInIndia } from "#app/model/dates.ts";
import { OUTSIDE_INDIA } from "#app/model/gstin.ts";
import { netOf } from "#app/model/money.ts";
import type { listNumberedAmong, listSums } from "#db/queries/documents.server.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";

/** As GSTR-1 table 13 names them. */
export const NATURE = {
  invoice: "Invoices for outward supply",
  credit_note: "Credit Note",
} as const;

type Summed = ReturnType<typeof listSums>[number];
export type NumberedDocument = ReturnType<typeof listNumberedAmong>[number];

export const signOf = ({ kind }: Pick<Summed, "kind">) => (kind === "credit_note" ? -1 : 1);

/** Invoices less credit notes, unless another sign is given. */
export function sumDocuments(documents: readonly Summed[], sign = signOf) {
  const sum = (of: (document: Summed) => number) =>
    documents.reduce((all, document) => all + sign(document) * of(document), 0);
  return {
    taxablePaise: sum((document) => document.taxablePaise),
    tax: {
      cgst: sum(({ tax }) => tax.cgst),
      sgst: sum(({ tax }) => tax.sgst),
      igst: sum(({ tax }) => tax.igst),
    },
    roundOffPaise: sum((document) => document.roundOffPaise),
    totalPaise: sum((document) => document.totalPaise),
  };
}

/** Lines of GSTR-1 table 7 for consumers; sums for companies, which table 4 lists singly. */
export function gstSummary(documents: readonly Summed[]) {
  const groups = Map.groupBy(documents, ({ sample, customerGstin, stateCode, gstPercent }) =>
    [sample, customerGstin !== null, stateCode, gstPercent].join("|"),
  );
  return [...groups.values()]
    .map((group) => {
      const { sample, customerGstin, stateCode, gstPercent: percent } = group[0]!;
      const isOfCompanies = customerGstin !== null;
      const creditNotes = group.filter(({ kind }) => kind === "credit_note").length;
      const invoices = group.length - creditNotes;
      const counts = { invoices, creditNotes };
      return { sample, isOfCompanies, stateCode, percent, ...counts, ...sumDocuments(group) };
    })
    .sort(
      (a, b) =>
        Number(a.sample) - Number(b.sample) ||
        Number(a.isOfCompanies) - Number(b.isOfCompanies) ||
        stateName(a.stateCode).localeCompare(stateName(b.stateCode), "en") ||
        a.percent - b.percent,
    );
}

const seriesOf = ({ kind, series, financialYear }: NumberedDocument) =>
  `${kind}|${series}|${financialYear}`;

/**
 * First and last number per series: lines of GSTR-1 table 13. A number in between that no document
 * carries counts as cancelled, so that total less cancelled is what was issued; `others` are
 * documents with such a number that are not among those given.
 */
export function documentsIssued(
  documents: readonly NumberedDocument[],
  others: readonly NumberedDocument[] = [],
) {
  const among = Map.groupBy(others, seriesOf);
  return [...Map.groupBy(documents, seriesOf)]
    .map(([key, group]) => {
      const bySerial = group.toSorted((a, b) => a.serial - b.serial);
      const { sample, kind, series, financialYear, serial, number: from } = bySerial[0]!;
      const last = bySerial.at(-1)!;
      const total = last.serial - serial + 1;
      const net = group.length + (among.get(key)?.length ?? 0);
      const numbers = { from, to: last.number, total, cancelled: total - net, net };
      return { sample, kind, series, financialYear, ...numbers };
    })
    .sort(
      (a, b) =>
        Number(a.sample) - Number(b.sample) ||
        b.kind.localeCompare(a.kind, "en") ||
        a.financialYear.localeCompare(b.financialYear, "en") ||
        a.series.localeCompare(b.series, "en"),
    );
}

/** Total less fees, in paise; null while the fee is not known. A refund returns no fee. */
export function netPaise(document: GstDocument): number | null {
  const { kind, totalPaise: amountPaise } = document;
  return kind === "credit_note" ? -amountPaise : netOf({ ...document, amountPaise });
}

/** True for a customer outside India, for whom the tool has separate sheets. */
export function isAbroad({ stateCode, customerGstin }: GstDocument): boolean {
  return stateCode === OUTSIDE_INDIA && customerGstin === null;
}

/** The date of the payment in India, yyyy-MM-dd. */
export function paidOn({ paidAt }: GstDocument): string | null {
  return paidAt === null ? null : dateInIndia(paidAt);
}

/** The name as the tool accepts it (ASCII, at most 99 characters); null if it would be misspelled. */
export function receiverName(name: string): string | null {
  const quoted = name
    .normalize("NFKD")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u2010-\u2015]/g, "-");
  if (/(?!\p{ASCII})\p{L}/u.test(quoted)) return null;
  const plain = quoted.replace(/[^A-Za-z0-9 _&'\-./\\,()?@!#%$~*;+=]/g, "");
  // What a spreadsheet takes for the beginning of a formula is left out: the tool wants no mark.
  const short = plain
    .replace(/ +/g, " ")
    .replace(/^[ =+\-@]+/, "")
    .slice(0, 99)
    .trim();
  return /[A-Za-z0-9]/.test(short) ? short : null;
}
