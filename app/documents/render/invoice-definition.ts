/**
 * Invoice and credit note: ledger row → page definition. Everything printed comes from the row, so
 * a lost PDF is made again with the same bytes. Fields: Rule 46 and Rule 53(1A) of the CGST Rules.
 */
import type { Column, Content, TDocumentDefinitions } from "pdfmake/interfaces";
import { formatDate } from "#app/model/dates.ts";
import { formatPlainAmount } from "#app/model/money.ts";
import { sumOfTax } from "#app/model/price.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import { amountInWords } from "./amount-in-words.ts";
import {
  AMBER,
  amountsTable,
  BLUE,
  COLUMN_GAP,
  factsTable,
  HAIRLINE,
  head,
  INK,
  LEFT_WIDTH,
  LINES_LAYOUT,
  label,
  MARGIN,
  QUIET,
  quiet,
  RIGHT_WIDTH,
  rule,
  runs,
} from "./page-parts.ts";
import { gstPercent, stateWithCode, taxLines } from "./tax-lines.ts";
import { isPrintable } from "./text-runs.ts";

const NOTE_TOP = 744;

/** What differs between the four kinds of page. */
interface Wording {
  heading: string;
  under: string;
  numberLabel: string;
  partyLabel: string;
  taxableLabel: string;
  totalLabel: string;
  paymentLabel: string;
}

/** The page definition of one document. The library changes what it is given: use it once. */
export function documentDefinition(document: PrintableDocument): TDocumentDefinitions {
  return {
    ...pageSetUp(),
    info: {
      title: `${wordingOf(document).heading} ${document.number}`,
      author: supplierOf(document).name,
      creationDate: new Date(document.issuedAt),
    },
    content: page(document),
  };
}

/** One definition of many documents: each begins a page and has a bookmark. */
export function monthDefinition(documents: readonly PrintableDocument[]): TDocumentDefinitions {
  const [first] = documents;
  if (first === undefined) throw new RangeError("no documents to print");
  const latest = documents.reduce((at, document) => Math.max(at, document.issuedAt), 0);
  return {
    ...pageSetUp(),
    info: {
      title: `Documents ${first.number} to ${documents.at(-1)?.number}`,
      author: supplierOf(first).name,
      creationDate: new Date(latest),
    },
    content: documents.map((document, index): Content => {
      const stack = page(document, document.number);
      return index === 0 ? { stack } : { stack, pageBreak: "before" };
    }),
  };
}

function pageSetUp(): Omit<TDocumentDefinitions, "content"> {
  return {
    version: "1.7",
    pageSize: "A4",
    pageMargins: [MARGIN, 56, MARGIN, 56],
    language: "en-IN",
    displayTitle: true,
    defaultStyle: { font: "Roboto", fontSize: 9.5, lineHeight: 1.3, color: INK },
  };
}

function page(document: PrintableDocument, bookmark?: string): Content[] {
  const words = wordingOf(document);
  return [
    heading(document, words, bookmark),
    rule(BLUE, 1.1, [0, 8, 0, 22]),
    { columns: [supplierBlock(document), factsBlock(document, words)], columnGap: COLUMN_GAP },
    rule(HAIRLINE, 0.6, [0, 20, 0, 18]),
    { columns: [customerBlock(document, words), placeBlock(document)], columnGap: COLUMN_GAP },
    linesTable(document),
    {
      columns: [amountInWordsBlock(document), totalsTable(document, words)],
      columnGap: COLUMN_GAP,
    },
    noteBlock(document),
  ];
}

function wordingOf(document: PrintableDocument): Wording {
  const sample = document.sample;
  if (document.kind === "credit_note") {
    return {
      heading: sample ? "SAMPLE" : "Credit Note",
      under: sample ? "Sample credit note, not valid for tax" : "Original for Recipient",
      numberLabel: "Credit note number",
      partyLabel: "Credited to",
      taxableLabel: "Taxable value credited",
      totalLabel: "Total credited",
      paymentLabel: "Refund of payment",
    };
  }
  return {
    heading: sample ? "SAMPLE" : "Tax Invoice",
    under: sample ? "Sample receipt, not valid for tax" : "Original for Recipient",
    numberLabel: sample ? "Receipt number" : "Invoice number",
    partyLabel: "Billed to",
    taxableLabel: "Taxable value",
    totalLabel: "Total",
    paymentLabel: "Payment ID",
  };
}

function heading(document: PrintableDocument, words: Wording, bookmark?: string): Content {
  return {
    columns: [
      {
        text: words.heading,
        fontSize: 22,
        bold: true,
        lineHeight: 1,
        color: document.sample ? AMBER : INK,
        ...(bookmark === undefined ? {} : { outline: true, outlineText: bookmark }),
      },
      { text: words.under, alignment: "right", color: QUIET, margin: [0, 9, 0, 0] },
    ],
  };
}

