/** The owner's catalogue: what is shown beside what is typed. */
import type { Page } from "@playwright/test";
import { ROHAN } from "#tests/support/bookings.ts";
import { notice, openDesk } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[049]/;
const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

test("a price and the links are changed", async ({ page, app, problems }) => {
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

  const links = part(page, "Links");
  await links.getByLabel("Link 4: words").fill("Read more");
  await links.getByLabel("Link 4: address").fill("http://read.example");
  await links.getByRole("button", { name: "Save Links" }).click();
  await expect(links.getByText("beginning with https://")).toBeVisible();
  await expect(links.getByLabel("Link 4: address")).toBeFocused();
  await expect(links.getByLabel("Link 4: words")).toHaveValue("Read more");
  await links.getByLabel("Link 4: address").fill("https://read.example/more");
  await links.getByRole("button", { name: "Save Links" }).click();
  await expect(notice(page, "Links Saved")).toBeVisible();
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
  await page.getByRole("radio", { name: /By phone/ }).check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Captain Saved")).toBeVisible();
  await expect(card.getByText(title)).toBeVisible();
  await expect(card.getByText("Rating", { exact: true })).toHaveCount(0);
});
