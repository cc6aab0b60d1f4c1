import readExcelFile from "read-excel-file/node";
import { describe, expect, it } from "vitest";
import { read, utils } from "xlsx";
import type { ExportRow } from "#db/queries/export-rows.server.ts";
import {
  creditNoteRow,
  exportRow,
  interStateRow,
  ledgerRow,
  sampleRow,
} from "#tests/support/ledger-rows.ts";
import { renderXlsx } from "./workbook.ts";
import { documentsIssued, gstSummary } from "./workbook-rows.ts";

const HEADINGS = [
  "Appointment ID",
  "Status",
  "Session date",
  "Time (IST)",
  "Counsellor",
  "Package (min)",
  "Customer",
  "Email",
  "Phone",
  "Base (₹)",
  "GST 18% (₹)",
  "Total (₹)",
  "Payment ID",
  "Invoice no.",
  "Invoice date",
  "Credit note no.",
  "Credit note date",
  "Place of supply",
  "CGST",
  "SGST",
  "IGST",
  "Created at (IST)",
  "Notes",
];

const PENDING: Partial<ExportRow> = {
  status: "Pending Payment",
  paymentId: null,
  invoiceNumber: null,
  invoiceDate: null,
  placeOfSupply: null,
  cgstPaise: null,
  sgstPaise: null,
  igstPaise: null,
};

function workbookOf(rows: ExportRow[]) {
  return renderXlsx({ appointments: rows, gstSummary: [], documents: [] });
}

function cellsOf(bytes: Buffer, sheet = "Appointments") {
  const found = read(bytes, { cellNF: true, cellFormula: true }).Sheets[sheet];
  if (!found) throw new Error(`no sheet ${sheet}`);
  return found;
}

describe("sheet 1", () => {
  it("is the header and one row per appointment, nothing else", async () => {
    const sheet = cellsOf(workbookOf([exportRow(), exportRow(PENDING)]));
    const rows = utils.sheet_to_json<unknown[]>(sheet, { header: 1 });
    expect(rows).toHaveLength(3);
    expect(rows[0]).toEqual(HEADINGS);
    expect(sheet["!autofilter"]?.ref).toBe("A1:W3");
  });

  it("has typed dates and money, and text phones", () => {
    const sheet = cellsOf(workbookOf([exportRow()]));
    expect(sheet.C2).toMatchObject({ t: "n", z: "dd-mmm-yyyy", w: "21-Nov-2026", v: 46_347 });
    expect(sheet.O2).toMatchObject({ t: "n", w: "20-Nov-2026" });
    // 19:45 UTC is the next day in India.
    expect(sheet.V2).toMatchObject({ t: "n", w: "21-Nov-2026 01:15" });
    expect(sheet.D2).toMatchObject({ t: "s", v: "2:00 PM" });
    expect(sheet.I2).toMatchObject({ t: "s", v: "+919876543210" });
    expect(sheet.J2).toMatchObject({ t: "n", v: 999, w: "999.00" });
    expect(sheet.L2).toMatchObject({ t: "n", v: 1179, w: "1,179.00" });
    expect(sheet.U2).toMatchObject({ t: "n", v: 0, w: "0.00" });
    expect(sheet.R2).toMatchObject({ v: "29-Karnataka" });
    expect(sheet.G2).toMatchObject({ v: "राजेश्वरी Rao" });
  });

  it("groups money by lakh and crore", () => {
    const sheet = cellsOf(
      workbookOf([
        exportRow({ basePaise: 12_345_650, gstPaise: 1_234_567_850, totalPaise: -153_300 }),
      ]),
    );
    expect(sheet.J2?.w).toBe("1,23,456.50");
    expect(sheet.K2?.w).toBe("1,23,45,678.50");
    expect(sheet.L2?.w).toBe("-1,533.00");
  });

  it("leaves the cells of missing documents empty", () => {
    const sheet = cellsOf(workbookOf([exportRow(PENDING)]));
    for (const column of "MNOPQRSTU") expect(sheet[`${column}2`]).toBeUndefined();
  });

  it("never writes a formula, and marks free text that looks like one", () => {
    const sheet = cellsOf(
      workbookOf([
        exportRow({
          name: '=HYPERLINK("http://x","y")',
          email: "@x.example",
          notes: "-1+1",
          phone: "=1+9876543210",
        }),
      ]),
    );
    expect(sheet.G2).toMatchObject({ t: "s", v: `'=HYPERLINK("http://x","y")` });
    expect(sheet.H2).toMatchObject({ t: "s", v: "'@x.example" });
    expect(sheet.W2).toMatchObject({ t: "s", v: "'-1+1" });
    expect(sheet.I2).toMatchObject({ t: "s", v: "'=1+9876543210" });
    for (const cell of Object.values(sheet)) expect(cell).not.toHaveProperty("f");
  });

  it("strips control characters and keeps within a cell", () => {
    const sheet = cellsOf(
      workbookOf([
        exportRow({ name: "A\u0000\u0007B\ud800", notes: `\u0001=1${"x".repeat(40_000)}` }),
      ]),
    );
    expect(sheet.G2?.v).toBe("AB\ufffd");
    expect(sheet.W2?.v).toHaveLength(32_767);
    expect(String(sheet.W2?.v).slice(0, 3)).toBe("'=1");
  });

  it("reads the same in another program and another zone", async () => {
    const before = process.env.TZ;
    process.env.TZ = "America/New_York";
    const bytes = workbookOf([exportRow()]);
    process.env.TZ = before;
    if (before === undefined) delete process.env.TZ;
    const [sheet] = await readExcelFile(bytes);
    const row = sheet?.data[1] ?? [];
    expect(sheet?.data[0]).toEqual(HEADINGS);
    expect(row[2]).toEqual(new Date("2026-11-21T00:00:00Z"));
    expect(row[8]).toBe("+919876543210");
    expect(row[11]).toBe(1179);
  });

  it("has its header when there is no row", () => {
    const sheet = cellsOf(workbookOf([]));
    expect(utils.sheet_to_json(sheet, { header: 1 })).toEqual([HEADINGS]);
  });
});

