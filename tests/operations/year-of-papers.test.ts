/** Each month of a year as the accountant gets it, read by another reader than the writer. */
import readXlsxFile from "read-excel-file/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeGstMonth } from "#app/documents/render/gst-workbook.server.ts";
import { monthOf, nextMonth } from "#app/model/month.ts";
import type { OpenDb } from "#db/connection.server.ts";
import { playYear, SUPPLIER } from "#tests/support/papers-year.ts";
import type { Till } from "#tests/support/till.ts";

const MONTHS = Array.from({ length: 15 }, () => "").reduce<string[]>(
  (months) => [...months, months.length === 0 ? "2026-11" : nextMonth(months.at(-1)!)],
  [],
);

type Value = string | number | boolean | Date | null;
type Rows = Value[][];
interface Ledger {
  number: string;
  kind: "invoice" | "credit_note";
  on_date: string;
  invoice_number: string | null;
  customer_gstin: string | null;
  state_code: string;
  taxable_paise: number;
  cgst_paise: number;
  sgst_paise: number;
  igst_paise: number;
  round_off_paise: number;
  total_paise: number;
}

let till: Till;
let ledger: Ledger[];
const books = new Map<string, Map<string, Rows>>();

async function workbookOf(month: string): Promise<Map<string, Rows>> {
  const { path } = till.deps.db as OpenDb;
  const bytes = makeGstMonth(path, monthOf(month), SUPPLIER, "xlsx");
  const sheets = await readXlsxFile(bytes);
  return new Map(sheets.map(({ sheet, data }) => [sheet, data as Rows]));
}

beforeAll(async () => {
  till = await playYear();
  ledger = till.rows("SELECT * FROM document ORDER BY on_date, issued_at");
  for (const month of MONTHS) books.set(month, await workbookOf(month));
}, 240_000);
afterAll(() => till?.close());

/** Rows under a header as objects by heading. */
function table(rows: Rows | undefined, header: number): Record<string, Value>[] {
  const headings = rows?.[header] ?? [];
  return (rows ?? [])
    .slice(header + 1)
    .map((row) => Object.fromEntries(headings.map((name, i) => [String(name), row[i] ?? null])));
}

const registerOf = (month: string) => table(books.get(month)!.get("Register"), 4);
const toolRows = (month: string, sheet: string) => table(books.get(month)!.get(sheet), 3);
const paise = (value: Value | undefined) => Math.round(Number(value ?? 0) * 100);
const sumOf = (rows: Record<string, Value>[], column: string) =>
  rows.reduce((sum, row) => sum + paise(row[column]), 0);
const datedIn = (month: string) => ledger.filter((row) => row.on_date.startsWith(month));
const signOf = (row: Ledger) => (row.kind === "invoice" ? 1 : -1);
const total = (rows: Ledger[], column: keyof Ledger) =>
  rows.reduce((sum, row) => sum + signOf(row) * Number(row[column]), 0);
const isoDate = (value: Value | undefined) => (value as Date).toISOString().slice(0, 10);
/** The amounts of the summary by their label. */
const summaryOf = (month: string) =>
  new Map((books.get(month)!.get("Summary") ?? []).map((row) => [String(row[0]), row]));

it("the year has all that a year can have", () => {
  expect(new Set(ledger.map((row) => row.state_code)).size).toBe(37);
  const companies = ledger.filter((row) => row.customer_gstin !== null);
  expect(new Set(companies.map((row) => row.state_code)).size).toBe(37);
  expect(companies.some((row) => row.kind === "credit_note")).toBe(true);
  expect(new Set(ledger.map((row) => row.number.slice(0, 8)))).toEqual(
    new Set(["AC/26-27", "AC/27-28", "CN/26-27", "CN/27-28"]),
  );
  expect(ledger.some((row) => row.round_off_paise !== 0)).toBe(true);
});

