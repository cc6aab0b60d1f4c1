/** The accountant's sheets of customers outside India, in the columns of the portal's tool. */
import { expect, it } from "vitest";
import { read, utils } from "xlsx";
import { monthOf } from "#app/model/month.ts";
import type { GstDocument } from "#db/queries/reports.server.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { renderGstMonth } from "./gst-workbook.server.ts";

const FILER = { name: "Test Aviation Counselling", gstin: "29ABCDE1234F1ZW" };
const NONE = { count: 0, paise: 0 };
const PARTS = { deleted: NONE, otherSessions: NONE, otherDates: NONE };
const NEPAL = { stateCode: "96", customerCountry: "Nepal", onDate: "2026-11-05" };

function document(changes: Partial<GstDocument>): GstDocument {
  const ofPayment = { method: "upi", international: null, feePaise: null, feeTaxPaise: null };
  const tax = { cgst: 0, sgst: 0, igst: 17_982 };
  return { ...ledgerRow({ tax, roundOffPaise: 18 }), ...ofPayment, ...NEPAL, ...changes };
}

function rowsOf(documents: GstDocument[]) {
  const books = { settlements: [], settlementsInBooks: [], unsettled: [], movements: [] };
  const none = { undated: 0, numberedAmong: [], parts: PARTS, payments: [], revenuePaise: 0 };
  const book = read(renderGstMonth({ documents, ...none, ...books }, monthOf("2026-11"), FILER));
  const sheets = book.SheetNames.map((name): [string, string[][]] => [
    name,
    utils.sheet_to_json<string[]>(book.Sheets[name]!, { header: 1, raw: false, defval: "" }),
  ]);
  return new Map(sheets);
}

const NOTE = { kind: "credit_note", series: "CN", invoiceNumber: "AC/26-27/00002" } as const;
const PART = { taxablePaise: 50_000, tax: { cgst: 0, sgst: 0, igst: 9_000 }, totalPaise: 59_000 };
const MONTH = [
  document({ number: "AC/26-27/00002", international: 1 }),
  document({ ...NOTE, ...PART, number: "CN/26-27/00001" }),
];

it("stand in exp and cdnur, and their code in hsn(b2c), not in b2cs", () => {
  const sheets = rowsOf(MONTH);
  const [cdnur, exp, hsn] = ["cdnur", "exp", "hsn(b2c)"].map((name) => sheets.get(name)!);
  expect([...sheets.keys()].slice(-4)).toEqual(["exp", "cdnur", "hsn(b2c)", "docs"]);
  expect(sheets.has("b2cs")).toBe(false);
  expect(cdnur![3]!.join(" · ")).toBe(
    "UR Type · Note Number · Note Date · Note Type · Place Of Supply · Note Value · Applicable % of Tax Rate · Rate · Taxable Value · Cess Amount",
  );
  expect(cdnur![1]).toEqual([
    ...["", "No. of Notes/Vouchers", "", "", "", "Total Note Value", "", ""],
    ...["Total Taxable Value", "Total Cess"],
  ]);
  expect(cdnur!.slice(4)).toEqual([
    [
      ...["EXPWP", "CN/26-27/00001", "05-Nov-2026", "C", "96-Foreign Country"],
      ...["590.00", "", "18", "500.00", "0.00"],
    ],
  ]);
  expect(exp![0]![0]).toBe("Summary For EXP(6)");
  expect(exp![3]!.join(" · ")).toBe(
    "Export Type · Invoice Number · Invoice date · Invoice Value · Port Code · Shipping Bill Number · Shipping Bill Date · Rate · Taxable Value · Cess Amount",
  );
  expect(exp![1]).toEqual([
    ...["", "No. of Invoices", "", "Total Invoice Value", "", "No. of Shipping Bill", "", ""],
    ...["Total Taxable Value", "Total Cess"],
  ]);
  expect(exp!.slice(4)).toEqual([
    ["WPAY", "AC/26-27/00002", "05-Nov-2026", "1179.00", "", "", "", "18", "999.00", "0.00"],
  ]);
  expect(hsn!.at(-1)!.slice(4)).toEqual([
    "589.00",
    "18",
    "499.00",
    "89.82",
    "0.00",
    "0.00",
    "0.00",
  ]);
});

it("are flagged for the accountant with method and whether the payment was international", () => {
  const rows = rowsOf(MONTH)
    .get("Summary")!
    .map((row) => row.slice(0, 5));
  expect(rows).toContainEqual(["Nepal", "AC/26-27/00002", "UPI", "yes", "1,179.00"]);
  expect(rows).toContainEqual(["Nepal", "CN/26-27/00001", "UPI", "not known", "-590.00"]);
  const inIndia = document({ stateCode: "27", customerCountry: null });
  expect(rowsOf([inIndia]).get("Summary")!.flat()).not.toContain("Outside India");
});
