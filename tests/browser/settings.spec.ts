/** What an owner sets, and what is shown beside what is typed: settings, prices, a captain. */
import type { Page } from "@playwright/test";
import { adminOf } from "#tests/support/admin.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[049]/;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("what another owner corrected stays; rows move up", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
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

test("a price is shown with GST, and what is wrong stays", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app);
  await page.getByRole("link", { name: "Catalogue", exact: true }).click();
  const half = part(page, "30 minutes");
  await half.getByLabel("Price in rupees, before GST").fill("0");
  await half.getByRole("button", { name: "Save" }).click();
  await expect(half.getByText("whole rupees, from 1 to 40,000")).toBeVisible();
  await half.getByLabel("Price in rupees, before GST").fill("1100");
  await expect(half.getByText("₹1,100 + ₹198 GST = ₹1,298")).toBeVisible();
  await half.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Package Saved")).toBeVisible();
  await expect(half.getByText("₹1,100 + ₹198 GST = ₹1,298")).toBeVisible();
});

test("a captain is changed beside the card that visitors see", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app, "/admin/catalogue");
  await page.getByRole("link", { name: ROHAN }).click();
  const card = part(page, "Preview").getByRole("article");
  const title = "Selection mentor";
  await page.getByLabel("Title").fill(title);
  await page.getByRole("textbox", { name: "Specialties" }).fill("Interviews\nSimulators");
  await page.getByLabel("Rating").fill("");
  await expect(card.getByText(title)).toBeVisible();
  await expect(card.getByText("Simulators")).toBeVisible();
  await expect(card.getByText("Rating", { exact: true })).toHaveCount(0);
  await page.getByRole("radio", { name: /By video: one meeting link/ }).check();
  await page.getByLabel("Meeting link", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Please enter the meeting link").first()).toBeVisible();
  await expect(page.getByLabel("Meeting link", { exact: true })).toBeFocused();
  await expect(page.getByLabel("Title")).toHaveValue(title);
});

test("saving one part of the catalogue keeps what is typed in the other", async ({ page, app }) => {
  await openDesk(page, app, "/admin/catalogue");
  const link = part(page, "Links").getByLabel("Link 6: words");
  const late = part(page, "Default times").getByRole("checkbox", { name: "8:30 PM" });
  await link.fill("Half typed");
  await late.check();
  await page.getByRole("button", { name: "Save Default Times" }).click();
  await expect(notice(page, "Default Times Saved")).toBeVisible();
  await expect(link).toHaveValue("Half typed");
  await late.uncheck();
  await part(page, "Links").getByLabel("Link 6: address").fill("https://half.example");
  await page.getByRole("button", { name: "Save Links" }).click();
  await expect(notice(page, "Links Saved")).toBeVisible();
  await expect(late).not.toBeChecked();
});