describe("gstSummary", () => {
  it("takes credit notes off, per place of supply and rate", () => {
    const rows = gstSummary([
      sampleRow(),
      ledgerRow(),
      ledgerRow(),
      interStateRow(),
      creditNoteRow(),
      ledgerRow({
        taxablePaise: 129_900,
        tax: { cgst: 11_700, sgst: 11_700, igst: 0 },
        totalPaise: 153_300,
      }),
    ]);
    expect(rows).toEqual([
      {
        sample: false,
        stateCode: "29",
        percent: 18,
        invoices: 3,
        creditNotes: 1,
        taxablePaise: 229_800,
        tax: { cgst: 20_700, sgst: 20_700, igst: 0 },
        totalPaise: 271_200,
      },
      {
        sample: false,
        stateCode: "27",
        percent: 18,
        invoices: 1,
        creditNotes: 0,
        taxablePaise: 99_900,
        tax: { cgst: 0, sgst: 0, igst: 18_000 },
        totalPaise: 117_900,
      },
      expect.objectContaining({ sample: true, invoices: 1, totalPaise: 117_900 }),
    ]);
  });

  it("goes below zero when a month has only the credit note", () => {
    const rows = gstSummary([creditNoteRow()]);
    expect(rows[0]).toMatchObject({ invoices: 0, creditNotes: 1, totalPaise: -117_900 });
    const sheet = cellsOf(
      renderXlsx({ appointments: [], gstSummary: rows, documents: [] }),
      "GST summary",
    );
    expect(sheet.F2).toMatchObject({ t: "n", v: -999, w: "-999.00" });
    expect(sheet.A2?.v).toBe("OE");
    expect(sheet.B2?.v).toBe("29-Karnataka");
  });

  it("is empty for no documents", () => {
    expect(gstSummary([])).toEqual([]);
  });
});

describe("documentsIssued", () => {
  it("counts per series and year, by serial, and a missing number as cancelled", () => {
    const serial = (number: number) =>
      ledgerRow({ serial: number, number: `AC/26-27/${String(number).padStart(5, "0")}` });
    const rows = documentsIssued([
      sampleRow(),
      creditNoteRow(),
      ledgerRow({ financialYear: "27-28", number: "AC/27-28/00001" }),
      serial(10),
      serial(9),
      serial(12),
    ]);
    expect(rows).toEqual([
      {
        sample: false,
        kind: "invoice",
        series: "AC",
        financialYear: "26-27",
        from: "AC/26-27/00009",
        to: "AC/26-27/00012",
        total: 4,
        cancelled: 1,
        net: 3,
      },
      expect.objectContaining({ kind: "invoice", financialYear: "27-28", total: 1, net: 1 }),
      expect.objectContaining({ kind: "credit_note", from: "CN/26-27/00001", cancelled: 0 }),
      expect.objectContaining({ sample: true, from: "RC/26-27/00001" }),
    ]);
    const sheet = cellsOf(
      renderXlsx({ appointments: [], gstSummary: [], documents: rows }),
      "Documents issued",
    );
    expect(sheet.A2?.v).toBe("Invoices for outward supply");
    expect(sheet.F2?.v).toBe(4);
    expect(sheet.A4?.v).toBe("Credit notes");
    expect(sheet.A5?.v).toBe("Invoices for outward supply (SAMPLE)");
  });
});
