/** Booking and paying where answers are late or lost, and scripts come after the person. */
import type { Page, Route } from "@playwright/test";
import { addDays } from "#app/model/dates.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { book, makeOrder, pay } from "#tests/support/admin.ts";
import { ASHA, bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { change, choose, fillForm, payWindow, submit } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

const SCRIPTS = /\/assets\/.*\.js$/;

/** A day of its own for each test. */
let day = 10;
function nextDay(): string {
  day += 2;
  return dayAhead(day);
}

const booked = (page: Page) => page.getByRole("heading", { name: "Booking Confirmed!" });

async function payable(app: TestApp): Promise<string> {
  const { id } = await book(app, { date: nextDay() });
  await makeOrder(app, id);
  return id;
}

test("keeps the date and the time that were chosen before the scripts came", async ({ page }) => {
  const first = nextDay();
  const release = await hold(page, SCRIPTS);
  await page.goto("/", { waitUntil: "commit" });
  await choose(page, ASHA, 30);
  const field = page.locator('input[name="date"]');
  const notes = page.getByLabel("Your question for the captain");
  await notes.fill("Can I fly?");
  await field.fill(first);
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeVisible();
  await notes.fill("Can I fly with glasses?");
  await change(page);
  const later = addDays(first, 1);
  await field.fill(later);
  await page.getByRole("radio", { name: "11:00 AM" }).check({ force: true });
  await release();
  await expect(page.locator(`[data-date="${later}"]`)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeChecked();
  await expect(field).toHaveValue(later);
  await expect(notes).toHaveValue("Can I fly with glasses?");
});

test("leaves a date field alone in which somebody writes", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/", { waitUntil: "commit" });
  const field = page.locator('input[name="date"]');
  await field.focus();
  await release();
  await page.waitForLoadState("networkidle");
  await expect(field).toBeFocused();
  const date = nextDay();
  await field.fill(date);
  await field.blur();
  await expect(page.locator(`[data-date="${date}"]`)).toHaveAttribute("aria-pressed", "true");
});

test("leaves the focus where the person is when the times come", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/", { waitUntil: "commit" });
  await choose(page, ASHA, 30);
  await page.locator('input[name="date"]').fill(nextDay());
  await page.getByRole("button", { name: "Show times" }).click();
  const times = page.getByRole("radiogroup", { name: "Start time" }).getByRole("radio");
  await expect(times.first()).toBeFocused();
  await release();
  await change(page);
  await expect(page.getByRole("button", { name: "Next month" })).toBeVisible();
  const longer = page.locator('input[name="package"][value="45"]');
  await page.locator('input[name="package"][value="30"]').focus();
  await page.keyboard.press("ArrowDown");
  await expect(longer).toBeFocused();
  await expect(times.first()).toBeVisible();
  await expect(longer).toBeFocused();
});

test("posts itself when the script that checks it is gone", async ({ page, problems }) => {
  problems.allow(/ERR_FAILED/);
  await page.route(/\/assets\/booking-schema.*\.js$/, (route) => route.abort());
  await fillForm(page, nextDay(), "11:00 AM");
  await submit(page);
  await expect(page).toHaveURL(/\/booking\/[a-z0-9]{26}/);
  await expect(page.getByRole("button", { name: /Pay ₹1,179/ })).toBeVisible();
});

test("holds the choice still while it is being booked", async ({ page, problems }) => {
  problems.allow(/status of 503/);
  await fillForm(page, nextDay(), "11:00 AM");
  const name = page.getByLabel("Full name");
  const held = Promise.withResolvers<void>();
  await page.route("**/api/appointments", async (route) => {
    await held.promise;
    const json = { status: "error", code: "unavailable", message: "Please try again in a moment." };
    await route.fulfill({ status: 503, json });
  });
  await name.press("Enter");
  await expect(page.getByRole("button", { name: "Creating Appointment..." })).toBeDisabled();
  const still = page.locator("[inert]").locator('input[name="package"]');
  await expect(still).toHaveCount(3);
  held.resolve();
  await expect(page.getByText("Please try again in a moment.").first()).toBeVisible();
  await expect(still).toHaveCount(0);
  await expect(name).toBeFocused();
});

test("takes a time away that somebody else got", async ({ page, app, problems }) => {
  problems.allow(/status of 409/);
  const date = nextDay();
  const who = await fillForm(page, date, "11:00 AM");
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("You are holding").first()).toBeVisible();
  app.db.driver
    .prepare("UPDATE appointment SET hold_until = 0, pay_before = 0 WHERE on_date = ?")
    .run(date);
  app.db.driver.prepare("UPDATE session_time SET held_until = 0 WHERE held_until > 0").run();
  const other = bookingBody({ date, timeSlot: "11:00" });
  expect((await app.api("/api/appointments", { json: other })).httpStatus).toBe(201);
  await submit(page);
  await expect(page.getByText("Payment Setup Failed", { exact: true })).toBeVisible();
  await expect(page.getByText("You are holding")).toHaveCount(0);
  await expect(page.getByText("it can no longer be held").first()).toBeVisible();
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toHaveCount(0);
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
});

