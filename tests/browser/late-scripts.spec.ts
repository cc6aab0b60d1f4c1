/** The booking page's scripts come when they are wanted; what is clicked before is kept. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { bookIn, change, fillPerson, someone, submit } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

/** A large phone, whose first screen ends not far above the form. */
test.use({ viewport: { width: 412, height: 915 } });

const SCRIPTS = /\/assets\/.*\.js$/;

/** Opens the page as a reader does, who touches nothing. Counts the scripts that come after all. */
async function read(page: Page, path: string): Promise<() => number> {
  let scripts = 0;
  page.on("request", (request) => {
    if (request.resourceType() === "script") scripts += 1;
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.waitForLoadState("networkidle");
  return () => scripts;
}

/** The form answers by itself. */
const alive = (page: Page) =>
  expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
const freeTime = (page: Page) => page.locator('button[name="pick"]').first();
const captain = (page: Page, name: string) =>
  page.locator(`input[name="counselor"][value="${name}"]`);

/** Beside a key, which the budget of a first visit presses. */
const WAYS: Record<string, (page: Page) => Promise<unknown>> = {
  "a touch": (page) => page.mouse.click(5, 300),
  "the focus, as a screen reader moves it": (page) =>
    page.getByRole("link", { name: "Choose your session" }).focus(),
  "the form coming in sight": (page) =>
    page.evaluate(() => document.getElementById("book")?.scrollIntoView()),
};

test("a reader gets no scripts until a touch, the focus, the form in sight", async ({ page }) => {
  for (const [way, act] of Object.entries(WAYS)) {
    const scripts = await read(page, "/");
    expect(scripts(), way).toBe(0);
    await act(page);
    await alive(page);
    expect(scripts(), way).toBeGreaterThan(0);
  }
});

test("a captain clicked first is chosen, unless another is by hand", async ({ page }) => {
  const name = page.getByLabel("Full name");
  for (const other of [null, ASHA]) {
    const release = await hold(page, SCRIPTS);
    await read(page, "/");
    await name.fill("Ananya Rao");
    await page.getByRole("link", { name: "Choose your session" }).click();
    await page.getByRole("button", { name: `Book with ${ROHAN}` }).click();
    await expect(page.locator("#book")).toBeInViewport();
    if (other) await captain(page, other).check();
    await expect(name).toHaveValue("Ananya Rao");
    await release();
    await alive(page);
    await expect(captain(page, other ?? ROHAN)).toBeChecked();
    await expect(name).toHaveValue("Ananya Rao");
    await expect(page).toHaveURL(/#book$/);
    await page.evaluate(() => sessionStorage.clear());
  }
});

test("if the scripts do not come, the form is sent without them", async ({ page, problems }) => {
  problems.allow(/Failed to load resource|ERR_FAILED/);
  await page.route(SCRIPTS, (route) => route.abort());
  await read(page, "/");
  await freeTime(page).click();
  await page.waitForURL(/\?index/);
  await expect(page.locator('input[name="timeSlot"]:checked')).toHaveCount(1);
  await read(page, "/");
  await page.getByRole("button", { name: `Book with ${ROHAN}` }).click();
  await page.waitForURL(/\?index/);
  await expect(captain(page, ROHAN)).toBeChecked();
});

test("a time that the server has cleared with its day does not come back", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await page.goto("/", { waitUntil: "commit" });
  await captain(page, ASHA).check({ force: true });
  await page.locator('input[name="package"][value="30"]').check({ force: true });
  const show = async (date: string) => {
    await page.locator('input[name="date"]').fill(date);
    await page.getByRole("button", { name: "Show times" }).click();
    await expect(page.locator('input[name="timesOf"]')).toHaveValue(date);
  };
  await show(dayAhead(5));
  await page.locator('input[name="timeSlot"][value="09:00"]').check({ force: true });
  await change(page);
  await show(dayAhead(6));
  await release();
  await alive(page);
  await expect(page.locator('input[name="timeSlot"]:checked')).toHaveCount(0);
});

test("if they come too late, it is sent too, and they say why", async ({ page, problems }) => {
  problems.allow(/status of 400/);
  await page.clock.install();
  const release = await hold(page, SCRIPTS);
  await read(page, "/");
  await fillPerson(page, someone());
  await submit(page);
  await page.clock.fastForward(4_000);
  const summary = page.locator("#form-errors");
  await expect(summary).toContainText("Package Required");
  await expect(summary).toContainText("Please select a package");
  await expect(summary).toBeFocused();
  await release();
  const toast = page.locator(".toast");
  await expect(toast).toContainText("Package Required");
  await expect(toast).toContainText("Please select a package");
  await expect(toast).toBeInViewport({ ratio: 1 });
});

test("without a network it says so there, and goes on by itself", async ({ page, context }) => {
  await read(page, "/");
  await context.setOffline(true);
  await freeTime(page).click();
  await expect(freeTime(page)).toHaveAttribute("aria-busy", "true");
  const said = page.getByText("Your booking goes on by itself then.");
  await expect(said).toBeInViewport();
  const [button, words] = [await freeTime(page).boundingBox(), await said.boundingBox()];
  expect(words!.y - button!.y - button!.height).toBeLessThan(20);
  await context.setOffline(false);
  await alive(page);
  await expect(said).toHaveCount(0);
  await expect(page.locator('input[name="counselor"]:checked')).toHaveCount(1);
  await expect(page.locator('input[name="timeSlot"]:checked')).toHaveCount(1);
  await expect(freeTime(page)).not.toHaveAttribute("aria-busy");
  expect(new URL(page.url()).search).toBe("");
});

test("without our server it says so too, and goes on by itself", async ({ page, problems }) => {
  problems.allow(/Failed to load resource|ERR_FAILED/);
  const gone = /\/health$|\/assets\/.*\.js$/;
  await page.clock.install();
  await page.route(gone, (route) => route.abort());
  await read(page, "/");
  await page.getByLabel("Full name").fill("Ananya Rao");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Our server does not answer right now.")).toBeInViewport();
  await page.unroute(gone);
  await page.clock.fastForward(3_000);
  // By its scripts, or as it is sent without them where the browser asks for none a second time.
  await expect(page.locator("#form-errors")).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
});

test("a try that fails late says nothing over the next one", async ({ page, problems }) => {
  problems.allow(/Failed to load resource|ERR_FAILED/);
  const [asked, scripts] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isGone = true;
  await page.route(/\/health$/, async (route) => {
    await asked.promise;
    await route.abort();
  });
  await page.route(SCRIPTS, async (route) => {
    if (isGone) return route.abort();
    await scripts.promise;
    await route.continue();
  });
  await read(page, "/");
  const health = page.waitForRequest(/\/health$/);
  await page.getByLabel("Full name").fill("Ananya Rao");
  await health;
  isGone = false;
  await page.keyboard.press("Enter");
  const failed = page.waitForEvent("requestfailed", (request) => /health$/.test(request.url()));
  asked.resolve();
  await failed;
  scripts.resolve();
  await expect(page.locator("#form-errors")).toBeFocused();
});

test("by a link the form has its choice, and after Back what stood in it", async ({ page }) => {
  await page.goto("/captains/rohan");
  await page.getByRole("link", { name: /^45 minutes/ }).click();
  await alive(page);
  await expect(captain(page, ROHAN)).toBeChecked();
  await expect(page.locator('input[name="package"][value="45"]')).toBeChecked();
  await page.goto("/");
  await captain(page, ASHA).check();
  await page.goto("/contact");
  await page.goBack();
  await alive(page);
  await expect(captain(page, ASHA)).toBeChecked();
});

test("who holds a time gets the scripts at once", async ({ page, app }) => {
  await bookIn(page, app, { date: dayAhead(9) });
  const scripts = await read(page, "/");
  expect(scripts()).toBeGreaterThan(0);
});
