import readXlsxFile from "read-excel-file/node";
import { expect, it } from "vitest";
import { book, bookAndPay } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

it("hands out the list's own rows, and the documents of the dates", async () => {
  // The day may turn while the test runs.
  const firstDay = dayAhead(0);
  const date = dayAhead(5);
  const paid = await bookAndPay(app, { date, name: "=HYPERLINK(1)", notes: "@sum" });
  const pending = await book(app, { date, counselor: ROHAN, timeSlot: "11:00" });
  const gone = await bookAndPay(app, { date, timeSlot: "15:00" });
  await admin(`/appointments/${gone.id}`, { method: "DELETE" });

  const file = await admin(`/export?startDate=${date}&endDate=${date}`);
  expect(file.httpStatus).toBe(200);
  expect(file.headers.get("Content-Type")).toBe(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  );
  const names = [firstDay, dayAhead(0)].map(
    (day) => `attachment; filename="appointments_export_${day}.xlsx"`,
  );
  expect(names).toContain(file.headers.get("Content-Disposition"));
  const sheets = await readXlsxFile(file.bytes);
  expect(sheets.map(({ sheet }) => sheet)).toEqual([
    "Appointments",
    "GST summary",
    "Documents issued",
    "Totals",
  ]);
  const [head, ...rows] = sheets[0]!.data;
  const column = (name: string) => head!.indexOf(name);
  expect(rows.map((row) => row[column("Appointment ID")])).toEqual([pending.id, paid.id]);
  const row = rows[1]!;
  expect(row[column("Customer")]).toBe("'=HYPERLINK(1)");
  expect(row[column("Total (₹)")]).toBe(1179);
  expect(row.slice(column("Payment method"), column("Invoice no."))).toEqual([
    ...["UPI", 0, 1179, 23.58, 4.24, 1151.18],
  ]);
  const stats = await admin(`/appointments?startDate=${date}&endDate=${date}`);
  const totals = new Map(sheets[3]!.data.map(([label, amount]) => [label, amount]));
  expect(totals.get("Kept")).toBe(stats.data.stats.totalRevenue);
  expect([totals.get("Kept"), totals.get("Difference")]).toEqual([1179, 0]);
  expect(row[column("Status")]).toBe("Confirmed");
  expect(row[column("Session date")]).toBeInstanceOf(Date);
  expect(row[column("Phone")]).toMatch(/^\+91/);
  expect(rows[0]![column("Invoice no.")]).toBeNull();

  const today = new URLSearchParams({
    startDate: firstDay,
    endDate: dayAhead(0),
    counselor: ROHAN,
  });
  const ofToday = await readXlsxFile((await admin(`/export?${today}`)).bytes);
  // Documents go by their own date: the deleted appointment's invoice is among them.
  expect(ofToday[0]!.data).toHaveLength(1);
  expect(ofToday[2]!.data[1]).toContain(2);

  const { data } = await admin("/activity-logs?q=export");
  expect(data.logs[0]).toMatchObject({ actor: "admin", action: "export", after: { rows: 0 } });
});
