/** The export of a filter: its rows, up to a limit, and the documents of its dates alone. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { read, utils } from "xlsx";
import { insertDocument } from "#db/queries/documents.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { makeExport } from "./export-file.server.ts";

let test: TestDeps;
beforeAll(async () => {
  test = await makeDeps();
  const { db } = test.deps;
  insertManyAppointments(db, 10);
  db.runRaw("UPDATE appointment SET counselor_key = 'gone' WHERE status = 'cancelled'");
  for (const [serial, onDate] of ["2026-10-31", "2026-11-01", "2026-12-01"].entries()) {
    const name = { number: `AC/${serial}`, paymentId: String(serial) };
    insertDocument(db, ledgerRow({ ...name, serial, onDate }));
  }
});
afterAll(() => test.close());

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
