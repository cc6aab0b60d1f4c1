/** What the visitor meets when the network, the server or a file of a page is away for a while. */
import type { Locator, Page } from "@playwright/test";
import { book, bookAndPay, pay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { change, payWindow, SUBMIT } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** What the browser and React say of a call or a file that was lost. */
const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch|dynamically imported module/;

/** A day of its own for each test. */
let day = 40;
function nextDay(): string {
  day += 2;
  return dayAhead(day);
}

const again = (page: Page): Locator => page.getByRole("link", { name: "Load this page again" });

async function expectNoMoneyWords(page: Page): Promise<void> {
  await expect(page.getByText("may no longer be free")).toHaveCount(0);
}

async function fillForm(page: Page, name: string): Promise<void> {
  await page.goto("/");
  await page.getByLabel("Full name").fill(name);
  await page.getByLabel("Email").fill("ananya.rao@example.in");
  await page.getByLabel("Phone").fill("98450 12345");
  await page.locator(`input[name="counselor"][value="${ASHA}"]`).check();
  await page.locator('input[name="package"][value="30"]').check();
}

test("a notification is read also where its region does not load", async ({ page, problems }) => {
  problems.allow(LOST);
  problems.allow(/429/);
  await fillForm(page, "Ananya Rao");
  await chooseDay(page, nextDay());
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await page.route(/toast-region/, (route) => route.abort());
  const later = JSON.stringify({ code: "rate_limited", message: "Please wait a minute." });
  await page.route(/api\/appointments/, (route) => route.fulfill({ status: 429, body: later }));
  await page.getByRole("button", { name: SUBMIT }).click();
  const alert = page.getByRole("alert").filter({ hasText: "Booking Failed" });
  await expect(alert).toContainText("Please wait a minute.");
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
  await alert.getByRole("button", { name: "Close" }).click();
  await expect(alert).toHaveCount(0);
  await page.unroute(/toast-region/);
  await page.unroute(/api\/appointments/);
  await page.getByRole("button", { name: SUBMIT }).click();
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  // In the region, or in plain words where the browser remembers that it did not load.
  await expect(page.getByText("Payment Successful", { exact: true })).toBeVisible();
});

test("a server that is gone at a click is waited for, and the page says so there", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  problems.allow(/502/);
  await fillForm(page, "Leela Nair");
  await chooseDay(page, nextDay());
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  const gone = [/api\/appointments/, /\/health/];
  for (const path of gone) await page.route(path, (route) => route.abort());
  await page.getByRole("button", { name: SUBMIT }).click();
  const waits = page.getByText("Our server does not answer right now.");
  await expect(waits).toBeInViewport();
  await expect(page.getByLabel("Full name")).toHaveValue("Leela Nair");
  await expect(page.getByText("Booking Failed")).toHaveCount(0);
  // What is changed meanwhile is what is booked; a proxy without its server answers no better.
  await change(page);
  await page.locator('input[name="package"][value="60"]').check();
  await page.route(/\/health/, (route) => route.fulfill({ status: 502, body: "Bad gateway" }));
  await page.waitForResponse((response) => response.url().endsWith("/health"));
  await expect(waits).toBeVisible();
  for (const path of gone) await page.unroute(path);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  await expect(payWindow(page).getByText("₹1,769").first()).toBeVisible();
  await expect(waits).toHaveCount(0);
  const ids = app.db.allRaw("SELECT id FROM appointment WHERE name = 'Leela Nair'");
  expect(ids).toHaveLength(1);
});

test("a payment that meets no server goes on by itself on the booking's page", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  const { id } = await book(app, { date: nextDay() });
  await page.goto(`/booking/${id}`, { waitUntil: "networkidle" });
  const gone = [/create-order/, /\/health/, /\.data/];
  for (const path of gone) await page.route(path, (route) => route.abort());
  await page.getByRole("button", { name: /^Pay ₹/ }).click();
  await expect(page.getByText("Our server does not answer right now.")).toBeVisible();
  for (const path of gone) await page.unroute(path);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
});

test("a day that cannot be asked for leads back to it", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const date = nextDay();
  const { id } = await bookAndPay(app, { date });
  await page.goto(`/booking/${id}/reschedule`);
  await page.getByRole("grid").waitFor();
  await page.context().setOffline(true);
  await page.locator(`[data-date="${date}"]`).press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page.getByText("We could not reach our server")).toBeVisible();
  await expect(page.getByText("it may still have arrived")).toBeVisible();
  await expectNoMoneyWords(page);
  await expect(page.getByRole("link", { name: "Go to the booking page" })).toBeVisible();
  await page.context().setOffline(false);
  await again(page).click();
  await expect(page).toHaveURL(/reschedule\?date=/);
  await expect(page.getByRole("heading", { name: "Move your session" })).toBeVisible();
});

