/** Arriving at the booking page: what it costs on the wire, on a slow line, without a network, and on a phone. */
import type { Locator, Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose, fillForm, payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";

/** Bytes on the wire, heads of the answers included. */
const HTML_AND_CSS = 30_000;
const WHOLE_READING = 45_000;
const SCRIPTS = 145_000;

test("stays within its budget, asks nobody else, and nothing moves", async ({ page, app }) => {
  const wire = await page.context().newCDPSession(page);
  await wire.send("Network.enable");
  const kinds = new Map<string, string>();
  const bytes = new Map<string, number>();
  const foreign: string[] = [];
  wire.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    kinds.set(requestId, type ?? "Other");
    if (!/^(data|blob):/.test(request.url) && new URL(request.url).origin !== app.origin)
      foreign.push(request.url);
  });
  wire.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId)!;
    bytes.set(kind, (bytes.get(kind) ?? 0) + encodedDataLength);
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as LayoutShift).value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto("/", { waitUntil: "commit" });
  await page.waitForLoadState("networkidle");
  // What loads by itself only after a while would count too.
  await page.waitForTimeout(1_000);
  const of = (kind: string) => bytes.get(kind) ?? 0;
  const first = of("Document") + of("Stylesheet");
  const whole = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  expect(of("Document")).toBeGreaterThan(5_000);
  expect(of("Script")).toBe(0);
  expect(first).toBeLessThanOrEqual(HTML_AND_CSS);
  expect(whole).toBeLessThanOrEqual(WHOLE_READING);
  await page.keyboard.press("Shift");
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await page.waitForLoadState("networkidle");
  console.log(`first visit: ${first} bytes of HTML and CSS, ${whole} in all, then ${of("Script")}`);
  expect(of("Script")).toBeGreaterThan(50_000);
  expect(of("Script")).toBeLessThanOrEqual(SCRIPTS);
  expect(foreign).toEqual([]);
  expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([]);
});

interface LayoutShift extends PerformanceEntry {
  value: number;
}

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

test("on a slow line the form is usable at once, and alive soon", async ({ page }) => {
  const came = await slowDown(page);
  await page.goto("/#book", { waitUntil: "commit" });
  const name = page.getByLabel("Full name");
  const plain = page.getByRole("button", { name: "Show times" });
  await name.fill("Ananya Rao");
  // The rest of the page may still move what is clicked.
  await expect(() => choose(page, ASHA, 30)).toPass();
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

test("a click on a slow line is answered where it was made", async ({ page }) => {
  await page.goto("/#book");
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  const release = await hold(page, /\/assets\/booking-schema.*\.js$/);
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.getByRole("button", { name: "Creating Appointment..." })).toBeDisabled();
  await release();
  await expect(page.locator("#form-errors")).toBeFocused();
});

test("without a network it says so, and goes on by itself", async ({ page, context }) => {
  const who = await fillForm(page, dayAhead(8), "11:00 AM");
  await context.setOffline(true);
  await expect(page.getByText("You are offline. What you typed stays here")).toBeInViewport();
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.getByText("Your booking goes on by itself then.")).toBeInViewport();
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await context.setOffline(false);
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  await expect(page.getByText("You are offline.")).toHaveCount(0);
});

