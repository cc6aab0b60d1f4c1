/** The owner's catalogue and what visitors see of it. */
import type { Page } from "@playwright/test";
import { DEFAULT_TIMES } from "#app/catalogue.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[049]/;
const PICTURE = "public/preview.png";
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
  await times.locator('input[value="18:00"]').setChecked(scripts);
  await times.getByRole("button", { name: "Save Default Times" }).click();
  await expect(notice(page, "Default Times Saved")).toBeVisible();
  await expect(times.locator('input[value="18:00"]')).toBeChecked({ checked: scripts });

  const links = part(page, "Links");
  const address = `https://read.example/${"with"}`;
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

test("the second of two admins sees what the first saved, and keeps what they typed, without scripts", async ({
  noJsPage: page,
  app,
  problems,
}) => {
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

test("a form opened before a change of price shows the new total, and books at it next", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(REFUSED);
  const date = dayAhead(40);
  await page.goto("/");
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await chooseDay(page, date);
  await page.locator('input[name="timeSlot"][value="10:00"]').check({ force: true });
  app.db.runRaw("UPDATE package SET price_rupees = 1100 WHERE minutes = 30");
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(
    page.getByText(/price (of this package is ₹1,100|has changed)/).first(),
  ).toBeVisible();
  const panel = page.getByRole("complementary", { name: "Your session and price" });
  await expect(panel.getByText("₹1,298").first()).toBeVisible();
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await expect(payWindow(page).getByText("₹1,298").first()).toBeVisible();
});

test("a portrait is refused, taken, and on the page at once", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app);
  await page.goto(`${app.origin}/admin/catalogue/captains/asha`);
  const file = page.getByLabel("New picture");
  await file.setInputFiles({ name: "a.png", mimeType: "image/png", buffer: Buffer.from("no") });
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(page.getByText("cannot be read as a picture").first()).toBeVisible();
  await file.setInputFiles(PICTURE);
  await page.getByRole("button", { name: "Upload" }).click();
  await page.waitForURL(/\/captains\/asha$/);
  await expect(page.getByText("The page shows the new portrait").first()).toBeVisible();
  await expect(file).toHaveValue("");
  await page.goto(app.origin);
  const card = page.locator("article", { hasText: "Capt. Asha Sample" }).locator("img");
  await card.scrollIntoViewIfNeeded();
  await expect(card).toHaveJSProperty("complete", true);
  await expect(card).toHaveAttribute("srcset", /^\/portraits\/[0-9a-f]{32}\/96\.webp 96w/);
  await expect
    .poll(() => card.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
});