test("a cancellation whose answer is lost is looked up", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const { id, body } = await bookAndPay(app, { date: nextDay() });
  await page.goto(`/booking/${id}/cancel`);
  await page.getByLabel("Email of this booking").fill(body.email);
  await page.route(/cancel\.data/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByRole("button", { name: "Cancel and refund ₹1,179" }).click();
  await expect(page.getByText("it may still have arrived")).toBeVisible();
  await expectNoMoneyWords(page);
  await again(page).click();
  await expect(page).toHaveURL(`/booking/${id}/cancel`);
  await expect(page.getByText("This booking is already cancelled")).toBeVisible();
});

test("a refusal is shown in its own words", async ({ page, app, problems }) => {
  problems.allow(/429|503/);
  const { id } = await bookAndPay(app, { date: nextDay() });
  const answers = [
    { status: 429, body: "Too many requests. Please wait a minute.\n" },
    { status: 503, body: "upstream connect error" },
  ];
  await page.route(/reschedule\.data/, (route) => route.fulfill(answers.shift()!));
  const ask = async () => {
    await page.goto(`/booking/${id}/reschedule`);
    await page.getByRole("grid").waitFor();
    await page.locator("[data-date]:not([disabled])").first().click();
  };
  await ask();
  await expect(page.getByText("Too many requests. Please wait a minute.")).toBeVisible();
  await expect(again(page)).toHaveAttribute("href", /reschedule\?date=/);
  await ask();
  await expect(page.getByText("Please try again in a moment.")).toBeVisible();
  await expect(page.getByText("upstream")).toHaveCount(0);
  await expectNoMoneyWords(page);
});

test("a page that fails is loaded again", async ({ noJsPage: page, app, problems }) => {
  problems.allow(/500/);
  const { id } = await bookAndPay(app, { date: nextDay() });
  app.db.runRaw("ALTER TABLE appointment RENAME TO appointment_away");
  await page.goto(`/booking/${id}?payment=checking`).finally(() => {
    app.db.runRaw("ALTER TABLE appointment_away RENAME TO appointment");
  });
  await expect(page.getByText("This is our mistake, not yours.")).toBeVisible();
  await expectNoMoneyWords(page);
  await again(page).click();
  await expect(page).toHaveURL(`/booking/${id}?payment=checking`);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("a payment is looked for also without a network", async ({ page, app, problems }) => {
  problems.allow(LOST);
  problems.allow(/503|429/);
  const { id } = await book(app, { date: nextDay() });
  const checking = page.getByText("Please do not pay again.");
  await page.clock.install();
  await page.goto(`/booking/${id}?payment=checking`, { waitUntil: "networkidle" });
  await expect(checking).toBeVisible();
  await page.context().setOffline(true);
  for (let looks = 0; looks < 2; looks++) {
    const lost = page.waitForEvent("requestfailed", (request) => request.url().includes(".data"));
    await page.clock.runFor(10_000);
    await lost;
  }
  await expect(checking).toBeVisible();
  await expect(page.getByRole("button", { name: "Check again" })).toBeVisible();
  await page.context().setOffline(false);
  for (const status of [503, 429]) {
    await page.route(/\.data/, (route) => route.fulfill({ status, body: "later" }), { times: 1 });
    const refused = page.waitForResponse((response) => response.status() === status);
    await page.getByRole("button", { name: "Check again" }).click();
    await refused;
  }
  await expect(checking).toBeVisible();
  await pay(app, id);
  await page.clock.runFor(10_000);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("a booking that is gone does not stay on the page", async ({ page, app, problems }) => {
  problems.allow(/404/);
  const { id } = await book(app, { date: nextDay() });
  await page.goto(`/booking/${id}?payment=checking`);
  await expect(page.getByText("Please do not pay again.")).toBeVisible();
  await page.route(/\.data/, async (route) => {
    const url = route.request().url().replace(id, "abcdefghijkmnpqrstuvwxyz23");
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
});

test("without the calendar's file the day is typed", async ({ page, app, problems }) => {
  problems.allow(LOST);
  await page.route(/assets\/calendar-/, (route) => route.abort());
  const date = nextDay();
  const { id } = await bookAndPay(app, { date });
  const lost = () => page.waitForEvent("requestfailed");
  const [,] = await Promise.all([lost(), page.goto(`/booking/${id}/reschedule`)]);
  await page.getByLabel("Day of the session").fill(dayAhead(20));
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(page).toHaveURL(/date=/);
  await expect(page.getByText("free times on")).toBeVisible();

  const missed = lost();
  await fillForm(page, "Ananya Rao");
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await missed;
  await page.getByLabel("Day of the session").fill(date);
  await page.locator('#booking-time[aria-busy="false"]').waitFor();
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
});