test("the first page says what was paid in a tab that is lost", async ({ page, app }) => {
  await fillForm(page, nextDay(), "11:00 AM");
  await submit(page);
  await payWindow(page).getByText("More outcomes").click();
  await payWindow(page).getByRole("button", { name: "Pay, lose the callback" }).click();
  await payWindow(page).getByText("The shop is told nothing").waitFor();
  await app.sandbox.idle();
  await page.goto("/");
  const said = page.getByText(/Your session on .*11:00 AM IST.* is confirmed\./);
  await expect(said).toHaveCount(2);
  // The page comes back where it was left: at the form.
  await expect(said.last()).toBeInViewport();
  // The form has its last word before the link stands still.
  await expect(page.getByText("11:00 AM is not free for this captain")).toBeVisible();
  await page.getByRole("link", { name: "See your booking" }).last().click();
  await expect(booked(page)).toBeVisible();
});

test("an answer lost after paying is found out", async ({ page, context, app, problems }) => {
  problems.allow(/ERR_(FAILED|INTERNET_DISCONNECTED)/);
  await page.goto(`/booking/${await payable(app)}`);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  const paying = payWindow(page).getByRole("button", { name: "Pay now" });
  await paying.waitFor();
  const lose = async (route: Route) => {
    await context.setOffline(true);
    await route.abort();
  };
  await page.route("**/api/payments/verify", lose, { times: 1 });
  await paying.click();
  await expect(page.getByText("Please do not pay again")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
  await context.setOffline(false);
  await expect(booked(page)).toBeVisible({ timeout: 60_000 });
});

test("a failing server is asked for a while, and nobody pays again", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/status of 503/);
  const id = await payable(app);
  await page.clock.install();
  await page.goto(`/booking/${id}`);
  let asked = 0;
  await page.route("**/api/payments/verify", (route) => {
    asked += 1;
    return route.fulfill({ status: 503, json: { status: "error", code: "unavailable" } });
  });
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
  await wait(30);
  const until = asked;
  expect(until).toBeGreaterThan(5);
  await wait(4);
  expect(asked).toBe(until);
  await expect(page.getByText("Please do not pay again")).toBeVisible();
  await expect(page.getByRole("button", { name: /^Pay/ })).toHaveCount(0);
});

test("a price changed in another tab is not paid unseen", async ({ page, app }) => {
  const json = bookingBody({ date: nextDay() });
  const { data, headers } = await app.api("/api/appointments", { json });
  await page.goto(`/booking/${data.id}`);
  await expect(page.getByRole("button", { name: "Pay ₹1,179" })).toBeVisible();
  const moved = await app.api("/api/appointments", {
    json: { ...json, package: 60, packagePrice: 1499 },
    headers: { Cookie: headers.get("set-cookie")!.split(";")[0]! },
  });
  expect(moved.data.id).toBe(data.id);
  await page.getByRole("button", { name: "Pay ₹1,179" }).click();
  await expect(page.getByText("costs ₹1,769 now").first()).toBeVisible();
  await expect(page.getByRole("button", { name: "Pay ₹1,769" })).toBeVisible();
  await page.getByRole("button", { name: "Pay ₹1,769" }).click();
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(booked(page)).toBeVisible();
});

test("changes nothing behind an open payment window", async ({ page, app }) => {
  const id = await payable(app);
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
});

test("looks as soon as the person comes back from the bank's app", async ({ page, app }) => {
  const id = await payable(app);
  await page.goto(`/booking/${id}`);
  await pay(app, id);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await expect(booked(page)).toBeVisible();
});

test("learns the result on a line slower than it looks", async ({ page, app }) => {
  const { id } = await book(app, { date: nextDay() });
  const { orderId } = (await makeOrder(app, id)).data;
  await page.clock.install();
  await page.goto(`/booking/${id}?payment=checking`);
  await expect(page.getByRole("heading", { name: "Your payment is being checked" })).toBeVisible();
  let looks = 0;
  const held = Promise.withResolvers<void>();
  await page.route(/\.data/, async (route) => {
    looks += 1;
    await held.promise;
    await route.continue().catch(() => {});
  });
  const proof = app.sandbox.pay(orderId, { outcome: "captured", webhooks: false });
  await app.api("/api/payments/verify", { json: { ...proof, appointmentId: id } });
  // Time for several looks, of which the first has no answer yet and is not given up for the next.
  for (let turn = 0; turn < 4; turn++) {
    await page.clock.runFor(5_000);
    await expect.poll(() => looks).toBe(1);
  }
  held.resolve();
  await expect(booked(page)).toBeVisible();
  await expect(page.getByRole("status").filter({ has: booked(page) })).toHaveCount(1);
});

test.describe("in the browser of another app", () => {
  test.use({ userAgent: "Mozilla/5.0 (Linux; Android 14) Instagram 330.0.0.1" });

  test("the button works again when the way to the payment failed", async ({ page, problems }) => {
    problems.allow(/ERR_/);
    await fillForm(page, nextDay(), "11:00 AM");
    await page.route(/\/booking\/[a-z0-9]{26}$/, (route) => route.fulfill({ status: 204 }));
    await submit(page);
    await expect(page.getByRole("button", { name: "Pay ₹1,179" }).first()).toBeEnabled();
  });
});
