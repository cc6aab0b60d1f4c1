/**
 * Whole pages and whole sheets against golden files: every word, colour, measure and format in them.
 * After a wanted change of the looks: `vitest run app/documents/render -u`, and read the difference.
 */
import { inspect } from "node:util";
import type { Content, CustomTableLayout, Table } from "pdfmake/interfaces";
import { describe, expect, it } from "vitest";
import { type CellObject, read, utils, type WorkSheet } from "xlsx";
import { BY_HAND } from "#app/documents/document-facts.ts";
import { newOfflinePaymentId } from "#app/model/ids.ts";
import type { PrintableDocument } from "#db/ledger-document.ts";
import type { ExportRow } from "#db/queries/reports.server.ts";
import {
  creditNoteRow,
  exportRow,
  interStateRow,
  ledgerRow,
  sampleRow,
} from "#tests/support/ledger-rows.ts";
import { renderXlsx } from "./export-file.server.ts";
import { documentDefinition, monthDefinition } from "./invoice-definition.ts";
import { writtenDefinition } from "./pdf.ts";

/** Our own id of money outside, which no page names. */
const OUTSIDE = newOfflinePaymentId();
const COMPANY = {
  customerName: "Sky Lines Pvt. Ltd.",
  customerAddress: "4 Marine Drive\nBengaluru 560001",
  customerGstin: "29AAPFU0939F1ZR",
};

/** An invoice with what the supplier prints since the second layout. */
function withContact(changes: Partial<PrintableDocument>): PrintableDocument {
  const row = ledgerRow(changes);
  const contact = { email: "hello@captains.example", phone: "+91 80 4000 0000" };
  const more = { ...contact, website: "captains.example", cin: "U74999KA2020PTC123456" };
  return { ...row, supplier: JSON.stringify({ ...JSON.parse(row.supplier), ...more }) };
}

