/**
 * The owner's story: from a new database to a page of their own that sells, without touching a file and
 * with none but the demanded variables. On a phone and without scripts: with them, each screen has tests of its own.
 */
import type { Page } from "@playwright/test";
import { addDays, formatDay, formatShortDay } from "#app/model/dates.ts";
import { WEEKDAY_LABELS, weekdayNameOf } from "#app/model/day-plan.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { DEMANDED_ALONE } from "#tests/support/demanded.ts";
import { notice, signInByForm } from "./admin-desk.ts";
import { choose, fillPerson, SUBMIT, someone } from "./booking-steps.ts";
import { expect, testWithOwnApp as test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const LEGAL_NAME = "Iyer Flight School LLP";
const MEERA = {
  name: "Capt. Meera Iyer",
  email: "meera.iyer@school.example",
  url: "https://meet.example/meera-iyer",
};
const VIKRAM = { name: "Capt. Vikram Sethi", email: "vikram.sethi@school.example" };
const PICTURE = "public/preview.png";
/** A week that begins on a Monday, within which each day is far enough ahead to be booked. */
const MONDAY = Array.from({ length: 7 }, (_, n) => dayAhead(4 + n)).find(
  (date) => weekdayNameOf(date) === "mon",
)!;
const TUESDAY = addDays(MONDAY, 1);
const WEDNESDAY = addDays(MONDAY, 2);

interface Story {
  app: TestApp;
  page: Page;
}

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function nothingCutOff(page: Page): Promise<void> {
  expect(await overflowOf(page), page.url()).toBeLessThanOrEqual(0);
}

test.use({ viewport: { width: 360, height: 780 }, env: DEMANDED_ALONE });

test("sets up the page and sells", async ({ noJsPage: page, app }) => {
  const story = { app, page };
  await test.step("who they are", () => setUpBusiness(story));
  await test.step("captains", () => setUpCaptains(story));
  await test.step("prices and times", () => setUpCatalogue(story));
  await test.step("week and leave", () => setUpSchedule(story));
  await test.step("what a visitor sees", () => seeThePage(story));
  await test.step("a visitor books and pays", () => bookAsVisitor(story));
});

/** A phone's bar has four places; the others stand under More. */
async function openCatalogue(page: Page): Promise<void> {
  const places = page.getByRole("navigation", { name: "Admin" });
  await places.getByText("More", { exact: true }).click();
  await places.getByRole("link", { name: "Catalogue" }).click();
}

/** From the sign-in card, by the first of the first steps. */
async function setUpBusiness({ app, page }: Story): Promise<void> {
  await page.goto(`${app.origin}/admin`);
  await signInByForm(page, ADMIN);
  await expect(part(page, "First steps")).toContainText("0 of 11 done");
  await page.getByRole("link", { name: "Say who you are" }).click();
  await page.getByLabel("Legal name").fill(LEGAL_NAME);
  await page.getByRole("button", { name: "Save Settings" }).click();
  await expect(notice(page, "Settings Saved")).toBeVisible();
  await nothingCutOff(page);
}

/** Two captains that are no samples. */
async function setUpCaptains({ page }: Story): Promise<void> {
  await openCatalogue(page);
  await expect(page.getByText("Sample profile")).toHaveCount(2);
  await nothingCutOff(page);

  await part(page, "Captains").getByRole("link", { name: "Capt. Asha Sample" }).click();
  await page.getByLabel("Name").fill(MEERA.name);
  await page.getByLabel("Title").fill("Airline captain, A320");
  await page.getByLabel("Sessions").fill("");
  await page.getByLabel("Email").fill(MEERA.email);
  await page.getByRole("radio", { name: /By video: one/ }).check();
  await page.getByLabel("Meeting link", { exact: true }).fill(MEERA.url);
  await savedAndPictured(page);

  await openCatalogue(page);
  await part(page, "Captains").getByRole("link", { name: "Capt. Rohan Sample" }).click();
  await page.getByLabel("Name").fill(VIKRAM.name);
  await page.getByLabel("Email").fill(VIKRAM.email);
  await page.getByRole("radio", { name: /By phone/ }).check();
  await savedAndPictured(page);
}

async function savedAndPictured(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(notice(page, "Captain Saved")).toBeVisible();
  await expect(page.getByText("Sample profile").first()).toBeVisible();
  await page.getByLabel("New picture").setInputFiles(PICTURE);
  await page.getByRole("button", { name: "Upload" }).click();
  await expect(notice(page, "Portrait Changed")).toBeVisible();
  await expect(page.getByText("Sample profile")).toHaveCount(0);
  await nothingCutOff(page);
}

async function setUpCatalogue({ page }: Story): Promise<void> {
  await openCatalogue(page);
  const half = part(page, "30 minutes");
  await half.getByLabel("Price in rupees, before GST").fill("1500");
  await half.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("30 minutes cost ₹1,770 with GST.").first()).toBeVisible();
  const times = part(page, "Default times");
  await times.locator('input[value="09:00"]').uncheck({ force: true });
  await times.locator('input[value="18:00"]').check({ force: true });
  await times.getByRole("button", { name: "Save Default Times" }).click();
  await expect(notice(page, "Default Times Saved")).toBeVisible();
}