function supplierBlock(document: PrintableDocument): Column {
  const supplier = supplierOf(document);
  return {
    width: LEFT_WIDTH,
    stack: [
      { text: runs(supplier.name), bold: true, fontSize: 12.5, margin: [0, 0, 0, 3] },
      { text: runs(supplier.address), color: QUIET },
      { text: `State: ${stateWithCode(supplier.state)}`, color: QUIET },
      ...(document.sample ? [] : [gstinLine(supplier.gstin)]),
    ],
  };
}

function gstinLine(gstin: string): Content {
  return { text: [quiet("GSTIN: "), gstin], margin: [0, 5, 0, 0] };
}

function factsBlock(document: PrintableDocument, words: Wording): Column {
  const { invoiceNumber: against, invoiceDate: since, sample } = document;
  const facts: [string, string][] = [
    [words.numberLabel, document.number],
    ["Date", formatDate(document.onDate)],
  ];
  if (against !== null) {
    facts.push([sample ? "Against receipt" : "Against invoice", against]);
    if (since) facts.push([sample ? "Receipt date" : "Invoice date", formatDate(since)]);
  }
  facts.push([words.paymentLabel, document.paymentId]);
  return factsTable(facts);
}

function customerBlock(document: PrintableDocument, words: Wording): Column {
  const name = isPrintable(document.customerName) ? document.customerName.trim() : "Customer";
  return {
    width: LEFT_WIDTH,
    stack: [
      label(words.partyLabel),
      { text: runs(name), bold: true, fontSize: 11.5, margin: [0, 0, 0, 2] },
      ...(document.customerAddress
        ? [{ text: runs(document.customerAddress), color: QUIET } as Content]
        : []),
      { text: stateWithCode(document.stateCode), color: QUIET },
      ...(document.customerGstin ? [gstinLine(document.customerGstin)] : []),
    ],
  };
}

function placeBlock(document: PrintableDocument): Column {
  return {
    width: RIGHT_WIDTH,
    alignment: "right",
    margin: [0, 14, 0, 0],
    stack: [
      { text: [quiet("Place of supply: "), stateWithCode(document.stateCode)] },
      { text: [quiet("Reverse charge: "), "No"] },
    ],
  };
}

function linesTable(document: PrintableDocument): Content {
  const [title = "", ...details] = document.description.split("\n");
  return {
    margin: [0, 24, 0, 0],
    table: {
      headerRows: 1,
      widths: [38, "*", 46, 28, 76],
      body: [
        [
          head("SAC", "left"),
          head("Description", "left"),
          head("Quantity", "left"),
          head("GST", "right"),
          head("Taxable value (₹)", "right"),
        ],
        [
          { text: document.sac },
          {
            stack: [
              { text: runs(title) },
              ...details.map((line): Content => ({ text: runs(line), color: QUIET, fontSize: 9 })),
            ],
          },
          { text: "1 session" },
          { text: `${gstPercent(document)}%`, alignment: "right" },
          { text: formatPlainAmount(document.taxablePaise), alignment: "right" },
        ],
      ],
    },
    layout: LINES_LAYOUT,
  };
}

function amountInWordsBlock(document: PrintableDocument): Column {
  return {
    width: LEFT_WIDTH,
    margin: [0, 16, 0, 0],
    stack: [label("Amount in words"), { text: amountInWords(document.totalPaise) }],
  };
}

function totalsTable(document: PrintableDocument, words: Wording): Column {
  const lines = taxLines(document);
  const rows: [string, number][] = [
    [words.taxableLabel, document.taxablePaise],
    ...lines.map((line): [string, number] => [`${line.label} ${line.percent}%`, line.paise]),
  ];
  if (lines.length > 1) rows.push([`Total GST ${gstPercent(document)}%`, sumOfTax(document.tax)]);
  return amountsTable(rows, [words.totalLabel, document.totalPaise]);
}

/** At the foot of the page, so that every document ends at the same place. */
function noteBlock(document: PrintableDocument): Content {
  const supplier = supplierOf(document);
  return {
    absolutePosition: { x: MARGIN, y: NOTE_TOP },
    stack: [
      rule(HAIRLINE, 0.6, [0, 0, 0, 8]),
      {
        text: document.sample
          ? "This is a sample made for demonstration. No tax is charged or claimed by it."
          : ["For ", ...runs(supplier.name), "."],
        color: QUIET,
        fontSize: 8.5,
      },
      {
        text: "This is a computer-generated document and needs no signature.",
        color: QUIET,
        fontSize: 8.5,
      },
    ],
  };
}

/** As the ledger row keeps it. */
function supplierOf(document: PrintableDocument) {
  const kept: Record<string, unknown> = Object(JSON.parse(document.supplier));
  const text = (name: string) => (typeof kept[name] === "string" ? kept[name] : "");
  return {
    name: text("name"),
    address: text("address"),
    state: text("state"),
    gstin: text("gstin"),
  };
}
