/** What the owner takes away: documents in a rush, the workbook, and a month for the accountant. */
import readXlsxFile from "read-excel-file/node";
import { beforeAll, describe, expect, it } from "vitest";
import { pdfResponse } from "#app/http/file-response.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { book, bookAndPay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";
import { ledgerRow } from "#tests/support/ledger-rows.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
let id: string;
beforeAll(async () => {
  ({ id } = await bookAndPay(app, { date: dayAhead(25) }));
});

const invoice = (method = "GET") => fetch(`${app.origin}/api/invoice/${id}`, { method });

describe("a rush for one document", () => {
  it("costs one rendering, and no export waits for it", async () => {
    // More than may wait to be rendered.
    const rush = Array.from({ length: 220 }, () => invoice());
    const [exported, ...answers] = await Promise.all([admin("/export"), ...rush]);
    expect(exported.status).toBe(200);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const bodies = await Promise.all(answers.map((answer) => answer.arrayBuffer()));
    expect(new Set(bodies.map(({ byteLength }) => byteLength)).size).toBe(1);
  });

  it("renders nothing for a HEAD request", async () => {
    const documents = {
      renderDocument: () => Promise.reject(new Error("rendered")),
    } as unknown as Parameters<typeof pdfResponse>[0]["documents"];
    const head = await pdfResponse({ documents }, { method: "HEAD" }, ledgerRow());
    expect(head.headers.get("content-type")).toBe("application/pdf");
    await expect(pdfResponse({ documents }, { method: "GET" }, ledgerRow())).rejects.toThrow();
    const { status, headers } = await invoice("HEAD");
    expect([status, headers.get("content-type")]).toEqual([200, "application/pdf"]);
  });
});

it("a calendar on the web is told neither of the person nor where the link was", async () => {
  const { text } = await app.api(`/booking/${id}`, { headers: { Accept: "text/html" } });
  const links = [...text.matchAll(/href="(https:[^"]*)" target="_blank" rel="([^"]*)"/g)];
  expect(links.map(([, to, rel]) => [new URL(to!).hostname, rel])).toEqual([
    ["calendar.google.com", "noopener noreferrer"],
    ["outlook.live.com", "noopener noreferrer"],
  ]);
  const { name, email, phone } = findAppointment(app.db, id)!.contact;
  const told = links.map(([, to]) => decodeURIComponent(to!)).join();
  expect(told.match(/session with Capt\. Asha Sample/g)).toHaveLength(2);
  for (const secret of [id, id.slice(-8), name, email, phone, app.origin]) {
    expect(told).not.toContain(secret);
  }
});

/** Of every document here, unless midnight comes. */
const month = dayAhead(0).slice(0, 7);

const get = (path: string, method = "GET") => app.api(path, { method, token: admin.token });
const sheetsOf = async ({ bytes }: { bytes: Buffer }) => {
  const sheets = await readXlsxFile(bytes);
  return new Map(sheets.map(({ sheet, data }) => [sheet, data]));
};
const logged = () =>
  app.db.allRaw<{ actor: string; after: string }>(
    `SELECT actor, "after" FROM activity WHERE action IN ('export', 'gst_export', 'documents_export') ORDER BY id`,
  );

it("a month goes out by the call and by the page's link, and is logged", async () => {
  const { paymentId } = await bookAndPay(app, { date: dayAhead(20), state: "27" });
  await admin(`/appointments/${id}/cancel`, { method: "POST" });
  await eventually(() =>
    expect(app.db.allRaw("SELECT 1 FROM document WHERE kind = 'credit_note'")).toHaveLength(1),
  );
  for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
    const answer = await get(`${path}?month=${month}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="gst_${month}.xlsx"`,
    );
    const sheets = await sheetsOf(answer);
    const names = ["Register", "Summary", "Settlements", "Journal", "b2cs", "hsn(b2c)", "docs"];
    expect([...sheets.keys()]).toEqual(names);
    const [name, gstin, , , head, first, second, ...more] = sheets.get("Register")!;
    expect([name![0], gstin![0]]).toEqual([app.env.BUSINESS_NAME, app.env.BUSINESS_GSTIN]);
    const row = Object.fromEntries(head!.map((heading, i) => [String(heading), second![i]]));
    expect(row).toMatchObject({
      ...{
        Type: "Invoice",
        "Place of supply": "27-Maharashtra",
        IGST: 179.82,
        "Round-off": 0.18,
        Total: 1179,
      },
      "Payment ID": paymentId,
      "Fee (without GST)": 23.58,
      "Fee GST": 4.24,
      Method: "UPI",
      "Net (Total less both)": 1151.18,
      Reference: expect.stringMatching(/^\d{12}$/),
    });
    expect([first!, ...more].map((cells) => cells[13])).toEqual([1179, -1179]);
  }
  const entry = { actor: "admin", after: JSON.stringify({ month }) };
  expect(logged().slice(-2)).toEqual([entry, entry]);
  const pdf = await get(`/admin/documents/month?month=${month}`);
  expect(pdf.headers.get("content-type")).toBe("application/pdf");
  expect(logged().slice(-3)).toEqual([entry, entry, entry]);

  const page = await get(`/admin/documents?month=${month}`);
  expect(page.text).toContain(`href="/admin/documents/gst?month=${month}"`);
});