describe("the register", () => {
  it("holds each document once, in the month of its date, with columns that tie", () => {
    const rows = MONTHS.flatMap((month) =>
      registerOf(month).map((row) => {
        expect(isoDate(row.Date).slice(0, 7)).toBe(month);
        return row;
      }),
    );
    expect(rows.map((row) => row["Document no."]).sort()).toEqual(
      ledger.map((row) => row.number).sort(),
    );
    const byNumber = new Map(ledger.map((row) => [row.number, row]));
    for (const row of rows) {
      const stored = byNumber.get(String(row["Document no."]))!;
      const parts = ["Taxable value", "IGST", "CGST", "SGST", "Round-off"].map((n) =>
        paise(row[n]),
      );
      expect(parts.reduce((sum, part) => sum + part, 0)).toBe(paise(row.Total));
      expect(paise(row.Total)).toBe(signOf(stored) * stored.total_paise);
      expect(paise(row.CGST)).toBe(paise(row.SGST));
      expect(row.Type).toBe(stored.kind === "invoice" ? "Invoice" : "Credit note");
      expect(row["Original invoice no."]).toBe(stored.invoice_number);
      const [net, fee, tax] = ["Net (Total less both)", "Fee (without GST)", "Fee GST"].map(
        (name) => row[name],
      );
      if (stored.kind === "credit_note") {
        expect([net, fee, tax]).toEqual([row.Total, null, null]);
      } else if (fee !== null) {
        expect(paise(net)).toBe(paise(row.Total) - paise(fee) - paise(tax));
      } else expect([net, tax]).toEqual([null, null]);
    }
    expect(rows.some((row) => row.Type === "Invoice" && row["Fee GST"] === null)).toBe(true);
    expect(rows.filter((row) => row["Fee GST"] !== null).length).toBeGreaterThan(50);
  });
});

describe("the summary", () => {
  it.each(MONTHS)("of %s ties tax, fees, and the ledger to the list's revenue", (month) => {
    const summary = summaryOf(month);
    const amount = (label: string, column = 2) => paise(summary.get(label)?.[column]);
    const documents = datedIn(month);
    for (const sheet of ["b2b,sez,de", "b2cs", "cdnr", "hsn(b2b)", "hsn(b2c)"]) {
      const rows = toolRows(month, sheet);
      expect(amount(sheet, 1)).toBe(sumOf(rows, "Taxable Value"));
      expect(amount(sheet, 4)).toBe(amount(sheet, 3) - amount(sheet, 2));
      const notes = documents.filter(({ kind }) => kind === "credit_note").length;
      expect(Math.abs(amount(sheet, 4))).toBeLessThanOrEqual(2 * notes);
      // At most half a paisa of rounding for each row and each of its two taxes.
      const exact = 0.18 * amount(sheet, 1);
      expect(Math.abs(amount(sheet, 2) - exact)).toBeLessThanOrEqual(rows.length);
    }
    const charged = (rows: Ledger[]) =>
      total(rows, "igst_paise") + total(rows, "cgst_paise") + total(rows, "sgst_paise");
    expect(amount("b2b,sez,de", 3) + amount("b2cs", 3) - amount("cdnr", 3)).toBe(
      charged(documents),
    );
    expect(amount("hsn(b2b)", 3) + amount("hsn(b2c)", 3)).toBe(charged(documents));

    const companies = documents.filter((row) => row.customer_gstin && row.kind === "invoice");
    const listed = toolRows(month, "b2b,sez,de").map((row) => [
      ...[row["Invoice Number"], row["GSTIN/UIN of Recipient"], paise(row["Invoice Value"])],
    ]);
    expect(listed.sort()).toEqual(
      companies.map((row) => [row.number, row.customer_gstin, row.total_paise]).sort(),
    );

    const invoices = registerOf(month).filter((row) => row.Type === "Invoice");
    expect(amount("Fee without GST")).toBe(0 - sumOf(invoices, "Fee (without GST)"));
    expect(amount("GST on the fee")).toBe(0 - sumOf(invoices, "Fee GST"));
    expect(amount("Net (Total less both)")).toBe(sumOf(registerOf(month), "Net (Total less both)"));

    expect(amount("Total of the register, by document date")).toBe(total(documents, "total_paise"));
    const { kept } = till.rows(
      "SELECT coalesce(sum(kept_paise), 0) AS kept FROM appointment WHERE on_date LIKE ?",
      `${month}%`,
    )[0];
    expect(amount("Revenue of the list, by session date")).toBe(kept);
    expect(amount("Together")).toBe(kept);
    expect(amount("Difference")).toBe(0);
  });

  it("needs every line of the bridge that a year can need", () => {
    const counts = (label: string) =>
      MONTHS.map((month) => Number(summaryOf(month).get(label)?.[1] ?? 0)).reduce((a, b) => a + b);
    expect(counts("Documents of appointments deleted since")).toBeGreaterThan(0);
    expect(counts("Documents for sessions of other months")).toBeGreaterThan(0);
    expect(counts("Documents of other months for sessions of this one")).toBeGreaterThan(0);
    expect(counts("Refunds wanted and not credited yet")).toBeGreaterThan(0);
    expect(counts("Credit notes of refunds that count no more")).toBeGreaterThan(0);
  });
});
