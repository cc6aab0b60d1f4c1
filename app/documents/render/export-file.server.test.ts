/** The export of a filter: its rows, up to a limit, the documents of its dates alone, its cells. */
import readExcelFile from "read-excel-file/node";
import { beforeAll, describe, expect, it } from "vitest";
import { read, utils } from "xlsx";
import { insertDocument } from "#db/queries/documents.server.ts";
import type { ExportRow } from "#db/queries/reports.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import {
  creditNoteRow,
  exportRow,
  interStateRow,
  ledgerRow,
  sampleRow,
} from "#tests/support/ledger-rows.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { makeExport, renderXlsx, type WorkbookInput } from "./export-file.server.ts";
import { documentsIssued, gstSummary } from "./ledger-sums.ts";

const test = sharedDeps();
beforeAll(() => {
  const { db } = test.deps;
  insertManyAppointments(db, 10);
  db.runRaw("UPDATE appointment SET counselor_key = 'gone' WHERE status = 'cancelled'");
  for (const [serial, onDate] of ["2026-10-31", "2026-11-01", "2026-12-01"].entries()) {
    const name = { number: `AC/${serial}`, paymentId: String(serial) };
    insertDocument(db, ledgerRow({ ...name, serial, onDate }));
  }
});

const exportOf = (filter: Parameters<typeof makeExport>[1], most = 10) =>
  makeExport(test.deps.db.path, filter, most);

it("has as many rows as it may have, and is none with one more", () => {
  expect([exportOf({}, 10)?.rows, exportOf({}, 9)]).toEqual([10, null]);
  expect(exportOf({ statuses: ["confirmed"] }, 6)?.rows).toBe(6);
  expect(exportOf({ q: "nobody at all" }, 0)?.rows).toBe(0);
});

it("sums the documents of its dates, whatever else it asks for", () => {
  const issued = (filter: Parameters<typeof makeExport>[1]) => {
    const sheet = read(exportOf(filter)!.bytes).Sheets["Documents issued"]!;
    return utils.sheet_to_json<Record<string, unknown>>(sheet)[0]?.["Net issued"];
  };
  expect(issued({})).toBe(3);
  expect(issued({ startDate: "2026-11-01", statuses: ["cancelled"] })).toBe(2);
  expect(issued({ endDate: "2026-11-30" })).toBe(2);
});

it("names its filters as they were applied, and ties its money to the list under them", () => {
  const of = (filter: Parameters<typeof makeExport>[1]) => read(exportOf(filter)!.bytes);
  expect(of({}).Props?.Subject).toBe("All appointments");
  const dates = { startDate: "2026-11-01", endDate: "2026-11-30" };
  expect(
    of({ ...dates, counselorKey: "asha", statuses: ["cancelled"], q: "Rao" }).Props?.Subject,
  ).toBe(
    "session date from 1 Nov 2026, session date to 30 Nov 2026, counselor Capt. Asha Sample, status Cancelled, search “Rao”",
  );
  expect(of({ refunded: true }).Props?.Subject).toBe("with a refund");
  const sheet = of({ statuses: ["confirmed"] }).Sheets.Totals!;
  const amounts = new Map(utils.sheet_to_json<[string, number]>(sheet, { header: 1 }));
  expect(amounts.get("Kept")).toBe(6 * 1179);
  expect(amounts.get("Revenue of the list under the same filters")).toBe(6 * 1179);
  expect(amounts.get("Difference")).toBe(0);
});

it("names captains as they are called today, else as booked, and states in words", () => {
  const sheet = read(exportOf({})!.bytes).Sheets.Appointments!;
  const rows = utils.sheet_to_json<Record<string, unknown>>(sheet);
  const named = new Set(rows.map((row) => `${row.Status}: ${row.Counselor}`));
  expect(named).toContain("Cancelled: A captain");
  expect(named).toContain("Confirmed: Capt. Asha Sample");
});

const EMPTY: WorkbookInput = {
  appointments: [],
  documents: [],
  others: [],
  revenuePaise: 0,
  filter: "All appointments",
};

