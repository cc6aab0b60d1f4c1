/** Invoice and credit note: ledger row → page definition, in the order of a screen reader. */
import type { Column, Content, TDocumentDefinitions } from "pdfmake/interfaces";
import {
  amountInWords,
  documentFacts,
  faultOf,
  isKnownLayout,
  stateWithCode,
} from "#app/documents/document-facts.ts";
import { formatPlainAmount } from "#app/model/money.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import {
  AMBER,
  amountsTable,
  BLUE,
  brandLine,
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
import type { Logos } from "./read-apart.server.ts";

const NOTE_TOP = 734;
/** From there to where other content ends. */
const NOTE_HEIGHT = 52;

type Facts = ReturnType<typeof documentFacts>;

/** A document, or those of a month. */
export type Printed = PrintableDocument | readonly PrintableDocument[];

/** The definition of one document. The library modifies it, so use it once. */
export function documentDefinition(
  document: PrintableDocument,
  logos: Logos = new Map(),
): TDocumentDefinitions {
  const title = `${headingOf(document)} ${document.number}`;
  const author = documentFacts(document).supplier.name;
  return definitionOf({ title, author, at: document.issuedAt }, page(document, logos));
}

/** One definition for many documents: each starts a page and has a bookmark. */
export function monthDefinition(
  documents: readonly PrintableDocument[],
  logos: Logos = new Map(),
): TDocumentDefinitions {
  const [first] = documents;
  if (first === undefined) throw new RangeError("no documents to print");
  const title = `Documents ${first.number} to ${documents.at(-1)?.number}`;
  const author = documentFacts(first).supplier.name;
  const latest = documents.reduce((at, document) => Math.max(at, document.issuedAt), 0);
  const content = documents.map((document, index): Content => {
    const stack = page(document, logos, document.number);
    return index === 0 ? { stack } : { stack, pageBreak: "before" };
  });
  return definitionOf({ title, author, at: latest }, content);
}

export function definitionOf(
  { title, author, at }: { title: string; author: string; at: number },
  content: Content[],
): TDocumentDefinitions {
  return {
    version: "1.7",
    pageSize: "A4",
    pageMargins: [MARGIN, 56, MARGIN, 56],
    language: "en-IN",
    displayTitle: true,
    defaultStyle: { font: "Roboto", fontSize: 9.5, lineHeight: 1.3, color: INK },
    info: { title, author, creationDate: new Date(at) },
    content,
  };
}

function page(document: PrintableDocument, logos: Logos, bookmark?: string): Content[] {
  const facts = documentFacts(document);
  const { brand, logo } = facts.supplier;
  const fault = faultOf(document);
  const start = [
    ...(brand === "" ? [] : [brandLine(brand, logos.get(logo))]),
    heading(document, bookmark),
    rule(BLUE, 1.1, [0, 8, 0, 18]),
  ];
  const wrong: Content[] =
    fault === null ? [] : [{ text: fault, color: AMBER, bold: true, margin: [0, 0, 0, 14] }];
  if (!isKnownLayout(document.layout)) return [...start, ...wrong, factsOf(document, facts)];
  return [
    ...start,
    { columns: [supplierBlock(document, facts), factsOf(document, facts)], columnGap: COLUMN_GAP },
    rule(HAIRLINE, 0.6, [0, 16, 0, 16]),
    ...wrong,
    customerBlock(document, facts),
    linesTable(document),
    {
      // On the next page, if it would reach into the note.
      unbreakable: true,
      stack: [
        {
          columns: [wordsBlock(document, facts), amountsTable(facts.amounts, facts.total)],
          columnGap: COLUMN_GAP,
          margin: [0, 0, 0, NOTE_HEIGHT],
        },
      ],
    },
    noteBlock(document, facts),
  ];
}

function headingOf({ kind, sample }: PrintableDocument): string {
  if (sample) return "SAMPLE";
  return kind === "invoice" ? "Tax Invoice" : "Credit Note";
}

function heading(document: PrintableDocument, bookmark?: string): Content {
  const sample = `Sample ${document.kind === "invoice" ? "receipt" : "credit note"}, not valid for tax`;
  return {
    columns: [
      {
        text: headingOf(document),
        fontSize: 22,
        bold: true,
        lineHeight: 1,
        color: document.sample ? AMBER : INK,
        ...(bookmark === undefined ? {} : { outline: true, outlineText: bookmark }),
      },
      {
        text: document.sample ? sample : "Original for Recipient",
        alignment: "right",
        color: QUIET,
        margin: [0, 9, 0, 0],
      },
    ],
  };
}

