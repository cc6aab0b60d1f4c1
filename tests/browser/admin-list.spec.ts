/** The dashboard: figures, filters, search, paging, order, export; with scripts and without. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import readXlsxFile from "read-excel-file/node";
import { adminDate } from "#app/model/dates.ts";
import { book } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";
  const deskOf = (page: Page, noJsPage: Page) => (scripts ? page : noJsPage);

  test(`filters by dates, counselor and status ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const date = dayAhead(scripts ? 88 : 89);
    const wishes = [
      guest({ date, timeSlot: "10:00", counselor: ASHA }),
      guest({ date, timeSlot: "10:00", counselor: ROHAN }),
    ];
    for (const wish of wishes) await book(app, wish);
    await openDesk(desk, app);
    await desk.getByLabel("From").fill(date);
    await desk.getByLabel("To", { exact: true }).fill(date);
    await desk.getByLabel("Counselor", { exact: true }).selectOption("All Counselors");
    const status = desk.getByLabel("Status", { exact: true });
    await expect(status.getByRole("option")).toHaveText([
      "All Status",
      "Confirmed",
      "Pending Payment",
      "Cancelled",
      "Rescheduled",
    ]);
    await status.selectOption("Pending Payment");
    await desk.getByRole("button", { name: "Apply Filters" }).click();
    await expect(desk).toHaveURL(new RegExp(`startDate=${date}.*status=pending_payment`));
    for (const { name } of wishes) await expect(rowOf(desk, name)).toBeVisible();

    await desk.getByLabel("Counselor", { exact: true }).selectOption(ASHA);
    await desk.getByRole("button", { name: "Apply Filters" }).click();
    await expect(rowOf(desk, wishes[1]!.name)).toBeHidden();
    await expect(rowOf(desk, wishes[0]!.name)).toBeVisible();

    await status.selectOption("Cancelled");
    await desk.getByRole("button", { name: "Apply Filters" }).click();
    await expect(desk.getByText("No appointments found")).toBeVisible();
    await desk.getByRole("link", { name: "Clear filters" }).click();
    await expect(desk.getByLabel("From")).toHaveValue("");
  });

  test(`exports the filtered list ${how}`, async ({ page, noJsPage, app }) => {
    const desk = deskOf(page, noJsPage);
    const { name, body, paymentId } = await paidGuest(app);
    await openDesk(desk, app, listOf(name));
    // What is typed and not applied is no filter yet.
    await desk.getByLabel("Search").fill("nobody of this name");
    await desk.getByLabel("Status", { exact: true }).selectOption("Cancelled");
    const [download] = await Promise.all([
      desk.waitForEvent("download"),
      desk.getByRole("button", { name: "Export Excel" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^appointments_export_\d{4}-\d{2}-\d{2}\.xlsx$/);
    if (scripts) await expect(notice(desk, "Export Successful")).toBeVisible();
    const sheets = await readXlsxFile(await readFile(await download.path()));
    expect(sheets.map(({ sheet }) => sheet)).toEqual([
      "Appointments",
      "GST summary",
      "Documents issued",
      "Totals",
    ]);
    const [, row = [], ...rest] = sheets[0]?.data ?? [];
    expect(rest).toEqual([]);
    const values: readonly unknown[] = row;
    expect(values).toContain(name);
    expect(values).toContain(paymentId);
    expect(values).toContain(1179);
    expect(values).toContain(`+91${body.phone}`);
    expect(values.some((value) => value instanceof Date)).toBe(true);
  });
}

test("shows a booking in the words of the specification", async ({ page, app }) => {
  const { id, name, body } = await paidGuest(app, { package: 45, packagePrice: 1299 });
  await openDesk(page, app, listOf(name));
  const row = rowOf(page, name);
  await expect(row.getByText(`#${id.slice(-6)}`)).toBeVisible();
  for (const text of [body.email, adminDate(body.date), "45 min"]) {
    await expect(row.getByText(text)).toBeVisible();
  }
  for (const text of [ROHAN, "₹1,299 + GST"]) {
    await expect(row.getByText(text, { exact: true })).toBeVisible();
  }
  await expect(row.getByText("Confirmed")).toBeVisible();
  await expect(row.getByText("₹1,533.00")).toBeVisible();
  await expect(stat(page, "Total Appointments")).toHaveText("1");
  await expect(stat(page, "Confirmed")).toHaveText("1");
  await expect(stat(page, "Pending Payment")).toHaveText("0");
  await expect(stat(page, "Revenue")).toHaveText("₹1,533");
});

test("finds by name, phone and shown id, and ignores a wrong filter", async ({ page, app }) => {
  const wish = guest();
  const { id, body } = await book(app, wish);
  await openDesk(page, app);
  for (const q of [wish.name, body.phone, `#${id.slice(-6)}`, id.slice(-8)]) {
    await page.getByLabel("Search").fill(q);
    await page.getByRole("button", { name: "Apply Filters" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("q")).toBe(q);
    await expect(rowOf(page, wish.name)).toHaveCount(1);
  }
  await page.goto("/admin?status=lost&startDate=2026-02-30");
  await expect(page.getByText("Some filters were ignored")).toBeVisible();
  await expect(page.getByText("Status “lost”")).toBeVisible();
  await expect(page.getByRole("row").nth(1)).toBeVisible();
});

test("says why an export failed", async ({ page, app, problems }) => {
  problems.allow(/status of 503/);
  await openDesk(page, app);
  await page.route("**/api/admin/export*", (route) =>
    route.fulfill({ status: 503, json: { status: "error", message: "Please try again." } }),
  );
  await page.getByRole("button", { name: "Export Excel" }).click();
  await expect(notice(page, "Export Failed")).toBeVisible();
  await expect(notice(page, "Failed to export appointments data.")).toBeVisible();
});