test("a link to the form keeps it while its script is on its way", async ({ page }) => {
  const release = await hold(page, /\/assets\/home-.*\.js$/);
  await page.goto("/", { waitUntil: "commit" });
  const asked = page.waitForRequest(/home-/);
  await page.getByRole("link", { name: "Choose your session" }).click();
  await asked;
  const name = page.getByLabel("Full name");
  await name.fill("Ananya Rao");
  await page.getByRole("link", { name: "Captains", exact: true }).click();
  await page
    .getByRole("button", { name: /^Book with/ })
    .first()
    .click();
  await page.waitForTimeout(500);
  await expect(name).toHaveValue("Ananya Rao");
  await release();
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await expect(name).toHaveValue("Ananya Rao");
  await expect(page.locator('input[name="counselor"]').first()).toBeChecked();
  await expect(page).toHaveURL(/#book$/);
});

test("the form and its calendar come also on a slow phone", async ({ page }) => {
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

const SCREEN = { width: 360, height: 740 };
/** What the bar with the price and the button covers. */
const BAR = 120;

/** Counts what a person does: taps, and pixels scrolled to what is to be tapped. */
function counterOf(page: Page) {
  let taps = 0;
  let scrolled = 0;
  let moved = 0;
  const top = () => page.evaluate(() => scrollY);
  async function bringInSight(target: Locator): Promise<void> {
    await target.waitFor();
    const far = await target.evaluate((element, below) => {
      const { top, bottom } = (element.closest("label") ?? element).getBoundingClientRect();
      return top < 0 ? top - 16 : Math.max(0, bottom + 16 - below);
    }, SCREEN.height - BAR);
    scrolled += Math.abs(far);
    await page.evaluate((by) => scrollBy({ top: by, behavior: "instant" }), far);
  }
  return {
    async tap(target: Locator): Promise<void> {
      await bringInSight(target);
      taps += 1;
      const before = await top();
      await target.click();
      moved += Math.abs((await top()) - before);
    },
    async tapBar(target: Locator): Promise<void> {
      await expect(target).toBeInViewport();
      taps += 1;
      await target.click();
    },
    figures: () => ({ taps, screens: scrolled / SCREEN.height, moved: moved / SCREEN.height }),
  };
}

async function typePerson(page: Page): Promise<void> {
  const { name, email, phone } = someone();
  for (const [index, text] of [name, email, phone].entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
}

/** How far down a page without scripts a person has to come for what is to be filled in next. */
async function screensTo(target: Locator): Promise<number> {
  const box = await target.boundingBox();
  return (box?.y ?? Number.NaN) / SCREEN.height;
}

test.describe("on a phone", () => {
  test.use({ viewport: SCREEN });

  test("from arrival to payment it takes at most 8 taps and 5 screens", async ({ page }) => {
    // Nobody who holds a session, which the page says first.
    await page.context().clearCookies();
    await page.goto("/");
    const { tap, tapBar, figures } = counterOf(page);
    const book = await page.locator("#book").boundingBox();
    expect(book!.y).toBeLessThanOrEqual(2 * SCREEN.height);
    await tap(page.getByRole("link", { name: "Choose your session" }));
    await tap(page.locator(`input[name="counselor"][value="${ASHA}"]`));
    await tap(page.locator('input[name="package"][value="45"]'));
    await tap(
      page
        .getByRole("grid")
        .getByRole("button", { name: /, \d+ free times?$/ })
        .first(),
    );
    await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
    await tap(page.getByRole("radio", { name: /[AP]M/ }).first());
    // What is chosen is one line, and the person comes next.
    await expect(page.locator("#booking-chosen summary")).toHaveText(
      /^Capt\. Asha Sample · 45 min · \w{3}, \d+ \w{3}, \d+:\d\d [AP]M IST/,
    );
    await expect(page.locator("#booking-chosen")).toBeInViewport();
    await expect(page.locator("#booking-captain")).toBeHidden();
    await expect(page.getByLabel("Full name")).toBeFocused();
    await typePerson(page);
    await tapBar(page.getByRole("button", { name: SUBMIT }));
    await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
    const { taps, screens, moved } = figures();
    console.log(
      `phone: ${taps} taps, ${screens.toFixed(1)} screens, ${moved.toFixed(1)} by the page`,
    );
    expect(taps).toBeLessThanOrEqual(8);
    expect(screens).toBeLessThanOrEqual(5);
  });

  test("without scripts it takes as many, and what is chosen is a line there too", async ({
    noJsPage: page,
  }) => {
    let taps = 0;
    const tap = async (target: Locator) => {
      taps += 1;
      await target.click();
    };
    await page.goto("/");
    expect(await screensTo(page.locator("#book"))).toBeLessThanOrEqual(2);
    await tap(page.getByRole("link", { name: "Choose your session" }));
    await tap(page.locator(`input[name="counselor"][value="${ASHA}"]`));
    await tap(page.locator('input[name="package"][value="45"]'));
    await page.locator('input[name="date"]').fill(dayAhead(5));
    await tap(page.getByRole("button", { name: "Show times" }));
    const line = page.locator("#booking-chosen summary");
    await expect(line).toHaveText(/^Capt\. Asha Sample · 45 min · \w{3}, \d+ \w{3}Change/);
    await expect(page.locator('input[name="package"]').first()).toBeHidden();
    await tap(page.getByRole("radio", { name: /[AP]M/ }).first());
    await tap(page.getByLabel("Full name"));
    await typePerson(page);
    await tap(page.getByRole("button", { name: SUBMIT }));
    await expect(page).toHaveURL(/\/booking\//);
    await tap(page.getByRole("button", { name: /^Pay ₹1,533/ }));
    await expect(page.getByRole("button", { name: "Pay now" })).toBeVisible();
    console.log(`phone without scripts: ${taps} taps`);
    expect(taps).toBeLessThanOrEqual(8);
  });

  test("Change brings the choice back, also without scripts", async ({ page, noJsPage }) => {
    for (const one of [page, noJsPage]) {
      await one.goto("/");
      await one.locator('button[name="pick"]').first().click();
      const line = one.locator("#booking-chosen summary");
      await expect(line).toContainText(/IST/);
      await expect(one.locator("#booking-captain")).toBeHidden();
      await line.click();
      await expect(one.locator("#booking-captain")).toBeVisible();
      await expect(one.locator('input[name="counselor"]:checked')).toHaveCount(1);
      await line.click();
      await expect(one.locator("#booking-captain")).toBeHidden();
    }
  });

  test("“Book with” a captain shows that it took, also without scripts", async ({
    page,
    noJsPage,
  }) => {
    for (const one of [page, noJsPage]) {
      await one.goto("/");
      await one.getByRole("button", { name: /^Book with Capt. Rohan/ }).click();
      await expect(one.locator("#booking-chosen summary")).toHaveText(/^Capt\. Rohan SampleChange/);
      await expect(one.getByText("is chosen. Next: the length of the session.")).toBeInViewport();
      await expect(one.locator('input[name="counselor"]').nth(1)).toBeChecked();
    }
    await expect(page.locator("#booking-package-30")).toBeFocused();
    // With the keyboard, the rest folds once the person is reached.
    await page.keyboard.press("Space");
    await page
      .getByRole("grid")
      .getByRole("button", { name: /, \d+ free times?$/ })
      .first()
      .press("Enter");
    const times = page.getByRole("radiogroup", { name: "Start time" });
    await expect(times).toBeFocused();
    // The focus is there before the times are.
    await expect(times.getByRole("radio").first()).toBeVisible();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Space");
    await expect(times.getByRole("radio", { checked: true })).toHaveCount(1);
    await page.getByLabel("Full name").focus();
    await expect(page.locator("#booking-chosen summary")).toHaveText(
      /^Capt\. Rohan Sample · 30 min · .* IST/,
    );
  });

  test("a package's price stands beside its length", async ({ page, noJsPage }) => {
    for (const one of [page, noJsPage]) {
      await one.goto("/");
      const apart = await one.locator("#booking-package label").evaluateAll((cards) =>
        cards.map((card) => {
          const [length, price] = card.querySelectorAll("span > span > .font-semibold, .display");
          return price!.getBoundingClientRect().top - length!.getBoundingClientRect().top;
        }),
      );
      expect(apart).toHaveLength(3);
      for (const pixels of apart) expect(Math.abs(pixels)).toBeLessThan(10);
    }
  });

  test("the next free time makes it shorter still", async ({ page }) => {
    await page.goto("/");
    const { tap, tapBar, figures } = counterOf(page);
    await tap(page.locator('button[name="pick"]').first());
    await tap(page.locator('input[name="package"][value="30"]'));
    await expect(page.getByLabel("Full name")).toBeFocused();
    await typePerson(page);
    await tapBar(page.getByRole("button", { name: SUBMIT }));
    await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
    expect(figures().taps).toBe(3);
    expect(figures().screens).toBeLessThanOrEqual(2);
  });
});
