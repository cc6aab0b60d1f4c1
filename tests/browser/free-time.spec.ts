/** A free time chosen at the head of the page: it brings its length, and what is said of it is true. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { addBlock, addLeave, dayAhead } from "#tests/support/bookings.ts";
import { fillForm, payWindow, submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

const offered = (page: Page) => page.locator('button[name="pick"]').first();
const isChosen = (page: Page) => page.getByText("is chosen. Next:");

function block(app: TestApp, date: string, timeSlot: string): void {
  for (const key of ["asha", "rohan"]) addBlock(app.db, key, date, timeSlot);
}

/** Nobody works before the day in three days. */
function leaveUntilThen(app: TestApp): string {
  addLeave(app.db, dayAhead(-1), dayAhead(2));
  return dayAhead(3);
}

test.afterEach(({ app }) => {
  for (const table of ["block", "leave"]) app.db.runRaw(`DELETE FROM ${table}`);
  app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
});

test("brings its length where no longer session fits", async ({ page, app }) => {
  block(app, leaveUntilThen(app), "09:30");
  await page.goto("/");
  await offered(page).click();
  await expect(page.locator('input[name="package"][value="30"]')).toBeChecked();
  await expect(page.locator('input[type="radio"][name="timeSlot"][value="09:00"]')).toBeChecked();
  await expect(page.getByLabel("Full name")).toBeFocused();
  await expect(page.locator("#booking-chosen summary")).toContainText("30 min");
  await expect(page.getByText("is not free for this captain")).toHaveCount(0);
});

test("is not said to be chosen once it is gone", async ({ page, app }) => {
  const date = leaveUntilThen(app);
  await page.goto("/");
  block(app, date, "09:00");
  await offered(page).click();
  await expect(page.getByText("9:00 AM is not free for this captain and length.")).toBeVisible();
  await expect(isChosen(page)).toHaveCount(0);
});

test("cannot be refunded, also where the visitor's clock is behind", async ({ page, app }) => {
  // Its start is less than the cut-off away, whatever the hour is.
  app.db.runRaw(`UPDATE owner_settings SET saved = '{"selfServiceCutoffHours":72}'`);
  await page.clock.setSystemTime(Date.now() - 9 * 86_400_000);
  await page.goto("/");
  await offered(page).click();
  await expect(page.locator("#booking-chosen summary")).toContainText(
    "This session begins in less than 72 hours: it cannot be moved or refunded online.",
  );
});

test("says beforehand whether it can be refunded, with scripts and without", async ({
  page,
  noJsPage,
  app,
}) => {
  app.db.runRaw(`UPDATE owner_settings SET saved = '{"selfServiceCutoffHours":72}'`);
  for (const one of [page, noJsPage]) {
    await one.goto("/");
    const rows = one.locator('button[name="pick"]');
    await expect(rows.nth(0)).toContainText("Begins too soon to be moved or refunded online");
    await expect(rows.nth(1)).toContainText("First with free cancellation");
    await rows.nth(1).click();
    const line = one.locator("#booking-chosen summary");
    await expect(line).toContainText(/Free to move or cancel until .* IST\./);
  }
});

test("leaves no error line for a field that is corrected and folded away", async ({ page }) => {
  await page.goto("/");
  await submit(page);
  const lines = page.locator("#form-errors");
  await expect(lines).toContainText("Please select a captain");
  await offered(page).click();
  await expect(lines).not.toContainText("Please select a captain");
  await expect(lines).toContainText("Name must be at least 2 characters");
});

test.describe("a visitor in New York", () => {
  test.use({ timezoneId: "America/New_York" });

  test("reads when the held session starts there, until the hold has ended", async ({
    page,
    app,
  }) => {
    await fillForm(page, dayAhead(8), "11:00 AM");
    await submit(page);
    await payWindow(page).getByRole("button", { name: "Cancel" }).click();
    const own = page.getByText(/In your own time it starts at 1?[12]:30 AM\./);
    await expect(own.first()).toBeVisible();
    app.db.runRaw("UPDATE appointment SET pay_before = ?", [Date.now() + 3_000]);
    await page.goto("/");
    await expect(own.first()).toBeVisible();
    await expect(page.getByText(/Your time to pay for .* ended at .* IST\./).first()).toBeVisible();
    await expect(own).toHaveCount(0);
  });
});
