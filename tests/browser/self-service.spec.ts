/** A customer comes back to a booking: to move it, to cancel it, to find it. */
import type { Page } from "@playwright/test";
import { addDays } from "#app/model/dates.ts";
import { book, bookAndPay, bookConfirmed } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { payWindow } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

/** What is wrong is read first, and leads to where it is mended. */
const problem = (page: Page) => page.locator("#form-errors");

async function typeEmail(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email of this booking").fill(email);
}

test("moves and then cancels with scripts", async ({ page, app, problems }) => {
  problems.allow(/400|409/);
  const { body: booking, id } = await bookAndPay(app, { date: dayAhead(7) });
  const target = addDays(booking.date, 1);
  await page.goto(`/booking/${id}`);
  await page.getByRole("link", { name: "Move the session" }).click();
  await page.getByRole("button", { name: "Move to the new time" }).click();
  await expect(problem(page)).toBeFocused();
  await problem(page).getByRole("link", { name: "Please select a time slot" }).press("Enter");
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
  await expect(page.getByRole("grid")).toBeVisible();
  const cell = page.locator(`[data-date="${target}"]`);
  await page.getByRole("button", { name: "Next month" }).waitFor();
  if (!(await cell.isVisible())) await page.getByRole("button", { name: "Next month" }).click();
  await cell.click();
  await expect(cell).toHaveAttribute("aria-pressed", "true");
  // The refusal has had the focus once.
  await expect(page).toHaveURL(new RegExp(`date=${target}`));
  await expect(cell).toBeFocused();
  await page.getByRole("radio", { name: "3:00 PM" }).check();
  await typeEmail(page, "someone.else@example.in");
  await page.getByRole("button", { name: /^Move to .*3:00 PM$/ }).click();
  await expect(problem(page)).toContainText("This is not the email address of this booking");
  await expect(problem(page)).toBeFocused();
  await expect(page.getByRole("radio", { name: "3:00 PM" })).toBeChecked();
  await typeEmail(page, booking.email);
  await page.getByRole("button", { name: /^Move to .*3:00 PM$/ }).click();
  await expect(page).toHaveURL(`/booking/${id}?done=moved`);
  await expect(page.getByRole("heading", { name: "Your session is rescheduled" })).toBeVisible();
  await expect(page.getByRole("status").getByText(/^Moved to .*3:00 PM IST$/)).toBeVisible();

  await page.getByRole("link", { name: "Cancel the session" }).click();
  await page.getByRole("button", { name: "Cancel and refund ₹1,179" }).click();
  await expect(problem(page)).toBeFocused();
  await problem(page).getByRole("link").press("Enter");
  await expect(page.getByLabel("Email of this booking")).toBeFocused();
  await typeEmail(page, booking.email);
  await page.getByRole("button", { name: "Cancel and refund ₹1,179" }).click();
  await expect(page.getByRole("heading", { name: "This session is cancelled" })).toBeVisible();
});

test("without scripts Enter in the email field moves it", async ({ noJsPage: page, app }) => {
  const { body, id } = await bookAndPay(app, { date: dayAhead(9) });
  await page.goto(`/booking/${id}/reschedule`);
  await page.locator('input[name="newTimeSlot"][value="15:00"]').check({ force: true });
  await page.getByLabel("Email of this booking").fill(body.email);
  await page.getByLabel("Email of this booking").press("Enter");
  await expect(page).toHaveURL(`/booking/${id}?done=moved`);
});

test("late times hide those of the day before; the calendar stays", async ({ page, app }) => {
  const { body: booking, id } = await bookConfirmed(app, { date: dayAhead(9) });
  const target = addDays(booking.date, 1);
  await page.goto(`/booking/${id}/reschedule?date=${booking.date}`);
  await page.getByRole("grid").waitFor();
  const times = page.getByRole("radio");
  await expect(times.first()).toBeVisible();
  await times.first().check();
  const release = await hold(page, /reschedule\.data/);
  await page.locator(`[data-date="${booking.date}"]`).press("ArrowRight");
  // Both before anything is drawn anew.
  const month = await page.evaluate((date) => {
    const name = document.querySelector("[role=grid]")?.getAttribute("aria-label");
    document.querySelector<HTMLElement>(`[data-date="${date}"]`)?.click();
    document.querySelector<HTMLElement>('[aria-label="Next month"]')?.click();
    return name;
  }, target);
  const grid = page.getByRole("grid");
  await expect(page.getByText("Loading available slots...")).toBeVisible();
  await expect(times).toHaveCount(0);
  await expect(grid).not.toHaveAttribute("aria-label", month!);
  await page.getByRole("button", { name: "Previous month" }).click();
  const targetDay = page.locator(`[data-date="${target}"]`);
  await expect(targetDay).toHaveAttribute("aria-pressed", "true");
  await targetDay.press("PageDown");
  const focused = page.locator("[data-date]:focus");
  const date = (await focused.getAttribute("data-date"))!;
  expect(date > target).toBe(true);
  await release();
  await expect(page).toHaveURL(new RegExp(`date=${target}`));
  await expect(page.getByText(/free times on/)).toBeVisible();
  await expect(times.first()).toBeVisible();
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  await expect(grid).not.toHaveAttribute("aria-label", month!);
  await expect(focused).toHaveAttribute("data-date", date);
});

test("an unpaid booking that was moved can be paid at once", async ({ page, app }) => {
  const { id, body } = await book(app, { date: dayAhead(11) });
  await page.goto(`/booking/${id}`);
  await page.getByRole("link", { name: "move the booking" }).click();
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await typeEmail(page, body.email);
  await page.getByRole("button", { name: /^Move to .*11:00 AM$/ }).click();
  await expect(page.getByText("Please pay to confirm it.")).toBeVisible();
  // A new document: its button opens the payment window once its scripts run, as the timer does.
  await expect(page.getByRole("timer")).toHaveText(/left/);
  // The policy of the page before would not let the payment window in.
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
});

test("finds a booking by mail, with one notice at a time", async ({ page, problems }) => {
  problems.allow(/400/);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Find your booking" }).click();
  const field = page.getByLabel("Email", { exact: true });
  const send = page.getByRole("button", { name: "Send me the links" });
  const wrong = page.getByText("Please enter a valid email");
  const sent = page.getByText("Please check your inbox");
  await field.fill("nobody");
  await send.click();
  await expect(wrong).toBeVisible();
  await field.fill("nobody@example.in");
  await send.click();
  await expect(sent).toBeVisible();
  await expect(wrong).toHaveCount(0);
  await expect(field).not.toHaveAttribute("aria-invalid");
  await field.fill("somebody");
  await send.click();
  await expect(wrong).toBeVisible();
  await expect(sent).toHaveCount(0);
});
