/** The list of appointments: export, spans, filters while it loads, paging, order, and the quick search. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import readXlsxFile from "read-excel-file/node";
import { addDays } from "#app/model/dates.ts";
import { book } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { guest, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

test("exports the filtered list", async ({ page, app }) => {
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  // What is typed and not applied is no filter yet.
  await page.getByLabel("Search").fill("nobody of this name");
  await page.getByLabel("Status", { exact: true }).selectOption("Cancelled");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export Excel" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^appointments_export_\d{4}-\d{2}-\d{2}\.xlsx$/);
  await expect(notice(page, "Export Successful")).toBeVisible();
  const [sheet] = await readXlsxFile(await readFile(await download.path()));
  expect(sheet?.data).toHaveLength(2);
  expect(sheet?.data[1]).toContain(name);
});

test("says that a download broke off, until the next one", async ({ page, app }) => {
  await openDesk(page, app);
  await answerExport(page, { breaks: true });
  const exportButton = page.getByRole("button", { name: "Export Excel" });
  const beside = page.getByRole("search").getByText("Export failed", { exact: true });
  await exportButton.click();
  await expect(notice(page, "Export Failed")).toBeVisible();
  await expect(notice(page, "Failed to export appointments data.")).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  await expect(beside).toBeVisible();
  await exportButton.click();
  await expect(page.getByText("Downloading, 50%")).toBeVisible();
  await expect(beside).toBeHidden();
});

test("tells a screen reader when an export begins and when it is there", async ({ page, app }) => {
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

test("sorting or opening a row keeps a filter that still loads", async ({ page, app }) => {
  const { name } = await paidGuest(app);
  const other = await paidGuest(app);
  await openDesk(page, app, "/admin?sort=-created");
  await expect(rowOf(page, other.name)).toBeVisible();
  const release = await hold(page, "**/admin.data*");
  await page.getByLabel("Search").fill(name);
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect.poll(release.asked).toBe(1);
  await page.getByRole("link", { name: "Amount" }).click();
  await expect.poll(release.asked).toBe(2);
  await rowOf(page, name)
    .getByRole("link", { name: `View Details: ${name}` })
    .click();
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

  const release = await hold(page, "**/admin.data*");
  await search.fill("rohan");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page.getByText("Loading appointments...")).toBeVisible();
  await search.fill("rohan m");
  await release();
  await expect(page).toHaveURL(/q=rohan&/);
  await expect(page.getByText("Loading appointments...")).toBeHidden();
  expect(await fields()).toEqual(["rohan m", "cancelled", "-amount"]);
});

test("pages and orders the list", async ({ page, app }) => {
  test.slow();
  const mark = `Paging ${process.env.TEST_PARALLEL_INDEX ?? 0}`;
  const times = ["09:00", "10:00", "11:00", "14:00", "15:00", "16:00"];
  for (let i = 0; i < 52; i++) {
    const body = guest({
      name: `${mark} ${String(i).padStart(2, "0")}`,
      counselor: ASHA,
      date: dayAhead(60 + Math.floor(i / 6)),
      timeSlot: times[i % 6]!,
    });
    await book(app, body);
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
  await expect(rows.getByRole("link")).toHaveCount(50);
});

test("goes to what is to come and what was, filters kept, and sorts", async ({ page, app }) => {
  const { id, name } = await paidGuest(app, { package: 60, packagePrice: 1499 });
  const short = await paidGuest(app, { name });
  const today = dayAhead(0);
  await openDesk(page, app, `${listOf(name)}&counselor=${encodeURIComponent(ROHAN)}`);
  const spans = page.getByRole("navigation", { name: "Sessions by date" });
  await expect(spans.locator("[aria-current]")).toHaveText("All");
  await spans.getByRole("link", { name: "Upcoming" }).click();
  await expect(spans.locator("[aria-current]")).toHaveText("Upcoming");
  const kept = { q: name, counselor: ROHAN };
  const asked = () => Object.fromEntries(new URL(page.url()).searchParams);
  expect(asked()).toEqual({ ...kept, startDate: today, sort: "date" });
  await expect(page.getByText("2 appointments, page 1 of 1, sorted by oldest")).toBeVisible();
  await expect(page.getByLabel("From")).toHaveValue(today);

  const amount = page.getByRole("columnheader", { name: "Amount" });
  for (const [order, first] of [
    ["descending", id],
    ["ascending", short.id],
  ] as const) {
    await amount.getByRole("link").focus();
    await page.keyboard.press("Enter");
    await expect(amount).toHaveAttribute("aria-sort", order);
    await expect(page.getByRole("row").nth(1)).toContainText(`#${first.slice(-6)}`);
    await expect(amount.getByRole("link")).toBeFocused();
    await expect(page.locator("[aria-sort]")).toHaveCount(1);
  }
  const summary = page.getByRole("status").filter({ hasText: "appointments" });
  await expect(summary).toHaveText("2 appointments, page 1 of 1, sorted by lowest amount first");

  await spans.getByRole("link", { name: "Past" }).click();
  await expect(page.getByText("No appointments found")).toBeVisible();
  expect(asked()).toEqual({ ...kept, endDate: addDays(today, -1) });
  await page.getByRole("link", { name: "Clear filters" }).click();
  await expect(spans.locator("[aria-current]")).toHaveText("All");
  await expect(page.getByRole("heading", { name: "Recent Appointments" })).toBeFocused();
});

test("on a phone the whole row is the link, however long the name", async ({ page, app }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { name } = await paidGuest(app, {
    name: "Venkata Subramanian Lakshminarasimhan-Krishnamurthy of Tiruchirappalli",
    email: "a.very.long.address.of.somebody@department.university-of-aviation.example.ac.in",
  });
  await openDesk(page, app, listOf(name));
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expect(rowOf(page, name).getByText("₹1,179.00")).toBeVisible();
  await expect(rowOf(page, name).getByRole("link")).toHaveCount(1);
  await rowOf(page, name).first().click();
  await expect(page.getByRole("heading", { name: `${name}, ` })).toBeVisible();
});

test("a slash leads to the quick search, where nobody writes", async ({ page, app }) => {
  const { name } = await paidGuest(app);
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
  await page
    .getByRole("link", { name: /^View Details/ })
    .first()
    .click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("/");
  await expect(field).not.toBeFocused();
});

/** The workbook in two parts with a pause between them; it may break off after the first. */
async function answerExport(page: Page, { breaks }: { breaks: boolean }): Promise<void> {
  await page.evaluate((breaksOff) => {
    const { fetch: real } = window;
    window.fetch = async (input, init) => {
      if (!String(input).startsWith("/api/admin/export")) return real(input, init);
      const parts = [new Uint8Array(50), new Uint8Array(50)];
      const body = new ReadableStream({
        async pull(controller) {
          await new Promise((done) => setTimeout(done, 300));
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
