import readExcelFile from "read-excel-file/node";
import { describe, expect, it } from "vitest";
import { read, utils } from "xlsx";
import type { ExportRow } from "#db/queries/reports.server.ts";
import {
  creditNoteRow,
  exportRow,
  interStateRow,
  ledgerRow,
  sampleRow,
} from "#tests/support/ledger-rows.ts";
import { documentsIssued, gstSummary, renderXlsx, type WorkbookInput } from "./workbook.ts";

const HEADINGS = [
  "Appointment ID",
  "Status",
  "Session date",
  "Time (IST)",
  "Counselor",
  "Package (min)",
  "Customer",
  "Email",
  "Phone",
  "Base (₹)",
  "GST 18% (₹)",
  "Total (₹)",
  "Payment ID",
  "Payment method",
  "Refunded (₹)",
  "Kept (₹)",
  "Fee (without GST) (₹)",
  "Fee GST (₹)",
  "Net (Kept less both) (₹)",
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
  "Attendance",
  "Source",
  "Taken back by the bank (₹)",
];

const PENDING: Partial<ExportRow> = {
  status: "Pending Payment",
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

const EMPTY: WorkbookInput = {
  ...{ appointments: [], gstSummary: [], documents: [] },
  ...{ revenuePaise: 0, filter: "All appointments" },
};

function workbookOf(appointments: ExportRow[], more: Partial<WorkbookInput> = {}) {
  return renderXlsx({ ...EMPTY, appointments, ...more });
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
    expect(sheet["!autofilter"]?.ref).toBe("A1:AF3");
  });

  it("has typed dates and money, and text phones", () => {
    const sheet = cellsOf(workbookOf([exportRow()]));
    expect(sheet.C2).toMatchObject({ t: "n", z: "dd-mmm-yyyy", w: "21-Nov-2026", v: 46_347 });
    expect(sheet.U2).toMatchObject({ t: "n", w: "20-Nov-2026" });
    // 19:45 UTC is the next day in India.
    expect(sheet.AB2).toMatchObject({ t: "n", w: "21-Nov-2026 01:15" });
    expect(sheet.D2).toMatchObject({ t: "s", v: "2:00 PM" });
    expect(sheet.I2).toMatchObject({ t: "s", v: "+919876543210" });
    expect(sheet.J2).toMatchObject({ t: "n", v: 999, w: "999.00" });
    expect(sheet.L2).toMatchObject({ t: "n", v: 1179, w: "1,179.00" });
    expect(sheet.AA2).toMatchObject({ t: "n", v: 0, w: "0.00" });
    expect(sheet.X2).toMatchObject({ v: "29-Karnataka" });
    expect(sheet.G2).toMatchObject({ v: "राजेश्वरी Rao" });
  });

  it("shows a date that is none as a text", () => {
    expect(cellsOf(workbookOf([exportRow({ date: "soon" })])).C2).toMatchObject({ t: "s" });
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
    const columns = "M N O P Q R S T U V W X Y Z".split(" ");
    for (const column of columns) expect(sheet[`${column}2`]).toBeUndefined();
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
    expect(sheet.AC2).toMatchObject({ t: "s", v: "'-1+1" });
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
    expect(sheet.AC2?.v).toHaveLength(32_767);
    expect(String(sheet.AC2?.v).slice(0, 3)).toBe("'=1");
  });

  it("keeps spaces, line ends, what XML writes otherwise, and what looks like an escape", () => {
    const notes = ' a & b\n<c> ]]> _x0041_ "d" ';
    const sheet = cellsOf(workbookOf([exportRow({ notes, name: "_x000D_" })]));
    expect(sheet.AC2?.v).toBe(notes);
    expect(sheet.G2?.v).toBe("_x000D_");
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

  it("shows what came, went back and was kept, and what the provider took", () => {
    const sheet = cellsOf(
      workbookOf([
        exportRow({ keptPaise: 100_000 }),
        exportRow({ keptPaise: 0, feePaise: null, feeTaxPaise: null }),
        exportRow({ keptPaise: 17_900, takenBackPaise: 90_000, feePaise: null, feeTaxPaise: null }),
        exportRow(PENDING),
      ]),
    );
    const row = (number: number) =>
      ["N", "O", "P", "Q", "R", "S", "AF"].map((at) => sheet[`${at}${number}`]?.w);
    expect(row(1)).toEqual([
      ...["Payment method", "Refunded (₹)", "Kept (₹)", "Fee (without GST) (₹)", "Fee GST (₹)"],
      ...["Net (Kept less both) (₹)", "Taken back by the bank (₹)"],
    ]);
    expect(row(2)).toEqual(["UPI", "179.00", "1,000.00", "23.58", "4.24", "972.18", "0.00"]);
    const unknown = [undefined, undefined, undefined];
    expect(row(3)).toEqual(["UPI", "1,179.00", "0.00", ...unknown, "0.00"]);
    expect(row(4)).toEqual(["UPI", "100.00", "179.00", ...unknown, "900.00"]);
    expect(row(5)).toEqual(Array(7).fill(undefined));
  });

  it("has its header on each printed page, room for its texts, and the filter in its properties", () => {
    const long = "v".repeat(45);
    const bytes = workbookOf([exportRow({ name: long })], { filter: "status Confirmed" });
    const { Workbook, Props, Sheets } = read(bytes, { cellStyles: true });
    const titles = Workbook?.Names?.filter(({ Name }) => Name === "_xlnm.Print_Titles");
    expect(titles?.map(({ Ref, Sheet }) => [Sheet, Ref])).toEqual([
      [0, "'Appointments'!$1:$1"],
      [1, "'GST summary'!$1:$1"],
      [2, "'Documents issued'!$1:$1"],
      [3, "'Totals'!$1:$1"],
    ]);
    expect(Props).toMatchObject({ Title: "Appointments", Subject: "status Confirmed" });
    const widths = Sheets.Appointments!["!cols"]!.map(({ width }) => Math.floor(width!));
    expect(widths[6]).toBe(47);
    expect(widths[4]).toBe(22);
  });

  it("ties its money on the last sheet to the list's revenue", () => {
    const rows = [
      exportRow({ keptPaise: 100_000 }),
      exportRow({ keptPaise: 50_000, takenBackPaise: 60_000, feePaise: null, feeTaxPaise: null }),
      exportRow(PENDING),
    ];
    const totals = (revenuePaise: number) =>
      utils.sheet_to_json<unknown[]>(cellsOf(workbookOf(rows, { revenuePaise }), "Totals"), {
        header: 1,
      });
    expect(totals(150_000).slice(1)).toEqual([
      ["Paid", 2358],
      ["Refunded, or to go back", -258],
      ["Taken back by the bank", -600],
      ["Kept", 1500],
      ["Revenue of the list under the same filters", 1500],
      ["Difference", 0],
      ["Provider's fees without GST, where known", -23.58],
      ["GST on these fees", -4.24],
      ["Net (Kept less both), where the fee is known", 972.18],
      ["Kept where the fee is not known", 500],
    ]);
    expect(totals(150_100)[6]).toEqual(["Difference", 1]);
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
    const sheet = cellsOf(renderXlsx({ ...EMPTY, gstSummary: rows }), "GST summary");
    expect(sheet.F2).toMatchObject({ t: "n", v: -999, w: "-999.00" });
    expect(sheet.A2?.v).toBe("OE");
    expect(sheet.B2?.v).toBe("29-Karnataka");
  });

  it("goes by what is valid, then by the state's name, then by the rate", () => {
    const of = (sample: boolean, stateCode: string, gstPercent: number) =>
      ledgerRow({ sample, stateCode, gstPercent });
    const wanted = [
      ...[of(false, "29", 5), of(false, "29", 18), of(false, "27", 5), of(false, "97", 5)],
      ...[of(true, "37", 5), of(true, "29", 5), of(true, "29", 12)],
    ];
    const places = (documents: typeof wanted) =>
      gstSummary(documents).map((row) => [row.sample, row.stateCode, row.percent]);
    const order = wanted.map((row) => [row.sample, row.stateCode, row.gstPercent]);
    expect(places(wanted)).toEqual(order);
    expect(places(wanted.toReversed())).toEqual(order);
  });

  it("keeps the rate of the row, whatever its sums come to", () => {
    const rupee = { taxablePaise: 85, tax: { cgst: 7, sgst: 7, igst: 0 }, totalPaise: 100 };
    expect(gstSummary([ledgerRow({ ...rupee, roundOffPaise: 1 })])[0]?.percent).toBe(18);
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
    // Numbers that stand in no month, or in another, were issued all the same.
    expect(documentsIssued([serial(9), serial(12)], [serial(11), creditNoteRow()])).toEqual([
      expect.objectContaining({ total: 4, cancelled: 1, net: 3 }),
    ]);
    const each = [
      ...[sampleRow({ series: "RD" }), sampleRow(), creditNoteRow({ financialYear: "27-28" })],
      ...[creditNoteRow(), ledgerRow({ series: "AD" }), ledgerRow()],
    ];
    const order = (documents: typeof each) =>
      documentsIssued(documents).map((row) => `${row.series} ${row.financialYear}`);
    const wanted = ["AC 26-27", "AD 26-27", "CN 26-27", "CN 27-28", "RC 26-27", "RD 26-27"];
    expect(order(each)).toEqual(wanted);
    expect(order(each.toReversed())).toEqual(wanted);
    const sheet = cellsOf(renderXlsx({ ...EMPTY, documents: rows }), "Documents issued");
    expect(sheet.A2?.v).toBe("Invoices for outward supply");
    expect(sheet.F2?.v).toBe(4);
    expect(sheet.A4?.v).toBe("Credit Note");
    expect(sheet.A5?.v).toBe("Invoices for outward supply (SAMPLE)");
  });
});