test("says that a download broke off as it says any failure, beside the button until the next press", async ({
  page,
  app,
}) => {
  await openDesk(page, app);
  await answerExport(page, { breaks: true });
  const press = page.getByRole("button", { name: "Export Excel" });
  const beside = page.getByRole("search").getByText("Export failed", { exact: true });
  await press.click();
  await expect(notice(page, "Export Failed")).toBeVisible();
  await expect(notice(page, "Failed to export appointments data.")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(beside).toBeVisible();
  await press.click();
  await expect(page.getByText("Downloading, 50%")).toBeVisible();
  await expect(beside).toBeHidden();
});

test("tells a screen reader that an export has begun and that it is there, not each share", async ({
  page,
  app,
}) => {
  await openDesk(page, app);
  await page.evaluate(() => {
    const said: string[] = [];
    Object.assign(window, { said });
    const note = () => {
      for (const status of document.querySelectorAll("[role=status]")) {
        const text = status.textContent ?? "";
        if (text && said.at(-1) !== text) said.push(text);
      }
    };
    const changes = { childList: true, characterData: true, subtree: true };
    new MutationObserver(note).observe(document.body, changes);
  });
  await answerExport(page, { breaks: false });
  await page.getByRole("button", { name: "Export Excel" }).click();
  await expect(page.getByText("Downloading, 50%")).toBeVisible();
  await expect(notice(page, "Export Successful")).toBeVisible();
  const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
  expect(said).toContain("Making the workbook…");
  expect(said.filter((text) => text.includes("%"))).toEqual([]);
});

test("keeps a filter that has not loaded when the list is sorted or a row is opened", async ({
  page,
  app,
}) => {
  const { name } = await paidGuest(app);
  const other = await paidGuest(app);
  await openDesk(page, app, "/admin?sort=-created");
  await expect(rowOf(page, other.name)).toBeVisible();
  const waiting: (() => void)[] = [];
  await page.route("**/admin.data*", async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    // The browser gives up the call that a later one replaces.
    await route.continue().catch(() => {});
  });
  await page.getByLabel("Search").fill(name);
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect.poll(() => waiting.length).toBe(1);
  await page.getByRole("link", { name: "Amount" }).click();
  await expect.poll(() => waiting.length).toBe(2);
  await rowOf(page, name)
    .getByRole("link", { name: `View Details: ${name}` })
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(rowOf(page, other.name)).toBeHidden();
  await page.unroute("**/admin.data*");
  for (const go of waiting) go();
  await dialog.getByRole("link", { name: "Close the dialog" }).click();
  await expect(page).toHaveURL(/sort=-amount/);
  expect(new URL(page.url()).searchParams.get("q")).toBe(name);
  await expect(rowOf(page, name)).toBeVisible();
  await expect(rowOf(page, other.name)).toBeHidden();
  await expect(page.getByLabel("Search")).toHaveValue(name);
});

