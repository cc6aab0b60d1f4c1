/** Arriving at the booking page: what it costs on the wire, and how many taps it takes on a phone. */
import type { Locator, Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { choose, payWindow, SUBMIT, someone, watchShifts } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/**
 * Bytes on the wire, heads of the answers included: on a line of 400 kbit/s that takes 400 ms a turn the form
 * is there in 2 seconds (connection, page, style) and alive in 6 (first scripts, the form's, what those ask for).
 */
const HTML_AND_CSS = 30_000;
const WHOLE_READING = 45_000;
const SCRIPTS = 141_000;

test("stays within its budget, asks nobody else, and nothing moves", async ({ page, app }) => {
  const moved = await watchShifts(page);
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
  expect(await moved()).toEqual([]);
});

const SCREEN = { width: 360, height: 740 };
/** What the bar with the price and the button covers. */
const BAR = 120;

/** Counts what a person does: taps, and pixels scrolled to what is to be tapped. */
function counterOf(page: Page) {
  let taps = 0;
  let scrolled = 0;
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
      await target.click();
    },
    async tapBar(target: Locator): Promise<void> {
      await expect(target).toBeInViewport();
      taps += 1;
      await target.click();
    },
    figures: () => ({ taps, screens: scrolled / SCREEN.height }),
  };
}

async function typePerson(page: Page): Promise<void> {
  const { name, email, phone } = someone();
  for (const [index, text] of [name, email, phone].entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
}

/** How many screens down a person has to come for what is to be filled in. */
async function screensTo(target: Locator): Promise<number> {
  const box = await target.boundingBox();
  return (box?.y ?? Number.NaN) / SCREEN.height;
}

/** Of each observer the first report says that nothing is in sight yet, as on a slow phone. */
function seeLate(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
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
}

test.describe("on a phone", () => {
  test.use({ viewport: SCREEN });

  test("from arrival to payment it takes at most 8 taps and 5 screens", async ({ page }) => {
    await seeLate(page);
    await page.goto("/");
    const { tap, tapBar, figures } = counterOf(page);
    expect(await screensTo(page.locator("#book"))).toBeLessThanOrEqual(2);
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
    expect(figures().taps).toBeLessThanOrEqual(8);
    expect(figures().screens).toBeLessThanOrEqual(5);
  });

  test("without scripts the form is as near, and folds alike", async ({ noJsPage: page }) => {
    await page.goto("/");
    expect(await screensTo(page.locator("#book"))).toBeLessThanOrEqual(2);
    // A package's price stands beside its length.
    const apart = await page.locator("#booking-package label").evaluateAll((cards) =>
      cards.map((card) => {
        const [length, price] = card.querySelectorAll("span > span > .font-semibold, .display");
        return Math.abs(price!.getBoundingClientRect().top - length!.getBoundingClientRect().top);
      }),
    );
    expect(apart).toHaveLength(3);
    expect(Math.max(...apart)).toBeLessThan(10);
    await choose(page, ASHA, 45);
    await page.locator('input[name="date"]').fill(dayAhead(5));
    await page.getByRole("button", { name: "Show times" }).click();
    const line = page.locator("#booking-chosen summary");
    await expect(line).toHaveText(/^Capt\. Asha Sample · 45 min · \w{3}, \d+ \w{3}Change/);
    await expect(page.locator('input[name="package"]').first()).toBeHidden();
    await expect(page.getByRole("radio", { name: /[AP]M/ }).first()).toBeFocused();
  });

  test("“Book with” shows that it took, and Change brings the choice back", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: /^Book with Capt. Rohan/ }).click();
    const line = page.locator("#booking-chosen summary");
    await expect(line).toHaveText(/^Capt\. Rohan SampleChange/);
    await expect(page.getByText("is chosen. Next: the length of the session.")).toBeInViewport();
    await expect(page.locator("#booking-package-30")).toBeFocused();
    const captain = page.locator("#booking-captain");
    await expect(captain).toBeHidden();
    await line.click();
    await expect(captain).toBeVisible();
    await expect(page.locator('input[name="counselor"]').nth(1)).toBeChecked();
  });

  test("the next free time leads to the first empty field, with fewer taps", async ({ page }) => {
    const length = page.locator('input[name="package"]').first();
    const sentence = page.getByText(/ is chosen\. Next: the length of the session\./);
    await page.goto("/");
    const { tap, tapBar, figures } = counterOf(page);
    await tap(page.locator('button[name="pick"]').first());
    await expect(length).toBeFocused();
    await expect(length).toBeInViewport();
    await expect(sentence).toBeInViewport();
    await tap(length);
    await expect(sentence).toHaveCount(0);
    await expect(page.getByText(/ is chosen\. Next: your name\./)).toBeInViewport();
    await expect(page.getByLabel("Full name")).toBeFocused();
    await typePerson(page);
    await tapBar(page.getByRole("button", { name: SUBMIT }));
    await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
    expect(figures().taps).toBe(3);
    expect(figures().screens).toBeLessThanOrEqual(2);
  });
});
