/** The booking form keeps what was typed, says what comes next, and serves those who see differently. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import {
  change,
  choose,
  fillForm,
  fillPerson,
  payWindow,
  SUBMIT,
  someone,
  submit,
} from "./booking-steps.ts";
import { expect, hold, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const toast = (page: Page) => page.locator(".toast");
const times = (page: Page) => page.getByRole("radiogroup", { name: "Start time" });
/** The next free time of the first captain, at the head of the page. */
const firstFree = (page: Page) => page.locator('button[name="pick"]').first();

test("what was typed outlives a reload, and goes once it is booked", async ({ page }) => {
  const who = someone();
  const date = dayAhead(5);
  await page.goto("/");
  await fillPerson(page, who);
  await choose(page, ASHA, 30);
  await page.getByLabel("Your question for the captain").fill("Can I fly with glasses?");
  await chooseDay(page, date);
  await page.getByRole("radio", { name: "2:00 PM" }).check();
  await page.addInitScript(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      // The pass fills in as the visitor chooses; the largest part that moved comes first. Of less
      // than a thousandth, which nobody sees, that part is often gone.
      for (const { value, sources } of list.getEntries() as (PerformanceEntry & {
        value: number;
        sources: { node: Element | null }[];
      })[])
        if (value > 0.001 && !sources[0]?.node?.parentElement?.closest("aside"))
          shifts.push(`${value} ${sources[0]?.node?.outerHTML.slice(0, 80)}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  // The browser's own memory of a reload does not help an address that is opened again.
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto("/#booking-you", { waitUntil: "commit" });
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByLabel("Full name")).toHaveValue(who.name);
  await expect(page.locator('input[name="package"][value="30"]')).toBeChecked();
  await expect(page.locator('input[name="date"]')).toHaveValue(date);
  await release();
  await expect(page.getByRole("radio", { name: "2:00 PM" })).toBeChecked();
  await expect(page.locator(`[data-date="${date}"]`)).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByLabel("Your question for the captain")).toHaveValue(/glasses/);
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
  await submit(page);
  // Left while the booking's own page is on its way.
  await page.route(/\/booking\/.*\.data/, () => {});
  await payWindow(page).getByRole("button", { name: "Pay now" }).click();
  await expect(page.getByRole("heading", { name: "Booking Confirmed!" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("booking"))).toBeNull();
  await page.goto("/");
  await expect(page.getByLabel("Full name")).toHaveValue("");
});

test("submitted before its scripts came, it says what is missing", async ({ page, problems }) => {
  problems.allow(/status of 400/);
  const release = await hold(page, /\/assets\/.*\.js$/);
  await page.goto("/", { waitUntil: "commit" });
  await fillPerson(page, someone());
  await submit(page);
  const summary = page.locator("#form-errors");
  await expect(summary).toContainText("Package Required");
  await expect(summary).toContainText("Please select a package");
  await expect(summary).toBeFocused();
  await release();
  await expect(toast(page)).toContainText("Package Required");
  await expect(toast(page)).toContainText("Please select a package");
  await expect(toast(page)).toBeInViewport({ ratio: 1 });
});

test("a free time at the head of the page leads to the first empty field", async ({ page }) => {
  await page.goto("/");
  await firstFree(page).click();
  const first = page.locator('input[name="package"]').first();
  await expect(first).toBeFocused();
  await expect(first).toBeInViewport();
  const sentence = page.getByText(/ is chosen\. Next: the length of the session\./);
  await expect(sentence).toBeInViewport();
  await first.check();
  await expect(sentence).toHaveCount(0);
  await expect(page.getByText(/ is chosen\. Next: your name\./)).toBeInViewport();
  await expect(page.getByLabel("Full name")).toBeFocused();
  await change(page);
  await expect(times(page).getByRole("radio", { checked: true })).toHaveCount(1);
});

test("a free time clicked without scripts leads there too", async ({ noJsPage: page }) => {
  await page.goto("/");
  await firstFree(page).click();
  const sentence = page.getByText(/ is chosen\. Next: the length of the session\./);
  await expect(sentence).toBeInViewport();
  await page.keyboard.press("Tab");
  await expect(page.locator('input[name="package"]').first()).toBeFocused();
  await change(page);
  await expect(times(page).getByRole("radio", { checked: true })).toHaveCount(1);
});

test("a day leads to its times, or first to the captain whose times they are", async ({ page }) => {
  await page.goto("/");
  await chooseDay(page, dayAhead(4));
  await expect(page.locator('input[name="counselor"]').first()).toBeFocused();
  await expect(page.getByText("is chosen. Next: the captain.")).toBeInViewport();
  await choose(page, ASHA, 30);
  await chooseDay(page, dayAhead(6));
  await expect(times(page)).toBeFocused();
});

test("the server's message stands where the times cannot be loaded", async ({ page, problems }) => {
  problems.allow(/status of 503/);
  const message = "We are being repaired. Please come back at noon.";
  await page.route("**/api/slots*", (route) =>
    route.fulfill({ status: 503, json: { status: "error", message } }),
  );
  await page.goto("/");
  await choose(page, ASHA, 30);
  await chooseDay(page, dayAhead(5));
  await expect(times(page)).toContainText(message);
  await page.unroute("**/api/slots*");
  await page.getByRole("button", { name: "Load the times again" }).click();
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeVisible();
  await expect(times(page)).toBeFocused();
});

test("a mistyped address is asked about once", async ({ page }) => {
  const mistyped = "ananya@gmial.com";
  await fillForm(page, dayAhead(9), "2:00 PM");
  const meant = page.getByRole("button", { name: "Did you mean ananya@gmail.com?" });
  // Clicked straight out of the field: the click asks.
  await page.getByLabel("Email").fill(mistyped);
  // In Safari a clicked button gets no focus: the field loses it to nothing.
  await page.getByLabel("Email").evaluate((input) => input.blur());
  await expect(meant).toHaveCount(0);
  await submit(page);
  await expect(meant).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(mistyped);
  await submit(page);
  await payWindow(page).getByRole("button", { name: "Cancel" }).click();
  await expect(page.getByText("Payment was cancelled.").first()).toBeVisible();
});

test("a GSTIN fills in the state, which nothing hides", async ({ page }) => {
  await page.goto("/#book");
  await expect(page.getByLabel("State", { exact: true })).toBeVisible();
  await page.getByText("Invoice for a company").click();
  const state = page.getByLabel("State", { exact: true });
  await page.getByLabel("GSTIN").fill("27aapfu0939f1z");
  await expect(state).toHaveValue("");
  await page.getByLabel("GSTIN").fill("27aapfu0939f1zv");
  await expect(state).toHaveValue("27");
});

test("a time is booked also while the times of another length load", async ({ page }) => {
  await fillForm(page, dayAhead(8), "11:00 AM");
  const release = await hold(page, "**/api/slots?*");
  await choose(page, ASHA, 45);
  await expect(times(page)).toHaveAttribute("aria-busy", "true");
  await submit(page);
  await expect(payWindow(page).getByText("₹1,533").first()).toBeVisible();
  await release();
});

/** Goes through the form, and looks at each step. */
async function walk(page: Page, look: (step: string) => Promise<void>): Promise<void> {
  await page.goto("/#book");
  await look("empty");
  // The form is alive: before that a click sends it.
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.locator("#form-errors")).toBeFocused();
  await look("refused");
  // The notice "Package Required" stands before the form.
  await page.locator(".toast").getByRole("button", { name: "Close" }).press("Enter");
  await expect(page.locator(".toast")).toHaveCount(0);
  await fillPerson(page, someone());
  await choose(page, ASHA, 30);
  await look("captain and package");
  await chooseDay(page, dayAhead(5));
  await expect(page.getByRole("radio", { name: "11:00 AM" })).toBeVisible();
  await look("day");
  await page.getByRole("radio", { name: "11:00 AM" }).check();
  await look("time");
}

test("at 400 % zoom nothing is cut off or covered", async ({ page, noJsPage }) => {
  // 1280 by 1024 pixels at 400 %.
  for (const one of [page, noJsPage]) await one.setViewportSize({ width: 320, height: 256 });
  await walk(page, async (step) => {
    expect(await overflowOf(page), step).toBeLessThanOrEqual(0);
    const stuck = await page.evaluate(() =>
      [...document.querySelectorAll("#book *")]
        .filter((one) => /sticky|fixed/.test(getComputedStyle(one).position))
        .filter((one) => one.getBoundingClientRect().height > innerHeight / 3)
        .map((one) => one.className),
    );
    expect(stuck, step).toEqual([]);
  });
  await noJsPage.goto("/#book");
  expect(await overflowOf(noJsPage)).toBeLessThanOrEqual(0);
});

/** What moves, or would. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .filter((one) => {
        const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(one);
        return /[1-9]/.test(transitionDuration + animationDuration) || scrollBehavior === "smooth";
      })
      .map((one) => one.className),
  );
}

test("the system's colours leave a mark, and less motion means none", async ({ page }) => {
  await page.goto("/#book");
  expect((await moving(page)).length).toBeGreaterThan(0);
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  const marks = { chosen: 0, wrong: 0 };
  await walk(page, async (step) => {
    const unmarked = await page.evaluate(() => {
      const isMarked = (one: Element) => {
        const { outlineStyle, borderTopStyle, borderTopWidth } = getComputedStyle(one);
        const isPlain = one.matches(".choice, [data-date]");
        return (
          outlineStyle !== "none" ||
          (!isPlain && borderTopStyle === "solid" && borderTopWidth !== "0px")
        );
      };
      const chosen = [
        ...document.querySelectorAll(".choice:has(:checked), [data-date][aria-pressed=true]"),
      ];
      const wrong = [...document.querySelectorAll(".input, .button-primary, #form-errors")];
      const unmarked = [...chosen, ...wrong].filter((one) => !isMarked(one));
      const said = document.querySelectorAll("#booking [aria-invalid=true]").length;
      return {
        unmarked: unmarked.map((one) => one.outerHTML.slice(0, 99)),
        chosen: chosen.length,
        said,
      };
    });
    expect(unmarked.unmarked, step).toEqual([]);
    expect(await moving(page), step).toEqual([]);
    marks.chosen = Math.max(marks.chosen, unmarked.chosen);
    marks.wrong = Math.max(marks.wrong, unmarked.said);
  });
  // Captain, package, day, time.
  expect(marks.chosen).toBe(4);
  expect(marks.wrong).toBeGreaterThan(3);
});