test("shows that the list is loading", async ({ page, app }) => {
  await openDesk(page, app);
  let answer = () => {};
  const seen = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/admin.data*", async (route) => {
    await seen;
    await route.continue();
  });
  await page.getByLabel("Search").fill("nobody of this name");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page.getByText("Loading appointments...")).toBeVisible();
  answer();
  await expect(page.getByText("No appointments found")).toBeVisible();
  await expect(page.getByText("Loading appointments...")).toBeHidden();
});

test("fills the filters from the address, and keeps what is typed while a list loads", async ({
  page,
  app,
}) => {
  await openDesk(page, app, "/admin?q=asha&status=cancelled&sort=-amount");
  const search = page.getByLabel("Search");
  const fields = async () => [
    await search.inputValue(),
    await page.getByLabel("Status", { exact: true }).inputValue(),
    await page.getByLabel("Order", { exact: true }).inputValue(),
  ];
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect.poll(fields).toEqual(["", "", "-date"]);
  await page.goBack();
  await expect.poll(fields).toEqual(["asha", "cancelled", "-amount"]);

  const held = Promise.withResolvers<void>();
  await page.route("**/admin.data*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await search.fill("rohan");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page.getByText("Loading appointments...")).toBeVisible();
  await search.fill("rohan m");
  held.resolve();
  await expect(page).toHaveURL(/q=rohan&/);
  await expect(page.getByText("Loading appointments...")).toBeHidden();
  expect(await fields()).toEqual(["rohan m", "cancelled", "-amount"]);
});

test("pages and orders the list", async ({ page, app }) => {
  test.slow();
  const mark = `Paging ${process.env.TEST_PARALLEL_INDEX ?? 0}`;
  const times = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
  for (let i = 0; i < 52; i++) {
    const wish = guest({
      name: `${mark} ${String(i).padStart(2, "0")}`,
      counselor: ASHA,
      date: dayAhead(60 + Math.floor(i / 6)),
      timeSlot: times[i % 6]!,
    });
    await book(app, wish);
  }
  // Shortly before midnight the end of a hold is said with its date, in a line more.
  app.db.runRaw("UPDATE appointment SET hold_until = created_at WHERE name LIKE ?", [`${mark}%`]);
  await openDesk(page, app, `/admin?q=${encodeURIComponent(mark)}&sort=date`);
  await expect(page.getByRole("row")).toHaveCount(51);
  await expect(page.getByText("1 to 50 of 52")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("51 to 52 of 52")).toBeVisible();
  // The last page has no Next: the focus goes to where the rows begin, as the eyes do.
  const heading = page.getByRole("heading", { name: "Recent Appointments" });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(page.getByText("52 appointments, page 2 of 2, sorted by oldest")).toBeVisible();
  await expect(rowOf(page, `${mark} 51`)).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await page.getByRole("link", { name: "Date & Time" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText(`${mark} 51`);
  expect(new URL(page.url()).searchParams.get("sort")).toBe("-date");

  await page.setViewportSize({ width: 360, height: 740 });
  const rows = page.getByRole("rowgroup").last().getByRole("row");
  await expect(rows).toHaveCount(50);
  const list = page.getByRole("region", { name: "Recent Appointments" });
  expect((await list.boundingBox())!.height).toBeLessThanOrEqual(6_000);
  await expect(rows.getByRole("link", { name: mark })).toHaveCount(50);
  await expect(rows.getByRole("link")).toHaveCount(50);
});

function stat(page: Page, label: string) {
  return page.locator("dl > div").filter({ hasText: label }).locator("dd").first();
}

/** The workbook in two parts with a pause between them; it may break off after the first. */
async function answerExport(page: Page, { breaks }: { breaks: boolean }): Promise<void> {
  await page.evaluate((breaksOff) => {
    const { fetch: real } = window;
    window.fetch = async (input, init) => {
      if (!String(input).startsWith("/api/admin/export")) return real(input, init);
      const parts = [new Uint8Array(50), new Uint8Array(50)];
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((done) => setTimeout(done, 700));
          const part = parts.pop();
          if (breaksOff && parts.length === 0) controller.error(new TypeError("network error"));
          else if (part) controller.enqueue(part);
          else controller.close();
        },
      });
      return new Response(body, { headers: { "Content-Length": "100" } });
    };
  }, breaks);
}