function workbookOf(appointments: ExportRow[], more: Partial<WorkbookInput> = {}) {
  return renderXlsx({ ...EMPTY, appointments, ...more });
}

function cellsOf(bytes: Buffer, sheet = "Appointments") {
  const found = read(bytes, { cellNF: true, cellFormula: true }).Sheets[sheet];
  if (!found) throw new Error(`no sheet ${sheet}`);
  return found;
}

const sheetOf = (...rows: Partial<ExportRow>[]) =>
  cellsOf(workbookOf(rows.map((row) => exportRow(row))));

describe("its cells", () => {
  it("shows a date that is none as a text", () => {
    expect(sheetOf({ date: "soon" }).C2).toMatchObject({ t: "s" });
  });

  it("never writes a formula, and marks free text that looks like one", () => {
    const sheet = sheetOf({
      name: '=HYPERLINK("http://x","y")',
      email: "@x.example",
      notes: "-1+1",
      phone: "=1+9876543210",
    });
    expect(sheet.G2).toMatchObject({ t: "s", v: `'=HYPERLINK("http://x","y")` });
    expect(sheet.H2).toMatchObject({ t: "s", v: "'@x.example" });
    expect(sheet.AC2).toMatchObject({ t: "s", v: "'-1+1" });
    expect(sheet.I2).toMatchObject({ t: "s", v: "'=1+9876543210" });
    for (const cell of Object.values(sheet)) expect(cell).not.toHaveProperty("f");
  });

  it("strips control characters and keeps within a cell", () => {
    const notes = `\u0001=1${"x".repeat(40_000)}`;
    const sheet = sheetOf({ name: "A\u0000\u0007B\ud800", notes });
    expect(sheet.G2?.v).toBe("AB\ufffd");
    expect(sheet.AC2?.v).toHaveLength(32_767);
    expect(String(sheet.AC2?.v).slice(0, 3)).toBe("'=1");
  });

  it("keeps spaces, line ends, what XML writes otherwise, and what looks like an escape", () => {
    const notes = ' a & b\n<c> ]]> _x0041_ "d" ';
    const sheet = sheetOf({ notes, name: "_x000D_" });
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
    expect(sheet?.data[0]).toHaveLength(34);
    // 19:45 UTC is the next day in India.
    expect(cellsOf(bytes).AB2?.w).toBe("21-Nov-2026 01:15");
    expect(row[2]).toEqual(new Date("2026-11-21T00:00:00Z"));
    expect(row[8]).toBe("+919876543210");
    expect(row[11]).toBe(1179);
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
});

describe("gstSummary", () => {
  it("takes credit notes off, and goes below zero when a month has only those", () => {
    const [row] = gstSummary([ledgerRow(), ledgerRow(), creditNoteRow()]);
    expect(row).toMatchObject({ invoices: 2, creditNotes: 1, taxablePaise: 99_900 });
    expect(row?.tax).toEqual({ cgst: 9_000, sgst: 9_000, igst: 0 });
    const sheet = cellsOf(renderXlsx({ ...EMPTY, documents: [creditNoteRow()] }), "GST summary");
    expect(sheet.F2).toMatchObject({ t: "n", v: -999, w: "-999.00" });
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
  });
});

it("sums companies apart from consumers, without the code that consumers have", () => {
  const company = ledgerRow({ customerGstin: "29AAPFU0939F1ZR" });
  const bytes = renderXlsx({ ...EMPTY, documents: [company, ledgerRow(), interStateRow()] });
  const sheet = cellsOf(bytes, "GST summary");
  const rows = utils.sheet_to_json<string[]>(sheet, { header: 1, defval: "" });
  expect(rows.slice(1).map((row) => [row[0], row[1], row[10]])).toEqual([
    ["OE", "29-Karnataka", "B2C"],
    ["OE", "27-Maharashtra", "B2C"],
    ["", "29-Karnataka", "B2B"],
  ]);
});
