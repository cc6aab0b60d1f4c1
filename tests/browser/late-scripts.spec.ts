/** The booking page's scripts come when they are wanted; what is clicked before is kept. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { fillForm, payWindow, SUBMIT } from "./booking-steps.ts";
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

const WAYS: Record<string, (page: Page) => Promise<unknown>> = {
  "a touch": (page) => page.mouse.click(5, 300),
  "a key": (page) => page.keyboard.press("Shift"),
  "the focus, as a screen reader moves it": (page) =>
    page.getByRole("link", { name: "Choose your session" }).focus(),
  "the form coming in sight": (page) =>
    page.evaluate(() => document.getElementById("book")?.scrollIntoView()),
};

for (const [way, act] of Object.entries(WAYS)) {
  test(`a reader gets no scripts until ${way}`, async ({ page }) => {
    const scripts = await read(page, "/");
    expect(scripts()).toBe(0);
    await act(page);
    await alive(page);
    expect(scripts()).toBeGreaterThan(0);
  });
}

test("a captain's page leads to the form with its choice", async ({ page }) => {
  await page.goto("/captains/rohan");
  await page.getByRole("link", { name: /^45 minutes/ }).click();
  await alive(page);
  await expect(captain(page, ROHAN)).toBeChecked();
  await expect(page.locator('input[name="package"][value="45"]')).toBeChecked();
});

test("a free time clicked first is chosen when the scripts are there", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await read(page, "/");
  await freeTime(page).click();
  await expect(freeTime(page)).toHaveAttribute("aria-busy", "true");
  await release();
  await alive(page);
  await expect(page.locator('input[name="counselor"]:checked')).toHaveCount(1);
  await expect(page.locator('input[name="timeSlot"]:checked')).toHaveCount(1);
  await expect(freeTime(page)).not.toHaveAttribute("aria-busy");
  expect(new URL(page.url()).search).toBe("");
});

test("a captain clicked first is chosen too, unless another is chosen by hand", async ({
  page,
}) => {
  for (const other of [null, ASHA]) {
    const release = await hold(page, SCRIPTS);
    await read(page, "/");
    await page.getByRole("button", { name: `Book with ${ROHAN}` }).click();
    await expect(page.locator("#book")).toBeInViewport();
    if (other) await captain(page, other).check();
    await release();
    await alive(page);
    await expect(captain(page, other ?? ROHAN)).toBeChecked();
    await page.evaluate(() => sessionStorage.clear());
  }
});

test("Enter in a field is kept, and what is wrong has the focus then", async ({ page }) => {
  const release = await hold(page, SCRIPTS);
  await read(page, "/");
  await page.getByLabel("Full name").fill("Ananya Rao");
  await page.keyboard.press("Enter");
  await release();
  await expect(page.locator("#form-errors")).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
});

test("if the scripts do not come, the form is sent as it is without them", async ({
  page,
  problems,
}) => {
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

test("without a network it says so where the click was, and goes on by itself", async ({
  page,
  context,
}) => {
  await read(page, "/");
  await context.setOffline(true);
  await freeTime(page).click();
  const said = page.getByText("Your booking goes on by itself then.");
  await expect(said).toBeInViewport();
  const [button, words] = [await freeTime(page).boundingBox(), await said.boundingBox()];
  expect(words!.y - button!.y - button!.height).toBeLessThan(20);
  await context.setOffline(false);
  await alive(page);
  await expect(said).toHaveCount(0);
  await expect(page.locator('input[name="timeSlot"]:checked')).toHaveCount(1);
});

test("without our server it says so too, and goes on by itself", async ({ page, problems }) => {
  problems.allow(/Failed to load resource|ERR_FAILED/);
  const gone = /\/health$|\/assets\/.*\.js$/;
  await page.route(gone, (route) => route.abort());
  await read(page, "/");
  await page.getByLabel("Full name").fill("Ananya Rao");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Our server does not answer right now.")).toBeInViewport();
  await page.unroute(gone);
  // By its scripts, or as it is sent without them where the browser asks for none a second time.
  await expect(page.locator("#form-errors")).toBeFocused();
  await expect(page.getByLabel("Full name")).toHaveValue("Ananya Rao");
});

test("after Back the form is alive by itself, with what stood in it", async ({ page }) => {
  await page.goto("/");
  await alive(page);
  await captain(page, ROHAN).check();
  await page.goto("/contact");
  await page.goBack();
  await alive(page);
  await expect(captain(page, ROHAN)).toBeChecked();
});

test("who holds a time gets the scripts at once", async ({ page }) => {
  await fillForm(page, dayAhead(9), "11:00 AM");
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  const scripts = await read(page, "/");
  expect(scripts()).toBeGreaterThan(0);
});
