/** Booking and paying where answers are late or lost, and scripts come after the person. */
import type { Page } from "@playwright/test";
import { addDays } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { book, endHold, makeOrder, pay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { bookIn, change, choose, fillForm, payWindow, submit } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

const SCRIPTS = /\/assets\/.*\.js$/;

const booked = (page: Page) => page.getByRole("heading", { name: "Booking Confirmed!" });

async function payable(app: TestApp, days: number): Promise<string> {
  const { id } = await book(app, { date: dayAhead(days) });
  await makeOrder(app, id);
  return id;
}

test("what was chosen before the scripts came stays, and so does the focus", async ({ page }) => {
  const first = dayAhead(14);
  const later = addDays(first, 1);
  await page.clock.install();
  const release = await hold(page, SCRIPTS);
  await page.goto("/", { waitUntil: "commit" });
  await choose(page, ASHA, 30);
  const field = page.locator('input[name="date"]');
  const notes = page.getByLabel("Your question for the captain");
  await notes.fill("Can I fly?");
  await field.fill(first);
  await page.getByRole("button", { name: "Show times" }).click();
  // As long as a click waits for the scripts.
  await page.clock.fastForward(4_000);
  const times = page.getByRole("radiogroup", { name: "Start time" }).getByRole("radio");
  await expect(times.first()).toBeFocused();
  await notes.fill("Can I fly with glasses?");
  await change(page);
  await page.getByRole("radio", { name: "11:00 AM" }).check({ force: true });
  await field.fill(later);
  await release();
  await page.waitForLoadState("networkidle");
  // Nothing takes the place of a field in which somebody writes.
  await expect(field).toBeFocused();
  await field.blur();
  await expect(page.locator(`[data-date="${later}"]`)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeChecked();
  await expect(field).toHaveValue(later);
  await expect(notes).toHaveValue("Can I fly with glasses?");
  // Nor is the focus taken when the times of another length come.
  await change(page);
  await expect(page.getByRole("button", { name: "Next month" })).toBeVisible();
  const longer = page.locator('input[name="package"][value="45"]');
  await page.locator('input[name="package"][value="30"]').focus();
  await page.keyboard.press("ArrowDown");
  await expect(longer).toBeFocused();
  await page.locator('#booking-time[aria-busy="false"]').waitFor();
  await expect(times.first()).toBeVisible();
  await expect(longer).toBeFocused();
});

test("posts itself when the script that checks it is gone", async ({ page, problems }) => {
  problems.allow(/ERR_FAILED/);
  await page.route(/\/assets\/booking-schema.*\.js$/, (route) => route.abort());
  await fillForm(page, dayAhead(16), "11:00 AM");
  await submit(page);
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}/);
  await expect(page.getByRole("button", { name: /Pay ₹1,179/ })).toBeVisible();
});

test("a click on a slow line is answered at once", async ({ page, problems }) => {
  problems.allow(/status of 503/);
  const schema = await hold(page, /\/assets\/booking-schema.*\.js$/);
  await fillForm(page, dayAhead(18), "11:00 AM");
  const name = page.getByLabel("Full name");
  const held = Promise.withResolvers<void>();
  const asked = page.waitForRequest("**/api/appointments");
  await page.route("**/api/appointments", async (route) => {
    await held.promise;
    const json = { status: "error", code: "unavailable", message: "Please try again in a moment." };
    await route.fulfill({ status: 503, json });
  });
  await name.press("Enter");
  const waiting = page.getByRole("button", { name: "Creating Appointment..." });
  await expect(waiting).toBeDisabled();
  await schema();
  await asked;
  await expect(waiting).toBeDisabled();
  const still = page.locator("[inert]").locator('input[name="package"]');
  await expect(still).toHaveCount(3);
  held.resolve();
  await expect(page.getByText("Please try again in a moment.").first()).toBeVisible();
  await expect(still).toHaveCount(0);
  await expect(name).toBeFocused();
});

