/** A month for the accountant: the call, the page's button, and what is no month. */
import readXlsxFile from "read-excel-file/node";
import { expect, it } from "vitest";
import { bookAndPay } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);
/** Of every document here, unless midnight comes. */
const month = dayAhead(0).slice(0, 7);

const get = (path: string, method = "GET") => app.api(path, { method, token: admin.token });
const sheetsOf = async ({ bytes }: { bytes: Buffer }) => {
  const sheets = await readXlsxFile(bytes);
  return new Map(sheets.map(({ sheet, data }) => [sheet, data]));
};
const exports = () =>
  app.db.allRaw<{ actor: string; after: string }>(
    `SELECT actor, "after" FROM activity WHERE action = 'gst_export' ORDER BY id`,
  );

it("goes out by the call and by the page's link, and is logged", async () => {
  const { paymentId } = await bookAndPay(app, { date: dayAhead(20), state: "27" });
  const gone = await bookAndPay(app, { date: dayAhead(21) });
  await admin(`/appointments/${gone.id}/cancel`, { method: "POST" });
  await eventually(() =>
    expect(app.db.allRaw("SELECT 1 FROM document WHERE kind = 'credit_note'")).toHaveLength(1),
  );
  for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
    const answer = await get(`${path}?month=${month}`);
    expect(answer.httpStatus).toBe(200);
    expect(answer.headers.get("content-disposition")).toBe(
      `attachment; filename="gst_${month}.xlsx"`,
    );
    const sheets = await sheetsOf(answer);
    const names = ["Register", "Summary", "Settlements", "Journal", "b2cs", "hsn(b2c)", "docs"];
    expect([...sheets.keys()]).toEqual(names);
    const [name, gstin, , , head, first, ...more] = sheets.get("Register")!;
    expect([name![0], gstin![0]]).toEqual([app.env.BUSINESS_NAME, app.env.BUSINESS_GSTIN]);
    const row = Object.fromEntries(head!.map((heading, i) => [String(heading), first![i]]));
    expect(row).toMatchObject({
      ...{
        Type: "Invoice",
        "Place of supply": "27-Maharashtra",
        IGST: 179.82,
        "Round-off": 0.18,
        Total: 1179,
      },
      ...{ "Payment ID": paymentId, "Fee (without GST)": 23.58, "Fee GST": 4.24 },
      ...{ Method: "UPI", "Net (Total less both)": 1151.18 },
      Reference: expect.stringMatching(/^\d{12}$/),
    });
    expect(more.map((cells) => cells[13])).toEqual([1179, -1179]);
  }
  const entry = { actor: "admin", after: JSON.stringify({ month }) };
  expect(exports()).toEqual([entry, entry]);

  const page = await get(`/admin/documents?month=${month}`);
  expect(page.text).toContain(`href="/admin/documents/gst?month=${month}"`);
});

it("answers the journal of a month as CSV, and no other format", async () => {
  for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
    const answer = await get(`${path}?month=${month}&format=csv`);
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(answer.headers.get("content-disposition")).toContain(`"journal_${month}.csv"`);
    const [head, ...lines] = answer.text.split("\r\n");
    expect(head).toBe("Journal Date,Reference Number,Notes,Account,Debit,Credit");
    expect(lines.some((line) => line.includes(`,Output IGST,,179.82`))).toBe(true);
  }
  expect((await get(`/api/admin/gst?month=${month}&format=pdf`)).httpStatus).toBe(400);
});

it("answers a HEAD request with headers only, and nobody without a session", async () => {
  const before = exports().length;
  for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
    expect((await get(`${path}?month=${month}`, "HEAD")).httpStatus).toBe(200);
  }
  expect((await fetch(`${app.origin}/api/admin/gst?month=${month}`)).status).toBe(401);
  expect((await get(`/api/admin/gst?month=${month}`, "POST")).httpStatus).toBe(405);
  expect(exports()).toHaveLength(before);
});

it("of a month without documents says so", async () => {
  const sheets = await sheetsOf(await get("/api/admin/gst?month=2031-02"));
  expect([...sheets.keys()]).toEqual(["Register", "Summary", "Settlements", "Journal"]);
  for (const sheet of ["Register", "Summary"])
    expect(sheets.get(sheet)![3]![0]).toBe("No documents in this month.");
  const page = await get("/admin/documents?month=2031-02");
  expect(page.text).toContain("No documents in this month");
});

const FAULT = "Please choose a month, for example 2026-11.";

it.each(["", "?month=", "?month=2026-13", "?month=2026-1", "?month=november", "?month=__proto__"])(
  "of a month that is none (%j) is refused, on the page at its field",
  async (query) => {
    const answer = await admin(`/gst${query}`);
    expect([answer.httpStatus, answer.code]).toEqual([400, "validation_failed"]);
    expect([answer.message, answer.errors]).toEqual([FAULT, { month: [FAULT] }]);
    const back = await get(`/admin/documents/gst${query}`);
    expect(back.httpStatus).toBe(303);
    for (const path of ["/api/admin/gst", "/admin/documents/gst"]) {
      const [read, head] = [await get(path + query), await get(path + query, "HEAD")];
      expect(head.httpStatus).toBe(read.httpStatus);
    }
    const page = await get(back.headers.get("location")!);
    expect(page.text.replaceAll("<!-- -->", "")).toContain(FAULT);
    expect(page.text).toContain('aria-invalid="true"');
  },
);
