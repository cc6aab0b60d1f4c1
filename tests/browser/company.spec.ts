/** An invoice for a company is asked for in a folded part of the form. */
import type { Page } from "@playwright/test";
import { addDays, dateInIndia } from "#app/model/dates.ts";
import { ASHA } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose, fillPerson, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

async function askForCompany(page: Page): Promise<void> {
  await expect(page.getByLabel("GSTIN")).toBeHidden();
  await page.getByText("Invoice for a company").click();
  await page.getByLabel("GSTIN").fill("27aapfu0939f1zw");
  await page.getByLabel("Company name").fill("Sky Lines Pvt. Ltd.");
  await page.getByRole("button", { name: SUBMIT }).first().click();
  const summary = page.getByRole("group", { name: /please check/i }).or(page.getByRole("alert"));
  await expect(summary.first()).toContainText("This GSTIN has a wrong check digit.");
  await page.getByRole("link", { name: "Please enter the company’s address" }).click();
  await expect(page.getByLabel("Company address")).toBeFocused();
  await page.getByLabel("Company address").fill("4 Marine Drive, Mumbai 400002");
  await page.getByLabel("GSTIN").fill("27AAPFU0939F1ZV");
  await expect(page.getByLabel("Company name")).toBeVisible();
}

test("with scripts", async ({ page, app }) => {
  await page.goto("/");
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await chooseDay(page, addDays(dateInIndia(Date.now()), 5));
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await askForCompany(page);
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await page.locator('iframe[title="Payment window (sandbox)"]').waitFor();
  expect(app.db.firstRaw("SELECT gstin, state_code FROM appointment ORDER BY seq DESC")).toEqual({
    gstin: "27AAPFU0939F1ZV",
    state_code: "27",
  });
});

test("without scripts", async ({ noJsPage: page, app, problems }) => {
  problems.allow(/status of 400/);
  await page.goto("/");
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await page.locator('input[name="date"]').fill(addDays(dateInIndia(Date.now()), 6));
  await page.getByRole("button", { name: /show times/i }).click();
  await page.locator('input[name="timeSlot"][value="11:00"]').check({ force: true });
  await askForCompany(page);
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}/);
  expect(app.db.firstRaw("SELECT billing_name FROM appointment ORDER BY seq DESC")).toEqual({
    billing_name: "Sky Lines Pvt. Ltd.",
  });
});