/** Meera: Monday to Wednesday, half an hour between sessions, Tuesday on leave. */
async function setUpSchedule({ page }: Story): Promise<void> {
  await page.getByRole("link", { name: "Schedule" }).first().click();
  // From the week to the profile and back.
  await page.getByRole("link", { name: "Profile, meeting and portrait" }).click();
  await page.getByRole("link", { name: "Weekly hours, leave and calendar" }).click();
  await expect(page.getByRole("heading", { name: `Schedule of ${MEERA.name}` })).toBeVisible();
  await page.getByText("Single times").click();
  const cut = await page
    .locator(".week-grid thead th")
    .evaluateAll((all) =>
      all.filter((th) => th.clientHeight > 30 || th.scrollWidth > th.clientWidth),
    );
  expect(cut, "days whose word does not fit").toHaveLength(0);
  const ticked = page.locator(".week-grid input:checked");
  await ticked.evaluateAll((all) => {
    for (const one of all) (one as HTMLInputElement).click();
  });
  await expect(ticked).toHaveCount(0);
  for (const time of ["9:00 AM", "9:30 AM", "10:00 AM", "10:30 AM", "8:30 PM"]) {
    await page.getByRole("checkbox", { name: `Monday ${time}`, exact: true }).check();
  }
  await page.getByLabel("Buffer").fill("30");
  await page.getByText("Copy Monday to…").click();
  for (const day of [TUESDAY, WEDNESDAY].map((date) => WEEKDAY_LABELS[weekdayNameOf(date)])) {
    await page.getByRole("checkbox", { name: day, exact: true }).check();
  }
  await page.getByRole("button", { name: "Copy and Save" }).click();
  await expect(notice(page, "Hours Saved")).toBeVisible();
  await expect(ticked).toHaveCount(15);
  await expect(page.getByLabel("Buffer")).toHaveValue("30");

  const leave = part(page, "Leave");
  await leave.getByLabel("From").fill(TUESDAY);
  await leave.getByLabel("To (this day included)").fill(TUESDAY);
  await leave.getByLabel("Reason (optional)").fill("Family");
  await leave.getByRole("button", { name: "Add Leave" }).click();
  await expect(notice(page, "Leave Added")).toBeVisible();

  const preview = part(page, "The next four weeks");
  await expect(preview.getByText("leave: Family")).toBeVisible();
  await nothingCutOff(page);
}

async function seeThePage({ app, page }: Story): Promise<void> {
  await page.goto(app.origin);
  const captains = part(page, "Your captains");
  await expect(captains.getByRole("heading", { level: 3 })).toHaveText([MEERA.name, VIKRAM.name]);
  await expect(captains.getByText("Airline captain, A320")).toBeVisible();
  await expect(page.getByText("Sample", { exact: false })).toHaveCount(0);
  const half = page.locator("label", { has: page.locator('input[value="30"]') });
  await expect(half.getByText("₹1,770")).toBeVisible();
  const portrait = captains.locator("img").first();
  await portrait.scrollIntoViewIfNeeded();
  await expect
    .poll(() => portrait.evaluate((img: HTMLImageElement) => img.naturalWidth))
    .toBeGreaterThan(0);
  await nothingCutOff(page);
}

/** The mail names the new captain and their link, the invoice the new price. */
async function bookAsVisitor({ app, page }: Story): Promise<void> {
  const who = someone();
  await page.goto(app.origin);
  await fillPerson(page, who);
  await choose(page, MEERA.name, 30);
  await page.locator('input[name="date"]').fill(MONDAY);
  await page.getByRole("button", { name: /show times/i }).click();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  expect(page.url()).not.toContain("ananya");
  await page.locator('input[name="timeSlot"][value="09:30"]').check({ force: true });
  await page.getByRole("button", { name: SUBMIT }).first().click();
  await page.getByRole("button", { name: /pay ₹1,770/i }).click();
  await page.getByRole("button", { name: "Pay now" }).click();
  await page.getByRole("button", { name: "Return to merchant" }).click();
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}$/);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect(page.getByRole("main")).toContainText(formatDay(MONDAY));
  await expect(page.getByRole("link", { name: "Download Invoice" })).toBeVisible();
  await expect(page.getByText(MEERA.name).first()).toBeVisible();
  await expect(page.locator(`a[href="${MEERA.url}"]`).first()).toBeVisible();
  const [mail] = await app.sandbox.mailbox.waitFor({ to: who.email });
  expect(mail!.subject).toContain(
    `Confirmed: ${formatShortDay(MONDAY)}, 9:30 AM IST, ${MEERA.name}`,
  );
  for (const words of [MEERA.url, LEGAL_NAME]) expect(mail!.text).toContain(words);
}
