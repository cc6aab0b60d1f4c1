/** A hold that has ended: one click holds it again, or the form comes back as it was filled. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { book, endHold } from "#tests/support/admin.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { choose, fillForm, fillPerson, payWindow, someone, submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

let day = 10;
const nextDate = () => {
  day += 1;
  return dayAhead(day);
};

const HOLD_AGAIN = "Still free: hold it again and pay ₹1,533";

/** Books without paying, and answers the id once the hold has ended. */
async function bookAndLet(page: Page, app: TestApp, date: string) {
  const who = someone();
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ROHAN, 45);
  await page.locator('input[name="date"]').fill(date);
  await page.getByRole("button", { name: /show times/i }).click();
  await page.locator('input[name="timeSlot"][value="14:00"]').check({ force: true });
  await submit(page);
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}/);
  const id = new URL(page.url()).pathname.split("/")[2]!;
  endHold(app, id);
  return { id, who };
}

test("is held again with one button, with scripts and without", async ({ page, noJsPage, app }) => {
  const { id } = await bookAndLet(noJsPage, app, nextDate());
  await page.goto(`/booking/${id}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: HOLD_AGAIN }).click();
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText(/Start paying by/)).toBeVisible();
  endHold(app, id);
  await noJsPage.reload();
  await noJsPage.getByRole("button", { name: HOLD_AGAIN }).click();
  await noJsPage.getByRole("button", { name: "Pay now" }).click();
  await noJsPage.getByRole("button", { name: "Return to merchant" }).click();
  await expect(noJsPage.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("where its time is gone the form comes back filled, for this browser alone", async ({
  page,
  noJsPage,
  app,
}) => {
  const date = nextDate();
  const { id, who } = await bookAndLet(noJsPage, app, date);
  await book(app, { date, timeSlot: "14:00", counselor: ROHAN });
  await noJsPage.reload();
  await expect(noJsPage.getByText("This booking was not paid")).toBeVisible();
  await expect(noJsPage.getByText(/Free to move/)).toHaveCount(0);
  await noJsPage.getByRole("button", { name: "Choose a new time" }).click();
  expect(noJsPage.url()).not.toContain("example.in");
  const filled = (at: Page) =>
    Promise.all(
      ["Full name", "Email", "Phone"].map((label) =>
        at.getByLabel(label, { exact: false }).first().inputValue(),
      ),
    );
  expect(await filled(noJsPage)).toEqual([
    ...[who.name, who.email, expect.stringContaining(who.phone.replace(/\s/g, ""))],
  ]);
  await expect(noJsPage.locator('input[name="package"][value="45"]')).toBeChecked();
  await expect(noJsPage.locator('input[name="timeSlot"][value="14:00"]')).toHaveCount(0);
  await noJsPage.locator('input[name="timeSlot"][value="09:00"]').check({ force: true });
  await submit(noJsPage);
  // The same booking, at its new time.
  await expect(noJsPage).toHaveURL(new RegExp(`/booking/${id}`));
  await expect(noJsPage.getByRole("button", { name: /^Pay ₹1,533/ })).toBeVisible();
  // Another browser that has the page's address learns nothing of the person.
  endHold(app, id);
  await book(app, { date, timeSlot: "09:00", counselor: ROHAN });
  await page.goto(`/booking/${id}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Choose a new time" }).click();
  await expect(page.locator(`input[name="counselor"][value="${ROHAN}"]`)).toBeChecked();
  expect(await filled(page)).toEqual(["", "", ""]);
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeInViewport();
});

test("with scripts, the filled form books at once", async ({ page, app }) => {
  const date = nextDate();
  const who = await fillForm(page, date, "10:00 AM", { counselor: ROHAN });
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  const [row] = app.db.allRaw<{ id: string }>("SELECT id FROM appointment WHERE email = ?", [
    who.email,
  ]);
  endHold(app, row!.id);
  await book(app, { date, timeSlot: "10:00", counselor: ROHAN });
  await page.goto(`/booking/${row!.id}`, { waitUntil: "networkidle" });
  await page.getByRole("button", { name: "Choose a new time" }).click();
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});
