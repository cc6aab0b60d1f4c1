/** The owner's catalogue and what visitors see of it. */
import type { Page } from "@playwright/test";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[049]/;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test.beforeEach(({ app }) => {
  app.db.runRaw(
    "UPDATE package SET price_rupees = 999, label = 'One clear question' WHERE minutes = 30",
  );
  app.db.runRaw("UPDATE offer_settings SET default_times = ?", [JSON.stringify(DEFAULT_TIMES)]);
  app.db.runRaw("UPDATE counselor SET active = 1, position = iif(key = 'asha', 0, 1)");
  app.db.runRaw("UPDATE counselor SET title = 'Mentor', name = ? WHERE key = 'rohan'", [ROHAN]);
});

test("a price, the times and the links are changed", async ({ page, app, problems }) => {
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

  const times = part(page, "Default times");
  await times.locator('input[value="18:00"]').check();
  await times.getByRole("button", { name: "Save Default Times" }).click();
  await expect(notice(page, "Default Times Saved")).toBeVisible();
  await expect(times.locator('input[value="18:00"]')).toBeChecked();

  const links = part(page, "Links");
  const address = "https://read.example/more";
  await links.getByLabel("Link 4: words").fill("Read more");
  await links.getByLabel("Link 4: address").fill("http://read.example");
  await links.getByRole("button", { name: "Save Links" }).click();
  await expect(links.getByText("beginning with https://")).toBeVisible();
  await expect(links.getByLabel("Link 4: words")).toHaveValue("Read more");
  await links.getByLabel("Link 4: address").fill(address);
  await links.getByRole("button", { name: "Save Links" }).click();
  await expect(notice(page, "Links Saved")).toBeVisible();

  await page.goto("/");
  await expect(page.getByText("From ₹1,298, GST included")).toBeVisible();
  await expect(page.getByRole("link", { name: /Read more/ })).toHaveAttribute("href", address);
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
  await page.getByRole("radio", { name: /By video/ }).check();
  await page.getByLabel("Meeting link", { exact: true }).fill("");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Please enter the meeting link").first()).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue(title);
  await page.getByRole("radio", { name: /By phone/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Captain Saved")).toBeVisible();
  await expect(card.getByText(title)).toBeVisible();
  await expect(card.getByText("Rating", { exact: true })).toHaveCount(0);
  await page.goto("/#captains");
  await expect(page.getByText(title).first()).toBeVisible();
});

test("two admins save at once, without scripts", async ({ noJsPage: page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app, "/admin/catalogue/captains/rohan");
  app.db.runRaw(
    "UPDATE counselor SET title = 'Of the first', years_of_experience = 21, version = version + 1 WHERE key = 'rohan'",
  );
  await page.getByLabel("Title").fill("Of the second");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("This was changed in the meantime").first()).toBeVisible();
  await expect(page.getByText("Saved at present: Of the first")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Of the second");
  await expect(page.getByLabel("Years")).toHaveValue("21");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Captain Saved")).toBeVisible();
  await expect(page.getByLabel("Title")).toHaveValue("Of the second");
  app.db.runRaw("UPDATE counselor SET version = version + 1 WHERE key = 'rohan'");
  await page.getByRole("button", { name: "Take Off the Page" }).click();
  await expect(page.getByText("This was changed in the meantime").first()).toBeVisible();
  await page.getByRole("button", { name: "Take Off the Page" }).click();
  await expect(notice(page, "Captain Saved")).toBeVisible();

  await page.goto("/admin/catalogue");
  app.db.runRaw("UPDATE package SET label = 'Of the first', version = version + 1");
  app.db.runRaw("UPDATE offer_settings SET default_times = '[\"12:00\"]', version = version + 1");
  const half = part(page, "30 minutes");
  await half.getByLabel("Price in rupees, before GST").fill("1200");
  await half.getByRole("button", { name: "Save" }).click();
  await expect(half.getByLabel("Label")).toHaveValue("Of the first");
  await expect(half.getByLabel("Price in rupees, before GST")).toHaveValue("1200");
  await half.getByRole("button", { name: "Save" }).click();
  await expect(notice(page, "Package Saved")).toBeVisible();
});
