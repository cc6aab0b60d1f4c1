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

describe("the year", () => {
  it("has all that a year can have", () => {
    expect(new Set(ledger.map((row) => row.state_code)).size).toBe(37);
    const companies = ledger.filter((row) => row.customer_gstin !== null);
    expect(new Set(companies.map((row) => row.state_code)).size).toBe(37);
    expect(companies.some((row) => row.kind === "credit_note")).toBe(true);
    expect(new Set(ledger.map((row) => row.number.slice(0, 8)))).toEqual(
      new Set(["AC/26-27", "AC/27-28", "CN/26-27", "CN/27-28"]),
    );
    expect(ledger.some((row) => row.round_off_paise !== 0)).toBe(true);
  });
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
    expect(rows.filter((row) => row["Fee GST"] !== null).length).toBeGreaterThan(100);
  });

  it("has name, GSTIN and period on top, as the summary has", () => {
    for (const sheet of ["Register", "Summary"]) {
      const rows = books.get("2027-02")!.get(sheet)!;
      const head = [SUPPLIER.name, SUPPLIER.gstin, "February 2027 (2027-02)"];
      expect(rows.slice(0, 3).map(([first]) => first)).toEqual(head);
    }
    expect(books.get("2027-02")!.get("Register")![4]).toEqual([
      ...["Date", "Document no.", "Type", "Original invoice no.", "Customer", "GSTIN"],
      ...["Place of supply", "SAC", "Taxable value", "IGST", "CGST", "SGST", "Round-off", "Total"],
      ...["Payment ID", "Method", "Fee (without GST)", "Fee GST", "Net (Total less both)"],
      ...["Paid on", "Reference"],
    ]);
  });
});

describe("the tool's sheets", () => {
  it.each(MONTHS)("of %s tie to the documents dated in it", (month) => {
    const documents = datedIn(month);
    const companies = documents.filter((row) => row.customer_gstin !== null);
    const consumers = documents.filter((row) => row.customer_gstin === null);
    const invoices = companies.filter((row) => row.kind === "invoice");
    const notes = companies.filter((row) => row.kind === "credit_note");

    const listed = (sheet: string, number: string, value: string) =>
      toolRows(month, sheet).map((row) => [
        row[number],
        row["GSTIN/UIN of Recipient"],
        ...[paise(row[value]), paise(row["Taxable Value"]), row.Rate],
      ]);
    const expected = (rows: Ledger[]) =>
      rows.map((row) => [
        ...[row.number, row.customer_gstin, row.total_paise, row.taxable_paise, 18],
      ]);
    const sorted = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(sorted(listed("b2b,sez,de", "Invoice Number", "Invoice Value"))).toEqual(
      sorted(expected(invoices)),
    );
    expect(sorted(listed("cdnr", "Note Number", "Note Value"))).toEqual(sorted(expected(notes)));

    const places = Object.groupBy(consumers, (row) => row.state_code);
    const b2cs = toolRows(month, "b2cs");
    expect(
      b2cs.map((row) => [String(row["Place Of Supply"]).slice(0, 2), paise(row["Taxable Value"])]),
    ).toEqual(
      Object.entries(places)
        .sort()
        .map(([code, rows]) => [code, total(rows!, "taxable_paise")]),
    );

    for (const [sheet, rows] of [
      ["hsn(b2b)", companies],
      ["hsn(b2c)", consumers],
    ] as const) {
      const [line, ...more] = toolRows(month, sheet);
      expect(more).toEqual([]);
      if (rows.length === 0) expect(line).toBeUndefined();
      else {
        expect(line).toEqual({
          ...{ HSN: "999299", Description: null, UQC: "NA", "Total Quantity": 0, Rate: 18 },
          "Total Value": total(rows, "total_paise") / 100,
          "Taxable Value": total(rows, "taxable_paise") / 100,
          "Integrated Tax Amount": total(rows, "igst_paise") / 100,
          "Central Tax Amount": total(rows, "cgst_paise") / 100,
          "State/UT Tax Amount": total(rows, "sgst_paise") / 100,
          "Cess Amount": 0,
        });
      }
    }

    const series = Object.groupBy(documents, (row) => row.number.slice(0, 8));
    expect(
      toolRows(month, "docs").map((row) => [
        ...[row["Sr. No. From"], row["Sr. No. To"], row["Total Number"], row.Cancelled],
      ]),
    ).toEqual(
      Object.entries(series)
        .sort()
        .map(([, rows]) => {
          const numbers = rows!.map((row) => row.number).sort();
          return [numbers[0], numbers.at(-1), rows!.length, 0];
        }),
    );
  });

  it("carry in row 3 what their rows sum up to", () => {
    for (const [sheet, rows] of books.get("2027-03")!) {
      if (["Register", "Summary", "Settlements", "Journal"].includes(sheet)) continue;
      const [, labels, totals, headings] = rows;
      for (const [column, label] of labels!.entries()) {
        if (label === null) continue;
        const heading = String(headings![column]);
        const values = toolRows("2027-03", sheet).map((row) => row[heading]);
        const counted = String(label).startsWith("No. of");
        const sum = counted
          ? new Set(values).size * 100
          : sumOf(toolRows("2027-03", sheet), heading);
        expect([sheet, label, paise(totals![column])]).toEqual([sheet, label, sum]);
      }
    }
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

  it.each(MONTHS)("of %s has a journal that is balanced and ties with the register", (month) => {
    const [, ...lines] = books.get(month)!.get("Journal")!;
    const sumIn = (rows: Rows, column: number) =>
      rows.reduce((sum, row) => sum + paise(row[column]), 0);
    for (const [, entry] of Map.groupBy(lines, (row) => row[1])) {
      expect(sumIn(entry, 3)).toBe(sumIn(entry, 4));
    }
    const ledgerSum = (name: string) => {
      const own = lines.filter((row) => row[2] === name);
      return sumIn(own, 4) - sumIn(own, 3);
    };
    const register = registerOf(month);
    expect(ledgerSum("Counselling Fees")).toBe(sumOf(register, "Taxable value"));
    for (const tax of ["IGST", "CGST", "SGST"]) {
      expect(ledgerSum(`Output ${tax}`)).toBe(sumOf(register, tax));
    }
    expect(ledgerSum("Round Off")).toBe(sumOf(register, "Round-off"));
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
