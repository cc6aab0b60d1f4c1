/** Money received in one month and invoiced in a later one, in the accountant's workbook of each. */
import { expect, it } from "vitest";
import { read } from "xlsx";
import { makeGstMonth } from "#app/documents/render/gst-workbook.server.ts";
import { instantOf } from "#app/model/dates.ts";
import { monthOf } from "#app/model/month.ts";
import { monthOptions } from "#app/routes/admin/money/documents-month.server.ts";
import type { OpenDb } from "#db/connection.server.ts";
import { insertDocument } from "#db/queries/documents.server.ts";
import { FILER, rowsOf } from "#tests/support/gst-month.ts";
import { freshTill } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";

const till = freshTill({ env: { BUSINESS_STATE: "29", BUSINESS_GSTIN: FILER.gstin } });

const EARLIER = "Received in an earlier month";
const LATER = "Received in this month, invoiced later";

/** What stands in the month's summary from a heading to the next empty row. */
function table(month: string, heading: string): string[][] {
  const { path } = till.deps.db as OpenDb;
  const rows = rowsOf(read(makeGstMonth(path, monthOf(month), FILER, "xlsx")), "Summary");
  const start = rows.findIndex(([label]) => label === heading);
  const length = rows.slice(start).findIndex((row) => row.every((cell) => cell === ""));
  return start < 0 ? [] : rows.slice(start + 1, start + length);
}

it("stands in the month of the money as in that of the invoice, with the tables of GSTR-1", () => {
  till.clock.now = instantOf("2026-12-02", "10:00");
  const payment = { by: "offline", method: "cash", receivedOn: "2026-11-30" };
  const number = till.bookByStaff({ payment }).invoiceNumber!;
  const same = [number, "30-Nov-2026", "999.00", "179.82", "0.00", "89.91", "89.91"];
  const where = ["29-Karnataka", "18"];
  const note = [expect.stringContaining("Table 11A"), ...Array(9).fill("")];
  expect(table("2026-11", LATER)).toEqual([["02-Dec-2026", ...same, ...where], note]);
  expect(table("2026-12", EARLIER)).toEqual([["November 2026", ...same, ...where], note]);
  const offered = (asked: string) => monthOptions(till.deps, asked).map(([month]) => month);
  expect(offered("2026-11")).toEqual(["2026-12", "2026-11"]);
  // Also one of neither documents nor money, as an address may ask for it.
  expect(offered("2026-09")).toEqual(["2026-12", "2026-11", "2026-09"]);
  expect(offered("2027-01")).toEqual(["2027-01", "2026-12", "2026-11"]);
  for (const [month, heading] of [
    ["2026-10", LATER],
    ["2026-11", EARLIER],
    ["2026-12", LATER],
  ] as const) {
    expect(table(month, heading).map(([cell]) => cell)).toEqual(["None"]);
  }
});

it("is neither of another month, nor invoiced in it, nor a credit note, nor a sample", () => {
  const end = instantOf("2026-12-01", "00:00");
  const usual = { onDate: "2026-12-01", paidAt: end - 1 };
  const OTHERS = [
    {},
    { paidAt: instantOf("2026-11-01", "00:00") },
    { paidAt: instantOf("2026-11-01", "00:00") - 1 },
    { paidAt: end },
    { paidAt: null },
    { onDate: "2026-11-30" },
    { sample: true },
    { kind: "credit_note", series: "CN", invoiceNumber: "1", refundId: "r" },
  ] as const;
  for (const [i, changes] of OTHERS.entries()) {
    const number = String(i + 1);
    const of = { number, serial: i + 1, paymentId: `pay_${number}`, appointmentId: number };
    insertDocument(till.deps.db, ledgerRow({ ...usual, ...of, ...changes }));
  }
  const rows = table("2026-11", LATER);
  expect(rows.slice(0, -1).map(([, number]) => number)).toEqual(["1", "2"]);
});
