/** The form on a line of 400 ms and 400 kbit/s, and without a network. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose, fillPerson, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

const LATENCY_MS = 400;
const BYTES_PER_MS = 400_000 / 8 / 1000;

/** How long such a line takes for so many bytes, asked for in so many turns one after the other. */
const lineMs = (bytes: number, turns: number) => bytes / BYTES_PER_MS + turns * LATENCY_MS;

/** Makes the line slow, and counts what has come over it. */
async function slowDown(page: Page): Promise<() => { page: number; scripts: number }> {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  await wire.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_MS * 1000,
    uploadThroughput: BYTES_PER_MS * 1000,
  });
  const kinds = new Map<string, string>();
  const came = { page: 0, scripts: 0 };
  wire.on("Network.requestWillBeSent", ({ requestId, type }) => kinds.set(requestId, type ?? ""));
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind === "Document" || kind === "Stylesheet") came.page += encodedDataLength;
    if (kind === "Script") came.scripts += encodedDataLength;
  });
  return () => ({ ...came });
}

test("on a slow line the form can be filled at once, is alive soon, and keeps what was typed", async ({
  page,
}) => {
  const came = await slowDown(page);
  await page.goto("/#book", { waitUntil: "commit" });
  const name = page.getByLabel("Full name");
  const plain = page.getByRole("button", { name: "Show times" });
  await name.fill("Ananya Rao");
  await choose(page, ASHA, 30);
  // Still plain: it posts itself.
  await expect(plain).toBeVisible();
  // Connection, page, style.
  const usable = lineMs(came().page, 3);
  await expect(plain).toHaveCount(0);
  const { page: first, scripts } = came();
  // Connection, page, first scripts, the form's, and what those ask for.
  const alive = lineMs(first + scripts, 5);
  const wall = await page.evaluate(() => performance.now());
  console.log(`slow line: ${usable | 0} ms, ${alive | 0} ms; here ${wall | 0} ms`);
  expect(usable).toBeLessThanOrEqual(3_000);
  expect(alive).toBeLessThanOrEqual(6_000);
  await expect(name).toHaveValue("Ananya Rao");
  await expect(page.locator('input[name="package"][value="30"]')).toBeChecked();
});

test("a press on a slow line is answered where it was pressed", async ({ page }) => {
  await page.goto("/#book");
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/booking-schema.*\.js$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.getByRole("button", { name: "Creating Appointment..." })).toBeDisabled();
  released.resolve();
  await expect(page.locator("#form-errors")).toBeFocused();
});

test("without a network the form says so, keeps everything, and goes on by itself", async ({
  page,
  context,
}) => {
  const who = someone();
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await chooseDay(page, dayAhead(8));
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await context.setOffline(true);
  await expect(page.getByText("You are offline. What you typed stays here")).toBeInViewport();
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.getByText("Your booking goes on by itself then.")).toBeInViewport();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await context.setOffline(false);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  await expect(page.getByText("You are offline.")).toHaveCount(0);
});

test("a link to the form leaves it in its place while its script is on its way", async ({
  page,
}) => {
  const released = Promise.withResolvers<void>();
  await page.route(/\/assets\/booking-form.*\.js$/, async (route) => {
    await released.promise;
    await route.continue();
  });
  await page.goto("/");
  const asked = page.waitForRequest(/booking-form/);
  await page.getByRole("link", { name: "Choose your session" }).click();
  await asked;
  const name = page.getByLabel("Full name");
  await name.fill("Ananya Rao");
  await page.getByRole("link", { name: "Captains", exact: true }).click();
  await page
    .getByRole("link", { name: /^Book with/ })
    .first()
    .click();
  await page.waitForTimeout(500);
  await expect(name).toHaveValue("Ananya Rao");
  await expect(page.locator('input[name="counselor"]').first()).toBeChecked();
  released.resolve();
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await expect(name).toHaveValue("Ananya Rao");
  await expect(page).toHaveURL(/#book$/);
});

test("on a slow phone, where a look from before comes with one of now, the form and its calendar come", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
      constructor(tell: IntersectionObserverCallback, options?: IntersectionObserverInit) {
        super((looks, self) => {
          const before = { ...looks[0], isIntersecting: false } as IntersectionObserverEntry;
          tell([before, ...looks], self);
        }, options);
      }
    };
  });
  await page.goto("/");
  await choose(page, ASHA, 30);
  await chooseDay(page, dayAhead(5));
});
