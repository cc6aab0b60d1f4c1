/** Insights: a range chosen, a number followed to its rows; and on paper. */
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf } from "./stage.ts";

// No colour is on its way from one theme to the other.
test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const scripts of [true, false]) {
  test(`leads from a range to its rows ${scripts ? "with" : "without"} scripts`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    const desk = scripts ? page : noJsPage;
    await desk.setViewportSize({ width: 360, height: 740 });
    const date = dayAhead(scripts ? 40 : 41);
    const { name } = await paidGuest(app, { date, counselor: ROHAN });
    await openDesk(desk, app);
    await desk.getByRole("link", { name: "Insights", exact: true }).click();
    await expect(desk.getByRole("img", { name: /^Sessions by month\. / })).toBeVisible();

    // A wrong range keeps the form, and what was typed.
    problems.allow(/400/);
    await desk.getByLabel("From", { exact: true }).fill(date);
    await desk.getByLabel("To", { exact: true }).fill(dayAhead(39));
    await desk.getByRole("button", { name: "Show" }).click();
    await expect(desk.getByText("This range cannot be shown")).toBeVisible();
    await expect(desk.getByLabel("From", { exact: true })).toHaveValue(date);
    await desk.getByLabel("To", { exact: true }).fill(date);
    await desk.getByLabel("Counselor", { exact: true }).selectOption(ROHAN);
    await desk.getByRole("button", { name: "Show" }).click();
    await expect(desk.getByRole("heading", { name: `, ${ROHAN}` })).toBeVisible();
    await expect(desk.getByText("1 booked, of these 1 paid and 0 cancelled")).toBeVisible();

    const numbers = desk.getByRole("region", { name: "Revenue by month" });
    await numbers.getByText("The numbers").click();
    await numbers.getByRole("link", { name: "₹1,179 Revenue kept, All months" }).click();
    await expect(desk.getByRole("heading", { name: "Recent Appointments" })).toBeInViewport();
    await expect(desk.getByRole("link", { name })).toBeVisible();
    await expect(desk.getByRole("definition").filter({ hasText: "₹1,179" })).toBeVisible();
  });
}

test("has no fault that axe finds, and nothing too wide, with every table open", async ({
  page,
  app,
}) => {
  await openDesk(page, app, "/admin/insights");
  for (const table of await page.getByText("The numbers").all()) await table.click();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await overflowOf(page), `${width} px`).toBeLessThanOrEqual(0);
  }
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect.soft(await faultsOf(page), colorScheme).toEqual([]);
  }
});

test("prints every table beside its plot", async ({ page, app }) => {
  await openDesk(page, app, "/admin/insights?from=2026-01-01&to=2026-03-31");
  const text = (await pagesOf(await page.pdf({ format: "A4" }))).join("\n");
  for (const words of ["Sessions by month", "February 2026", "Not noted yet", "91 days and more"]) {
    expect(text).toContain(words);
  }
  expect(text.match(/All months/g)).toHaveLength(2);
  expect(text).not.toContain("The numbers");
});