describe("a page", () => {
  it("of an invoice to a company, and of a sample that takes one back", async () => {
    const pages = [
      documentDefinition(ledgerRow(COMPANY)),
      documentDefinition(creditNoteRow({ sample: true })),
    ];
    await expect(pages.map(printed).join("\n\n")).toMatchFileSnapshot("golden/pages.txt");
  });

  it("of the second layout has the tax to the paisa, and a credit note says of what", async () => {
    const paid = { layout: 2, paidReference: "433912345678" };
    const charge = { tax: { cgst: 8_991, sgst: 8_991, igst: 0 }, roundOffPaise: 18 };
    const note = {
      description:
        "Part refund of invoice AC/26-27/00001\nReason: agreed with the customer\nOne-on-one aviation career counselling, 30 minutes",
      taxablePaise: 49_950,
      tax: { cgst: 4_496, sgst: 4_496, igst: 0 },
      roundOffPaise: 8,
      totalPaise: 58_950,
    };
    const pages = [
      documentDefinition(withContact({ ...paid, ...charge })),
      documentDefinition(creditNoteRow({ ...paid, ...note })),
    ];
    await expect(pages.map(printed).join("\n\n")).toMatchFileSnapshot("golden/pages-2.txt");
  });

  it("says in each kind of document what it is", async () => {
    const documents = {
      "sample invoice": ledgerRow({ sample: true }),
      "invoice of another state": interStateRow(),
      "credit note": creditNoteRow(),
      "credit note of a sample": creditNoteRow({ sample: true }),
      "credit note of cash": creditNoteRow({ paymentId: OUTSIDE, paidMethod: "cash" }),
      "credit note of money outside": creditNoteRow({ paymentId: OUTSIDE, paidMethod: null }),
      "credit note of money outside, by hand": creditNoteRow({
        paymentId: OUTSIDE,
        paidMethod: BY_HAND,
      }),
      "credit note by hand": creditNoteRow({ paidMethod: BY_HAND }),
      "credit note without the date": creditNoteRow({ invoiceDate: null }),
      "invoice of one paisa's tax": ledgerRow({
        stateCode: "98",
        tax: { cgst: 0, sgst: 0, igst: 1 },
      }),
      "invoice without names": ledgerRow({ customerName: " ", supplier: '{"name":1}' }),
      "invoice without the customer's state": ledgerRow({ customerStateCode: null }),
      "payment of which little is known": ledgerRow({ paidMethod: null, paidAt: null }),
      "payment without its day": ledgerRow({ paidMethod: "netbanking", paidAt: null }),
      "payment in the provider's word": ledgerRow({ paidMethod: "crypto" }),
      "invoice in a union territory without legislature": ledgerRow({ stateCode: "04" }),
      "invoice at another rate": ledgerRow({
        gstPercent: 5,
        tax: { cgst: 2_500, sgst: 2_500, igst: 0 },
      }),
      "invoice of an odd tax": ledgerRow({
        tax: { cgst: 9_050, sgst: 9_050, igst: 0 },
        totalPaise: 118_000,
      }),
      "invoice of a company": interStateRow({ ...COMPANY, customerGstin: "27AAPFU0939F1ZV" }),
      "invoice of a customer abroad": interStateRow({
        customerAddress: "1 Ring Road\nKathmandu",
        customerCountry: "Nepal",
        customerStateCode: "96",
        stateCode: "96",
        layout: 2,
      }),
      "credit note of one rupee": creditNoteRow({
        taxablePaise: 85,
        tax: { cgst: 7, sgst: 7, igst: 0 },
        roundOffPaise: 1,
        totalPaise: 100,
      }),
      "credit note rounded down": creditNoteRow({ roundOffPaise: -1 }),
      "credit note too small for tax": creditNoteRow({
        stateCode: "27",
        taxablePaise: 1,
        tax: { cgst: 0, sgst: 0, igst: 0 },
        totalPaise: 1,
      }),
    };
    const words = Object.entries(documents).map(([name, document]) => {
      const { content, info } = documentDefinition(document);
      const blocks = (content as Content[]).map((block) => textsIn(block).join(" | "));
      const text = [`${name}: ${info?.title}`, ...blocks.filter(Boolean)].join("\n");
      if (document.sample)
        expect(text).not.toMatch(/tax invoice|corrects invoice|GSTIN|Original for/i);
      expect(text).not.toContain(OUTSIDE);
      return text;
    });
    await expect(words.join("\n\n")).toMatchFileSnapshot("golden/words.txt");
  });

  it("of a session plan has its lists, and its links alone in blue", async () => {
    const items = [[{ text: "Class 1 medical" }], [{ text: "DGCA papers" }]];
    const site = { text: "the regulator's page", url: "https://www.dgca.gov.in/" };
    const plan = writtenDefinition(
      {
        brand: "Captain Sessions",
        logo: null,
        title: "Your session plan",
        facts: [["Captain", "Asha Rao"]],
        blocks: [
          { type: "paragraph", runs: [{ text: "See " }, site, { text: " first." }] },
          { type: "list", start: null, items },
          { type: "list", start: 3, items },
        ],
        at: Date.UTC(2026, 10, 30),
      },
      new Map(),
    );
    await expect(printed(plan)).toMatchFileSnapshot("golden/plan.txt");
  });

  it("of a month has its bookmark, begins after the one before, and bears the latest date", () => {
    const late = ledgerRow({ number: "AC/26-27/00002", issuedAt: Date.UTC(2026, 10, 30) });
    const { content, info, ...setUp } = monthDefinition([
      ledgerRow(),
      late,
      interStateRow({ number: "AC/26-27/00003" }),
    ]);
    expect(info).toEqual({
      title: "Documents AC/26-27/00001 to AC/26-27/00003",
      author: "Captain's Briefing Private Limited",
      creationDate: new Date("2026-11-30T00:00:00Z"),
    });
    const { content: _, info: __, ...alone } = documentDefinition(late);
    expect(setUp).toEqual(alone);
    const pages = content as { stack: [object, { columns: object[] }]; pageBreak?: string }[];
    expect(pages.map(({ pageBreak }) => pageBreak)).toEqual([undefined, "before", "before"]);
    expect(pages[1]?.stack[1].columns[0]).toMatchObject({
      outline: true,
      outlineText: late.number,
    });
  });
});

const PENDING: Partial<ExportRow> = {
  status: "pending_payment",
  paymentId: null,
  method: null,
  paidPaise: null,
  keptPaise: 0,
  feePaise: null,
  feeTaxPaise: null,
  invoiceNumber: null,
  invoiceDate: null,
  placeOfSupply: null,
  cgstPaise: null,
  sgstPaise: null,
  igstPaise: null,
};