function supplierBlock(document: PrintableDocument, { supplier }: Facts): Column {
  return {
    width: LEFT_WIDTH,
    stack: [
      { text: runs(supplier.name), bold: true, fontSize: 12.5, margin: [0, 0, 0, 3] },
      { text: runs(supplier.address), color: QUIET },
      { text: `State: ${stateWithCode(supplier.state)}`, color: QUIET },
      ...(supplier.contact === "" ? [] : [{ text: runs(supplier.contact), color: QUIET }]),
      ...(supplier.cin === "" ? [] : [{ text: [quiet("CIN/LLPIN: "), supplier.cin] }]),
      ...(document.sample ? [] : [gstinLine(supplier.gstin)]),
    ],
  };
}

function gstinLine(gstin: string): Content {
  return { text: [quiet("GSTIN: "), gstin], margin: [0, 5, 0, 0] };
}

function factsOf({ number }: PrintableDocument, { name, date, paidOn }: Facts): Column {
  return factsTable([
    [`${name} number`, number],
    ["Date", date],
    ...(paidOn === null ? [] : [["Paid on", paidOn] satisfies [string, string]]),
  ]);
}

function customerBlock(document: PrintableDocument, facts: Facts): Content {
  const { customerName, customerAddress: address, customerGstin: gstin } = document;
  const customer: Content[] = [
    label(facts.partyLabel),
    { text: runs(customerName.trim()), bold: true, fontSize: 11.5, margin: [0, 0, 0, 2] },
  ];
  if (address) customer.push({ text: runs(address), color: QUIET });
  if (facts.customerState) customer.push({ text: runs(facts.customerState), color: QUIET });
  if (gstin) customer.push(gstinLine(gstin));
  const supply: Content[] = [
    label("Place of supply"),
    { text: facts.placeOfSupply, margin: [0, 0, 0, 6] },
    ...(facts.endorsement === null
      ? []
      : [{ text: facts.endorsement, fontSize: 8, margin: [0, 0, 0, 6] } satisfies Content]),
    { text: [quiet("Reverse charge: "), "No"] },
  ];
  return {
    columns: [
      { width: LEFT_WIDTH, stack: customer },
      { width: RIGHT_WIDTH, stack: supply, alignment: "right" },
    ],
    columnGap: COLUMN_GAP,
  };
}

function linesTable(document: PrintableDocument): Content {
  const [title = "", ...details] = document.description.split("\n");
  return {
    margin: [0, 20, 0, 0],
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
          { text: quantityOf(document) },
          { text: `${document.gstPercent}%`, alignment: "right" },
          { text: formatPlainAmount(document.taxablePaise), alignment: "right" },
        ],
      ],
    },
    layout: LINES_LAYOUT,
  };
}

/** Empty on a credit note since layout 2, because it may be for a part of the price. */
function quantityOf({ kind, layout }: PrintableDocument): string {
  return kind === "credit_note" && layout > 1 ? "" : "1 session";
}

function wordsBlock(document: PrintableDocument, { paid, corrects }: Facts): Column {
  const [paidLabel, paidText] = paid;
  return {
    width: LEFT_WIDTH,
    margin: [0, 16, 0, 0],
    stack: [
      label("Amount in words"),
      { text: amountInWords(document.totalPaise), margin: [0, 0, 0, 10] },
      label(paidLabel),
      { text: runs(paidText), margin: [0, 0, 0, 10] },
      ...(corrects === null ? [] : [label("Original"), { text: corrects }]),
    ],
  };
}

/** At the foot of the page, so that every document ends at the same place. */
function noteBlock({ sample, kind }: PrintableDocument, { supplier }: Facts): Content {
  const note: Content[] = sample
    ? ["This is a sample made for demonstration. No tax is charged or claimed by it."]
    : [{ text: ["For ", ...runs(supplier.name.replace(/\.$/, "")), "."] }, UNSIGNED[kind]];
  return {
    absolutePosition: { x: MARGIN, y: NOTE_TOP },
    stack: [rule(HAIRLINE, 0.6, [0, 0, 0, 8]), { stack: note, color: QUIET, fontSize: 8.5 }],
  };
}

/** Rule 53, which is about credit notes, has no such proviso of its own. */
const UNSIGNED = {
  invoice:
    "Issued electronically under the Information Technology Act, 2000. No signature is needed (fifth proviso to Rule 46 of the CGST Rules, Notification 74/2018-Central Tax).",
  credit_note:
    "Issued electronically under the Information Technology Act, 2000, without a signature, like the invoice that it corrects (fifth proviso to Rule 46 of the CGST Rules, Notification 74/2018-Central Tax).",
} as const;
