/** The owner's first day: the list of first steps leads to Settings, and what is saved there is seen. */
import type { Page } from "@playwright/test";
import { adminOf } from "#tests/support/admin.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { expect, testWithOwnApp as test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("sets up the business, and it is seen on the page", async ({ page, app, problems }) => {
  problems.allow(/status of 40[049]/);
  await openDesk(page, app);
  const steps = part(page, "First steps");
  await expect(steps).toContainText("1 of 11 done");
  await steps.getByRole("link", { name: "Say who you are" }).click();
  await part(page, "Business").getByLabel("Legal name").fill("Meera Aviation LLP");
  await part(page, "Business").getByLabel("GSTIN").fill("29ABCDE1234F1ZX");
  await part(page, "Brand").getByLabel("Brand", { exact: true }).fill("Meera’s Wings");
  await part(page, "Brand").getByLabel("Colour of buttons").fill("#c03a00");
  await part(page, "Questions and answers").getByLabel("Question 1", { exact: true }).fill("Who?");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(part(page, "Business").getByText("wrong check digit")).toBeVisible();
  await expect(page.getByLabel("Legal name")).toHaveValue("Meera Aviation LLP");
  await part(page, "Business").getByLabel("GSTIN").fill("29ABCDE1234F1ZW");
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(notice(page, "Settings Saved")).toBeVisible();
  await page.getByRole("link", { name: "Add a logo" }).click();
  await page.getByLabel("New logo").setInputFiles("public/preview.png");
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(notice(page, "Logo Changed")).toBeVisible();
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await page.goto("/admin");
  await steps.getByRole("button", { name: "Keep as It Is" }).first().click();
  await expect(notice(page, "Noted")).toBeVisible();
  await expect(steps).toContainText("3 of 11 done");
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);

  await page.goto("/");
  await expect(page).toHaveTitle(/^Meera’s Wings/);
  await expect(page.getByRole("banner").getByText("Meera’s Wings")).toBeVisible();
  await expect(page.getByRole("contentinfo")).toContainText("Meera Aviation LLP");
  await expect(page.getByText("Who?", { exact: true })).toBeVisible();
  const button = page.locator(".button-primary").first();
  await expect(button).toHaveCSS("background-color", "rgb(192, 58, 0)");
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(button).not.toHaveCSS("background-color", "rgb(192, 58, 0)");
});

test("what another owner corrected stays so, and rows move up where one is emptied", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/status of 409/);
  const admin = await adminOf(app);
  const saved = async () => (await admin("/settings")).data.settings;
  await openDesk(page, app, "/admin/settings");
  const save = page.getByRole("button", { name: "Save Settings" });
  const answer = page.getByLabel("Answer 1", { exact: true });
  const { faq, version } = await saved();
  const corrected = [{ ...faq[0], answer: "Corrected." }, ...faq.slice(1)];
  await admin("/settings", { method: "PATCH", json: { faq: corrected, version } });
  await page.getByLabel("Tagline").fill("Mine");
  await save.click();
  await expect(page.getByRole("alert").getByText("Settings Not Saved")).toBeVisible();
  await expect(answer).toHaveValue("Corrected.");
  await save.click();
  await expect(notice(page, "Settings Saved")).toBeVisible();
  expect(await saved()).toMatchObject({ tagline: "Mine", faq: corrected });
  await page.getByLabel("Question 1", { exact: true }).fill("");
  await answer.fill("");
  await save.click();
  await expect(page.getByLabel("Question 1", { exact: true })).toHaveValue(faq[1].question);
  await expect(answer).toHaveValue(faq[1].answer);
});