it("the journal of a month is CSV, and no other format", async () => {
  for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
    const answer = await get(`${path}?month=${month}&format=csv`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`"journal_${month}.csv"`);
    const [head, ...lines] = answer.text.split("\r\n");
    expect(head).toBe("Journal Date,Reference Number,Notes,Account,Debit,Credit");
    expect(lines.some((line) => line.includes(`,Output IGST,,179.82`))).toBe(true);
  }
  expect((await get(`/api/admin/gst?month=${month}&format=pdf`)).status).toBe(400);
});

it("a HEAD request is answered with headers only, and logs nothing", async () => {
  const before = logged().length;
  for (const path of [
    ...["/api/admin/gst", "/admin/documents/gst", "/admin/documents/month"].map(
      (one) => `${one}?month=${month}`,
    ),
    ...["/api/admin/export", "/admin/export"],
  ]) {
    expect([path, (await get(path, "HEAD")).status]).toEqual([path, 200]);
  }
  expect(logged()).toHaveLength(before);
});

it.each(["appointments/UNKNOWN/invoice", "customers/UNKNOWN/data"])(
  "a file of nobody (%s) is answered with words",
  async (path) => {
    const answer = await get(`/admin/${path.replace("UNKNOWN", UNKNOWN_ID)}`);
    expect([answer.status, answer.text]).toEqual([404, "Not Found"]);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
  },
);

it("a month without documents says so", async () => {
  const page = await get("/admin/documents?month=2031-02");
  expect(page.text).toContain("No documents in this month");
  const shown = /<option value="([^"]*)" selected/.exec(page.html)?.[1];
  expect(shown).toBe("2031-02");
});

it.each(["", "?month=", "?month=2026-13", "?month=2026-1", "?month=november", "?month=__proto__"])(
  "a month that is none (%j) is refused, on the page at its field",
  async (query) => {
    const fault = "Please choose a month, for example 2026-11.";
    const answer = await admin(`/gst${query}`);
    expect([answer.status, answer.code]).toEqual([400, "validation_failed"]);
    expect([answer.message, answer.errors]).toEqual([fault, { month: [fault] }]);
    const back = await get(`/admin/documents/gst${query}`);
    expect(back.status).toBe(303);
    expect((await get(`/api/admin/gst${query}`, "HEAD")).status).toBe(400);
    expect((await get(`/admin/documents/gst${query}`, "HEAD")).status).toBe(303);
    // Without a month it is the present one.
    const file = await get(`/admin/documents/month${query}`);
    expect([file.status, file.to]).toEqual(query === "" ? [200, null] : [303, back.to]);
    const page = await get(back.to!);
    expect(page.html).toContain(fault);
    expect(page.text).toContain('aria-invalid="true"');
  },
);

it("the workbook hands out the list's own rows, and the documents of the dates", async () => {
  // The day may turn while the test runs.
  const firstDay = dayAhead(0);
  const date = dayAhead(5);
  const paid = await bookAndPay(app, { date, name: "=HYPERLINK(1)" });
  const pending = await book(app, { date, counselor: ROHAN, timeSlot: "11:00" });
  const gone = await bookAndPay(app, { date, timeSlot: "15:00" });
  await admin(`/appointments/${gone.id}`, { method: "DELETE" });

  const file = await admin(`/export?startDate=${date}&endDate=${date}`);
  expect(file.status).toBe(200);
  expect(file.headers.get("Content-Type")).toBe(
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  );
  expect(file.headers.get("Content-Disposition")).toMatch(
    /^attachment; filename="appointments_export_\d{4}-\d\d-\d\d\.xlsx"$/,
  );
  const sheets = await sheetsOf(file);
  const names = ["Appointments", "GST summary", "Documents issued", "Totals"];
  expect([...sheets.keys()]).toEqual(names);
  const [head, ...rows] = sheets.get("Appointments")!;
  const column = (name: string) => head!.indexOf(name);
  expect(rows.map((row) => row[column("Appointment ID")])).toEqual([pending.id, paid.id]);
  const row = rows[1]!;
  expect(row[column("Customer")]).toBe("'=HYPERLINK(1)");
  expect(row[column("Phone")]).toMatch(/^\+91/);
  expect(row[column("Session date")]).toBeInstanceOf(Date);
  expect(row[column("Total (₹)")]).toBe(1179);
  expect(row.slice(column("Payment method"), column("Invoice no."))).toEqual([
    ...["UPI", 0, 1179, 23.58, 4.24, 1151.18],
  ]);
  const stats = await admin(`/appointments?startDate=${date}&endDate=${date}`);
  const totals = new Map(sheets.get("Totals")!.map(([label, amount]) => [label, amount]));
  expect(totals.get("Kept")).toBe(stats.data.stats.totalRevenue);
  expect([totals.get("Kept"), totals.get("Difference")]).toEqual([1179, 0]);

  const today = new URLSearchParams({
    startDate: firstDay,
    endDate: dayAhead(0),
    counselor: ROHAN,
  });
  const ofToday = await sheetsOf(await admin(`/export?${today}`));
  // Documents go by their own date: the deleted appointment's invoice is among them.
  expect(ofToday.get("Appointments")).toHaveLength(1);
  expect(ofToday.get("Documents issued")![1]).toContain(4);
});
