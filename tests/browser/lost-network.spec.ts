/** What the visitor meets when the network, the server or a file of a page is away for a while. */
import type { Locator, Page } from "@playwright/test";
import { formatLongDay } from "#app/model/dates.ts";
import { book, bookConfirmed, pay, UNKNOWN_ID } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { change, choose, fillForm, payWindow, submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** What the browser and React say of a call or a file that was lost. */
const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch|dynamically imported module/;

const again = (page: Page): Locator => page.getByRole("link", { name: "Load this page again" });

test("a notification is read also where its region does not load", async ({ page, problems }) => {
  problems.allow(LOST);
  await page.goto("/");
  await page.route(/toast-region/, (route) => route.abort());
  await submit(page);
  const alert = page.getByRole("alert").filter({ hasText: "Package Required" });
  await expect(alert).toContainText("Please select a package");
  await alert.getByRole("button", { name: "Close" }).click();
  await expect(alert).toHaveCount(0);
});

test("without network, then server, it books once", async ({ page, context, app, problems }) => {
  problems.allow(LOST);
  problems.allow(/502/);
  await page.clock.install();
  const who = await fillForm(page, dayAhead(9), "11:00 AM");
  await context.setOffline(true);
  await expect(page.getByText("You are offline. What you typed stays here")).toBeInViewport();
  await submit(page);
  await expect(page.getByText("Your booking goes on by itself then.")).toBeInViewport();
  const gone = [/api\/appointments/, /\/health/, /\.data/];
  for (const path of gone) await page.route(path, (route) => route.abort());
  await context.setOffline(false);
  const waits = page.getByText("Our server does not answer right now.");
  await expect(waits).toBeInViewport();
  await expect(page.getByText("You are offline.")).toHaveCount(0);
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.getByText("Booking Failed")).toHaveCount(0);
  // What is changed meanwhile is what is booked; a proxy without its server answers no better.
  await change(page);
  await page.locator('input[name="package"][value="60"]').check();
  await page.route(/\/health/, (route) => route.fulfill({ status: 502, body: "Bad gateway" }));
  const asked = page.waitForResponse((response) => response.url().endsWith("/health"));
  await page.clock.runFor(3_000);
  await asked;
  await expect(waits).toBeVisible();
  for (const path of gone) await page.unroute(path);
  await page.clock.runFor(3_000);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  await expect(payWindow(page).getByText("₹1,769").first()).toBeVisible();
  await expect(waits).toHaveCount(0);
  const made = "SELECT id FROM appointment WHERE email = ?";
  expect(app.db.allRaw(made, [who.email])).toHaveLength(1);
});

test("a payment that ends as the network goes is looked for", async ({ page, problems }) => {
  problems.allow(LOST);
  await fillForm(page, dayAhead(56), "11:00 AM");
  const preloads = page.locator('link[rel="modulepreload"]');
  const before = await preloads.count();
  await submit(page);
  const payNow = payWindow(page).getByRole("button", { name: "Pay now" });
  await payNow.waitFor();
  await expect.poll(() => preloads.count()).toBeGreaterThan(before);
  const areLoaded = (links: HTMLLinkElement[]) => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    return links.every(({ href }) => loaded.includes(href));
  };
  await expect.poll(() => preloads.evaluateAll(areLoaded)).toBe(true);
  await page.clock.install();
  const gone = [/payments\/verify/, /\/assets\//, /__manifest/, /\.data/];
  for (const path of gone) await page.route(path, (route) => route.abort());
  const lost = page.waitForEvent("requestfailed", (request) => request.url().includes(".data"));
  await payNow.click();
  await lost;
  await expect(page.getByText("Please do not pay again.")).toBeVisible();
  for (const path of gone) await page.unroute(path);
  await page.clock.runFor(10_000);
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
});

test("a booking's forms stay as they were typed without a network", async ({ page, app }) => {
  const { id } = await bookConfirmed(app, { date: dayAhead(48) });
  for (const [path, button] of [
    ["/find-booking", "Send me the links"],
    [`/booking/${id}/cancel`, /^Cancel/],
    [`/booking/${id}/reschedule`, /^Move to/],
  ] as const) {
    await page.goto(path);
    const email = page.getByRole("textbox", { name: "Email" });
    await email.fill("typed@example.in");
    await page.context().setOffline(true);
    await page.getByRole("button", { name: button }).click();
    await expect(page.getByText("What you typed is still here")).toBeInViewport();
    await expect(email).toHaveValue("typed@example.in");
    await page.context().setOffline(false);
  }
});