test("takes a time away that somebody else got", async ({ page, app, problems }) => {
  problems.allow(/status of 409/);
  const date = dayAhead(20);
  const who = await fillForm(page, date, "11:00 AM");
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You are holding").first()).toBeVisible();
  const made = "SELECT id FROM appointment WHERE email = ?";
  endHold(app, app.db.firstRaw<{ id: string }>(made, [who.email])!.id);
  await book(app, { date, timeSlot: "11:00" });
  await submit(page);
  await expect(page.getByText("Payment Setup Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("You are holding")).toHaveCount(0);
  await expect(page.getByText("it can no longer be held").first()).toBeVisible();
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toHaveCount(0);
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
});

test("a failing server is asked a while; nobody pays again", async ({ page, app, problems }) => {
  problems.allow(/status of 503|ERR_FAILED/);
  const id = await payable(app, 44);
  await page.clock.install();
  await page.goto(`/booking/${id}`);
  let asked = 0;
  await page.route("**/api/payments/verify", (route) => {
    asked += 1;
    return route.fulfill({ status: 503, json: { status: "error", code: "unavailable" } });
  });
  // The first answer is lost, the others are refusals.
  await page.route("**/api/payments/verify", (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await payWindow(page).getByText("More outcomes").click();
  await payWindow(page).getByRole("button", { name: "Pay, authorise only" }).click();
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  const wait = async (halfMinutes: number) => {
    for (let passed = 0; passed < halfMinutes; passed += 1) {
      await page.clock.runFor(30_000);
      // An answer arrives before the next wait.
      await page.evaluate(() => fetch("/api/payments/verify", { method: "POST" }));
      asked -= 1;
    }
  };
  await wait(24);
  const until = asked;
  expect(until).toBeGreaterThan(5);
  await wait(3);
  expect(asked).toBe(until);
  await expect(page.getByText("Please do not pay again")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
});

test("a price changed in another tab is not paid unseen", async ({ page, app }) => {
  const { id, ...body } = await bookIn(page, app, { date: dayAhead(22) });
  await page.goto(`/booking/${id}`);
  await expect(page.getByRole("button", { name: "Pay ₹1,179" })).toBeVisible();
  const moved = await bookIn(page, app, { ...body, package: 60, packagePrice: 1499 });
  expect(moved.id).toBe(id);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await expect(page.getByText("costs ₹1,769 now").first()).toBeVisible();
  await page.getByRole("button", { name: "Pay ₹1,769" }).click();
  await expect(payWindow(page).getByText("₹1,769").first()).toBeVisible();
});

test("a payment whose answer was lost is shown in the end", async ({ page, app, problems }) => {
  problems.allow(/409/);
  const id = await payable(app, 47);
  await page.goto(`/booking/${id}`);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  const close = payWindow(page).getByRole("button", { name: "Cancel" });
  await close.waitFor();
  await pay(app, id);
  await close.click();
  await expect(booked(page)).toBeVisible();
  expect(await page.getByText("Payment Cancelled").count()).toBe(0);
});

test("changes nothing behind an open payment window, and looks after it", async ({ page, app }) => {
  const id = await payable(app, 46);
  await page.clock.install();
  await page.goto(`/booking/${id}`);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  const close = payWindow(page).getByRole("button", { name: "Cancel" });
  await close.waitFor();
  let looks = 0;
  page.on("request", (request) => {
    if (request.url().includes(`/booking/${id}.data`)) looks += 1;
  });
  await page.clock.fastForward(20 * 60_000);
  await expect(page.getByText("Time is up")).toBeVisible();
  // A look would have begun before this.
  await page.evaluate(() => fetch("/health").then((answer) => answer.text()));
  expect(looks).toBe(0);
  await close.click();
  await expect(page.getByText("Payment Cancelled", { exact: true })).toBeVisible();
  await expect.poll(() => looks).toBe(1);
  // An app may still be paying.
  await page.clock.fastForward(10_000);
  await expect.poll(() => looks).toBe(2);
  // The person comes back from the bank's app.
  await pay(app, id);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(booked(page)).toBeVisible();
});

test.describe("in the browser of another app", () => {
  test.use({ userAgent: "Mozilla/5.0 (Linux; Android 14) Instagram 330.0.0.1" });

  test("the button works again when the way to the payment failed", async ({ page, problems }) => {
    problems.allow(/ERR_/);
    await fillForm(page, dayAhead(24), "11:00 AM");
    await page.route(/\/booking\/[a-z0-9]{26}$/, (route) => route.fulfill({ status: 204 }));
    await submit(page);
    await expect(page.getByRole("button", { name: "Pay ₹1,179" }).first()).toBeEnabled();
  });
});