describe("the workbook", () => {
  const documents = [ledgerRow(), interStateRow(), creditNoteRow(), sampleRow({ stateCode: "98" })];
  const rows = [
    exportRow({ notes: "=1+1" }),
    exportRow({ keptPaise: 100_000 }),
    exportRow({ keptPaise: 0, feePaise: null, feeTaxPaise: null }),
    exportRow({ keptPaise: 17_900, takenBackPaise: 90_000, feePaise: null, feeTaxPaise: null }),
    exportRow(PENDING),
    exportRow({
      creditNoteNumbers: "CN/26-27/00001",
      creditNoteDate: "2026-12-03",
      igstPaise: -1,
      phone: "07911 12",
      placeOfSupply: null,
      totalPaise: 1_234_567_890,
    }),
  ];

  const input = (appointments: ExportRow[]) => ({
    appointments,
    documents: [],
    others: [],
    revenuePaise: 235_800,
    filter: "status Confirmed",
  });

  it("has these columns, widths, formats and cells", async () => {
    const bytes = renderXlsx({ ...input(rows), documents });
    const { Sheets } = read(bytes, { cellNF: true, cellStyles: true, dense: false });
    const sheets = Object.entries(Sheets).map(([name, sheet]) => `${name}\n${sheetLines(sheet)}`);
    await expect(sheets.join("\n\n")).toMatchFileSnapshot("golden/workbook.txt");
  });

  const partsOf = (bytes: Buffer) => {
    const { files } = read(bytes, { bookFiles: true }) as never as {
      files: Record<string, { content: Uint8Array }>;
    };
    return (name: string) => Buffer.from(files[name]?.content ?? []);
  };

  it("numbers its own formats from 164 on, where every reader looks for them", () => {
    const part = partsOf(renderXlsx(input(rows)));
    const styles = part("xl/styles.xml").toString("utf8");
    const own = [...styles.matchAll(/numFmtId="(\d+)" formatCode="([^"]+)"/g)];
    expect(own.map(([, id, format]) => `${id} ${format}`)).toEqual([
      "164 dd-mmm-yyyy",
      "165 dd-mmm-yyyy hh:mm",
      "166 [&gt;=10000000]##\\,##\\,##\\,##0.00;[&gt;=100000]##\\,##\\,##0.00;#,##0.00",
    ]);
  });

  it("holds each text once", () => {
    const many = Array.from({ length: 200 }, (_, i) =>
      exportRow({ notes: `Question ${i * 7919}` }),
    );
    const texts = partsOf(renderXlsx(input(many)))("xl/sharedStrings.xml");
    expect(texts.toString("utf8").match(/Capt\. Asha Sample/g)).toHaveLength(1);
  });
});

/** The definition with what its layouts answer for each line in place of their functions. */
function printed(definition: object): string {
  const seen = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(seen);
    if (value === null || typeof value !== "object" || value instanceof Date) return value;
    const fields = Object.entries(value).map(([key, part]) => {
      if (key !== "layout") return [key, seen(part)];
      return [key, answersOf(part, (value as { table: Table }).table)];
    });
    return Object.fromEntries(fields);
  };
  return inspect(seen(definition), { depth: null, breakLength: 110, compact: 4 });
}

function answersOf(layout: CustomTableLayout, table: Table) {
  const lines = Array.from({ length: table.body.length + 1 }, (_, line) => line);
  return Object.fromEntries(
    Object.entries(layout).map(([name, answer]) => [
      name,
      lines.map((line) => answer(line, { table })).join(" "),
    ]),
  );
}

/** Every text of a content, in its order. */
function textsIn(content: Content): string[] {
  if (typeof content === "string") return [content];
  if (Array.isArray(content)) return content.flatMap(textsIn);
  const { text, stack, columns, table } = content as Record<string, never> & {
    table?: { body: Content[][] };
  };
  if (Array.isArray(text)) return [(text as Content[]).flatMap(textsIn).join("")];
  const parts: (Content | undefined)[] = [text, stack, columns, table?.body.flat()];
  return parts.flatMap((part) => (part ? textsIn(part) : []));
}

/** A column each: its place, width, and cells; a cell is its type, value and format. */
function sheetLines(sheet: WorkSheet): string {
  const widths = sheet["!cols"] ?? [];
  const columns = widths.map(({ width }, index) => {
    const name = utils.encode_col(index);
    const cells = Object.entries(sheet).filter(([place]) => place.replace(/\d+$/, "") === name);
    const words = cells.map(([, cell]: [string, CellObject]) => cellWords(cell));
    return `${name} ${Number(width).toFixed(1)}: ${words.join(" | ")}`;
  });
  return [`${sheet["!ref"]}, filter ${sheet["!autofilter"]?.ref}`, ...columns].join("\n");
}

function cellWords({ t, v, z }: CellObject): string {
  const format = z === "General" ? "" : ` (${String(z).replace(/^\[.*/, "lakhs")})`;
  return `${t} ${v}${format}`;
}