test("a payment that meets no server goes on by itself", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const { id } = await book(app, { date: dayAhead(44) });
  await page.clock.install();
  await page.goto(`/booking/${id}`, { waitUntil: "networkidle" });
  const gone = [/create-order/, /\/health/, /\.data/];
  for (const path of gone) await page.route(path, (route) => route.abort());
  await page.getByRole("button", { name: /^Pay ₹/ }).click();
  await expect(page.getByText("Our server does not answer right now.")).toBeVisible();
  for (const path of gone) await page.unroute(path);
  await page.clock.runFor(3_000);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
});

test("an unanswered day leads back, a refusal has its words", async ({ page, app, problems }) => {
  problems.allow(LOST);
  problems.allow(/429|503/);
  const { id } = await bookConfirmed(app, { date: dayAhead(46) });
  await page.goto(`/booking/${id}/reschedule`);
  const ask = async () => {
    await page.getByRole("grid").waitFor();
    await page.locator("[data-date][aria-pressed=false]:not([disabled])").first().click();
  };
  const leadsBack = async () => {
    await expect(page.getByText("may no longer be free")).toHaveCount(0);
    await again(page).click();
    await expect(page).toHaveURL(/reschedule\?date=/);
    await expect(page.getByRole("heading", { name: "Move your session" })).toBeVisible();
  };
  await page.getByRole("grid").waitFor();
  await page.context().setOffline(true);
  await ask();
  await expect(page.getByText("We could not reach our server")).toBeVisible();
  await expect(page.getByText("it may still have arrived")).toBeVisible();
  await expect(page.getByRole("link", { name: "Go to the booking page" })).toBeVisible();
  await page.context().setOffline(false);
  await leadsBack();
  const answers = [
    { status: 429, body: "Too many requests. Please wait a minute.\n" },
    { status: 503, body: "upstream connect error" },
  ];
  await page.route(/reschedule\.data/, (route) => route.fulfill(answers.shift()!));
  await ask();
  await expect(page.getByText("Too many requests. Please wait a minute.")).toBeVisible();
  await leadsBack();
  await ask();
  await expect(page.getByText("Please try again in a moment.")).toBeVisible();
  await expect(page.getByText("upstream")).toHaveCount(0);
});

test("a payment is looked for also without a network", async ({ page, app, problems }) => {
  problems.allow(LOST);
  problems.allow(/503|429/);
  const { id } = await book(app, { date: dayAhead(50) });
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
  const { id } = await book(app, { date: dayAhead(52) });
  await page.clock.install();
  await page.goto(`/booking/${id}?payment=checking`);
  await expect(page.getByText("Please do not pay again.")).toBeVisible();
  await page.route(/\.data/, async (route) => {
    const url = route.request().url().replace(id, UNKNOWN_ID);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  await page.clock.runFor(5_000);
  await expect(page.getByRole("heading", { name: "Page Not Found" })).toBeVisible();
});

test("without the calendar's file the day is typed", async ({ page, app, problems }) => {
  problems.allow(LOST);
  await page.route(/assets\/calendar-/, (route) => route.abort());
  const date = dayAhead(54);
  const { id } = await bookConfirmed(app, { date });
  const lost = () => page.waitForEvent("requestfailed");
  const [,] = await Promise.all([lost(), page.goto(`/booking/${id}/reschedule`)]);
  await page.getByLabel("Day of the session").fill(dayAhead(20));
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(page.getByText(`free times on ${formatLongDay(dayAhead(20))}`)).toBeVisible();

  const missed = lost();
  await page.goto("/");
  await choose(page, ASHA, 30);
  await page.getByLabel("Full name").fill("Ananya Rao");
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await missed;
  await page.getByLabel("Day of the session").fill(date);
  await page.locator('#booking-time[aria-busy="false"]').waitFor();
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
});
