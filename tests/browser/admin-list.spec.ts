/** The list of appointments: export, filters while it loads, paging, order, and the quick search. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import readXlsxFile from "read-excel-file/node";
import { listen } from "#tests/support/heard.ts";
import { insertManyAppointments } from "#tests/support/many-appointments.ts";
import { confirmedGuest, linkOf, listOf, notice, openDesk, rowOf } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

test("exports the filtered list, says how it goes and if it broke off", async ({ page, app }) => {
  const { name } = await confirmedGuest(app);
  await openDesk(page, app, listOf(name));
  // What is typed and not applied is no filter yet.
  await page.getByLabel("Search").fill("nobody of this name");
  await page.getByLabel("Status", { exact: true }).selectOption("Cancelled");
  const exportButton = page.getByRole("button", { name: "Export Excel" });
  const [download] = await Promise.all([page.waitForEvent("download"), exportButton.click()]);
  expect(download.suggestedFilename()).toMatch(/^appointments_export_\d{4}-\d{2}-\d{2}\.xlsx$/);
  await expect(notice(page, "Export Successful")).toBeVisible();
  const [sheet] = await readXlsxFile(await readFile(await download.path()));
  expect(sheet?.data).toHaveLength(2);
  expect(sheet?.data[1]).toContain(name);

  const beside = page.getByRole("search").getByText("Export failed", { exact: true });
  await answerExport(page, { breaks: true });
  await exportButton.click();
  await expect(notice(page, "Export Failed")).toBeVisible();
  await expect(notice(page, "Failed to export appointments data.")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(beside).toBeVisible();

  const { texts } = await listen(page);
  await answerExport(page, { breaks: false });
  await exportButton.click();
  await expect(page.getByText("Downloading, 50%")).toBeVisible();
  await expect(beside).toBeHidden();
  const said = await texts();
  await page.evaluate(() => (window as unknown as { goOn: () => void }).goOn());
  await expect(notice(page, "Export Successful")).toBeVisible();
  expect(said).toContain("Making the workbook…");
  expect(said.filter((text) => text.includes("%"))).toEqual([]);
});

test("sorting or opening a row keeps a filter that still loads", async ({ page, app }) => {
  const { name } = await confirmedGuest(app);
  const other = await confirmedGuest(app);
  await openDesk(page, app, "/admin?sort=-created");
  await expect(rowOf(page, other.name)).toBeVisible();
  const release = await hold(page, "**/admin.data*");
  await page.getByLabel("Search").fill(name);
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect.poll(release.asked).toBe(1);
  await page.getByRole("link", { name: "Amount" }).click();
  await expect.poll(release.asked).toBe(2);
  await linkOf(page, "View Details", name).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await expect(rowOf(page, other.name)).toBeHidden();
  await release();
  await dialog.getByRole("link", { name: "Close the dialog" }).click();
  await expect(page).toHaveURL(/sort=-amount/);
  expect(new URL(page.url()).searchParams.get("q")).toBe(name);
  await expect(rowOf(page, name)).toBeVisible();
  await expect(rowOf(page, other.name)).toBeHidden();
  await expect(page.getByLabel("Search")).toHaveValue(name);
});

test("the address fills the filters, a loading list keeps them", async ({ page, app }) => {
  await openDesk(page, app, "/admin?q=asha&status=cancelled&package=30&sort=-amount");
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

  const release = await hold(page, "**/admin.data*");
  await search.fill("rohan");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page.getByText("Loading appointments...")).toBeVisible();
  await search.fill("rohan m");
  await release();
  await expect(page).toHaveURL(/q=rohan&package=30&/);
  await expect(page.getByText("Loading appointments...")).toBeHidden();
  expect(await fields()).toEqual(["rohan m", "cancelled", "-amount"]);
});

test("pages and orders the list, and takes the focus along", async ({ page, app }) => {
  insertManyAppointments(app.db, 70);
  await openDesk(page, app, "/admin?q=mail.example&sort=date");
  await expect(page.getByRole("row")).toHaveCount(51);
  await expect(page.getByText("1 to 50 of 52")).toBeVisible();
  await page.getByRole("link", { name: "Next" }).click();
  await expect(page.getByText("51 to 52 of 52")).toBeVisible();
  // The last page has no Next: the focus goes to where the rows begin, as the eyes do.
  const heading = page.getByRole("heading", { name: "Recent Appointments" });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expect(page.getByText("52 appointments, page 2 of 2, sorted by oldest")).toBeVisible();
  await expect(rowOf(page, "Diya Iyer")).toBeVisible();
  await page.getByRole("link", { name: "Previous" }).click();
  await page.getByRole("link", { name: "Date & Time" }).click();
  await expect(page.getByRole("row").nth(1)).toContainText("Diya Iyer");
  expect(new URL(page.url()).searchParams.get("sort")).toBe("-date");

  const amount = page.getByRole("columnheader", { name: "Amount" });
  await amount.getByRole("link").focus();
  for (const order of ["descending", "ascending"]) {
    await page.keyboard.press("Enter");
    await expect(amount).toHaveAttribute("aria-sort", order);
    await expect(amount.getByRole("link")).toBeFocused();
    await expect(page.locator("[aria-sort]")).toHaveCount(1);
  }
  const summary = page.getByRole("status").filter({ hasText: "appointments" });
  await expect(summary).toContainText("sorted by lowest amount first");

  await page.setViewportSize({ width: 360, height: 740 });
  const rows = page.getByRole("rowgroup").last().getByRole("row");
  await expect(rows).toHaveCount(50);
  const list = page.getByRole("region", { name: "Recent Appointments" });
  expect((await list.boundingBox())!.height).toBeLessThanOrEqual(6_000);
  // One link for each row, which is the whole row.
  await expect(rows.getByRole("link")).toHaveCount(50);
  await rows.first().click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(heading).toBeFocused();
});

test("a slash leads to the quick search, where nobody writes", async ({ page, app }) => {
  const { name } = await confirmedGuest(app);
  await openDesk(page, app, listOf(name));
  const field = page.getByRole("searchbox", { name: "Quick find" });
  await page.keyboard.press("/");
  await expect(field).toBeFocused();
  await expect(field).toHaveValue("");
  await field.pressSequentially("a/b");
  await expect(field).toHaveValue("a/b");
  const other = page.getByLabel("Search");
  await other.fill("");
  await page.keyboard.press("/");
  await expect(other).toHaveValue("/");
  await expect(field).not.toBeFocused();
  await page.locator("main").focus();
  await page.keyboard.press("/");
  await page.keyboard.type("new");
  await expect(field).toHaveValue("new");
  await linkOf(page, "View Details", name).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("/");
  await expect(field).not.toBeFocused();
});

/** The workbook in two parts; after the first it breaks off, or waits for `goOn`. */
async function answerExport(page: Page, { breaks }: { breaks: boolean }): Promise<void> {
  await page.evaluate((breaksOff) => {
    const { fetch: real } = window;
    window.fetch = async (input, init) => {
      if (!String(input).startsWith("/api/admin/export")) return real(input, init);
      const parts = [new Uint8Array(50), new Uint8Array(50)];
      const body = new ReadableStream({
        async pull(controller) {
          const part = parts.pop();
          if (part && parts.length === 0) {
            if (breaksOff) return controller.error(new TypeError("network error"));
            await new Promise((goOn) => Object.assign(window, { goOn }));
          }
          if (part) controller.enqueue(part);
          else controller.close();
        },
      });
      return new Response(body, { headers: { "Content-Length": "100" } });
    };
  }, breaks);
}
