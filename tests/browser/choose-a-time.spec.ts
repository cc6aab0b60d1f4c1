/** Choosing a day and a time: in the month and its times, or one of the free times at the head of the page. */
import type { Page } from "@playwright/test";
import { addDays, weekdayOf } from "#app/model/dates.ts";
import { addMonths } from "#app/routes/public/parts/month.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, addBlock, addLeave, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { bookIn, change, choose, submit } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const month = (page: Page) => page.getByRole("grid", { name: /^Free days in / });
const times = (page: Page) => page.getByRole("radiogroup", { name: "Start time" });
const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);

/** Free times of each day, as the server would say it. */
async function offer(
  page: Page,
  countOf: (date: string, counselor: string | null) => number,
): Promise<void> {
  await page.route("**/api/availability*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const days: Record<string, number> = {};
    const to = query.get("to")!;
    for (let date = query.get("from")!; date <= to; date = addDays(date, 1))
      days[date] = countOf(date, query.get("counselor"));
    await route.fulfill({ json: { status: "success", data: { days, next: [] } } });
  });
}

async function openMonth(page: Page): Promise<void> {
  await page.goto("/");
  await choose(page, ASHA, 30);
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: /, \d free times?$/ }).first()).toBeVisible();
}

test("the first month with a free day opens, and another stays that the visitor goes to", async ({
  page,
}) => {
  const today = dayAhead(0);
  const next = addMonths(`${today.slice(0, 8)}01`, 1);
  await offer(page, (date, counselor) => (counselor === ASHA && date < next ? 0 : 3));
  await openMonth(page);
  await expect(day(page, next)).toBeVisible();
  await choose(page, ROHAN, 30);
  await expect(day(page, today)).toHaveAccessibleName(/3 free times$/);
  await choose(page, ASHA, 30);
  await expect(day(page, next)).toBeVisible();
  await page.getByRole("button", { name: "Previous month" }).click();
  await expect(day(page, today)).toHaveAccessibleName(/no free times$/);
  await expect(day(page, next)).toHaveCount(0);
});

test("the times stand beside the month where there is room, else below", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openMonth(page);
  const free = month(page).getByRole("button", { name: /, \d+ free times?$/ });
  for (const { width, height, picked, beside } of [
    { width: 360, height: 740, picked: free.last(), beside: false },
    { width: 768, height: 900, picked: free.first(), beside: true },
    { width: 1280, height: 900, picked: free.last(), beside: true },
  ]) {
    await page.setViewportSize({ width, height });
    await page.locator("#booking-day").scrollIntoViewIfNeeded();
    await picked.click();
    await expect(times(page)).toBeFocused();
    await expect(times(page).getByRole("radio").first()).toBeInViewport();
    const [left, right] = [await month(page).boundingBox(), await times(page).boundingBox()];
    if (beside) {
      expect(right!.x).toBeGreaterThan(left!.x + left!.width);
      await expect(month(page)).toBeInViewport({ ratio: 1 });
      await expect(times(page).getByRole("radio").last()).toBeInViewport();
    } else expect(right!.y).toBeGreaterThan(left!.y + left!.height);
    await expect(page.getByText("Bold: free times. Struck: full or closed.")).toBeVisible();
  }
  // The chosen day clicked once more keeps its time.
  const time = times(page).getByRole("radio").first();
  const isDone = page.locator("#booking-slots legend").first();
  await time.press("Space");
  await expect(isDone).toContainText("filled in");
  await free.last().click();
  await expect(times(page)).toBeFocused();
  await expect(time).toBeChecked();
  await expect(isDone).toContainText("filled in");
});

test("without scripts another day clears the time, and leads to its times or to none", async ({
  noJsPage: page,
  app,
}) => {
  const [first, second, full] = [dayAhead(5), dayAhead(6), dayAhead(7)];
  addLeave(app.db, full, full);
  const nine = page.locator('input[name="timeSlot"][value="09:00"]');
  const show = async (date: string) => {
    await change(page);
    await page.locator('input[name="date"]').fill(date);
    await page.getByRole("button", { name: "Show times" }).click();
  };
  await page.goto("/");
  await choose(page, ASHA, 30);
  await show(first);
  await nine.check({ force: true });
  // The same day again keeps its time in sight.
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(nine).toBeChecked();
  await expect(nine).toBeFocused();
  await expect(nine).toBeInViewport();
  await show(second);
  await expect(nine).not.toBeChecked();
  await expect(nine).toBeFocused();
  await nine.check({ force: true });
  await show(full);
  await expect(times(page)).toContainText("No slots available for this date");
  await expect(times(page)).toBeFocused();
  await expect(times(page)).toBeInViewport();
});

test("the keys of a date grid: days, weeks, months, past an undrawn week", async ({ page }) => {
  // With the days before and after it in one month.
  let full = dayAhead(22);
  while (weekdayOf(full) !== 1 || full.slice(8) < "02" || full.slice(8) > "21")
    full = addDays(full, 1);
  await offer(page, (date) => (date >= full && date <= addDays(full, 6) ? 0 : 3));
  await openMonth(page);
  const start = dayAhead(0);
  await day(page, start).focus();
  const next = addDays(start, 8);
  const sunday = addDays(next, (7 - weekdayOf(next)) % 7);
  for (const [keys, date] of [
    ["ArrowDown", addDays(start, 7)],
    ["ArrowRight", next],
    ["End", sunday],
    ["PageDown PageUp", addMonths(addMonths(sunday, 1), -1)],
  ] as const) {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    await expect(day(page, date), keys).toBeFocused();
    await expect(page.locator('[data-date][tabindex="0"]')).toHaveCount(1);
  }
  while (!(await day(page, addDays(full, -1)).isVisible()))
    await page.getByRole("button", { name: "Next month" }).click();
  await expect(day(page, full)).toHaveCount(0);
  await day(page, addDays(full, -1)).focus();
  await page.keyboard.press("ArrowRight");
  await expect(day(page, addDays(full, 7))).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(times(page)).toBeFocused();
});

/** Tiles whose words reach over their edge or under their mark. */
function crowdedTiles(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const crowded: string[] = [];
    for (const tile of document.querySelectorAll<HTMLElement>("label.tile")) {
      const edge = tile.getBoundingClientRect();
      const mark = tile.querySelector(".tile-mark")!.getBoundingClientRect();
      const texts = document.createTreeWalker(tile, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        if (texts.currentNode.parentElement?.closest(".sr-only")) continue;
        const words = document.createRange();
        words.selectNodeContents(texts.currentNode);
        for (const box of words.getClientRects()) {
          const isOut = box.left < edge.left || box.right > edge.right || box.bottom > edge.bottom;
          const isUnder = box.right > mark.left && box.top < mark.bottom;
          if (isOut || isUnder) crowded.push(tile.textContent);
        }
      }
    }
    return crowded;
  });
}

test.describe("from Los Angeles, on a narrow phone", () => {
  test.use({ timezoneId: "America/Los_Angeles", viewport: { width: 360, height: 740 } });

  test("each time stays in its tile, however large the text", async ({ page, app }) => {
    await page.route("**/api/slots*", async (route) => {
      const defaultSlots = ["00:30", "10:00", "11:00", "12:30", "22:45"];
      await route.fulfill({
        json: { status: "success", data: { availableSlots: defaultSlots, defaultSlots } },
      });
    });
    await page.goto("/");
    await choose(page, ASHA, 30);
    await chooseDay(page, dayAhead(5));
    // With the keyboard, after which the times stay in sight.
    await page.getByRole("radio", { name: "12:30 PM" }).press("Space");
    const tiles = page.locator("label.tile");
    for (const percent of [100, 200]) {
      await page.evaluate((size) => {
        document.documentElement.style.fontSize = `${size}%`;
      }, percent);
      await expect(tiles.nth(3)).toBeVisible();
      expect(await crowdedTiles(page), `${percent} %`).toEqual([]);
      expect(await overflowOf(page), `${percent} %`).toBeLessThanOrEqual(0);
    }
    const { id } = await bookConfirmed(app, { date: dayAhead(6) });
    await page.goto(`/booking/${id}/reschedule`);
    await tiles.first().click();
    await expect(tiles.nth(3)).toBeVisible();
    expect(await crowdedTiles(page), "where a session is moved").toEqual([]);
  });
});

/** The free times at the head of the page. */
const picks = (page: Page) => page.locator('button[name="pick"]');

function block(app: TestApp, date: string, timeSlot: string): void {
  for (const key of ["asha", "rohan"]) addBlock(app.db, key, date, timeSlot);
}

/** Nobody works before the day in three days. */
function leaveUntilThen(app: TestApp): string {
  addLeave(app.db, dayAhead(-1), dayAhead(2));
  return dayAhead(3);
}

test.afterEach(({ app }) => {
  for (const table of ["block", "leave"]) app.db.runRaw(`DELETE FROM ${table}`);
  app.db.runRaw("UPDATE owner_settings SET saved = '{}'");
});

test("a free time brings its length, and takes its error lines away", async ({ page, app }) => {
  block(app, leaveUntilThen(app), "09:30");
  await page.goto("/");
  await submit(page);
  const lines = page.locator("#form-errors");
  await expect(lines).toContainText("Please select a captain");
  await picks(page).first().click();
  await expect(page.locator('input[name="package"][value="30"]')).toBeChecked();
  await expect(page.locator('input[type="radio"][name="timeSlot"][value="09:00"]')).toBeChecked();
  await expect(page.getByLabel("Full name")).toBeFocused();
  await expect(page.locator("#booking-chosen summary")).toContainText("30 min");
  await expect(page.getByText("is not free for this captain")).toHaveCount(0);
  await expect(lines).not.toContainText("Please select a captain");
  await expect(lines).toContainText("Name must be at least 2 characters");
});

test("a free time is not said to be chosen once it is gone", async ({ page, app }) => {
  const date = leaveUntilThen(app);
  await page.goto("/");
  block(app, date, "09:00");
  await picks(page).first().click();
  await expect(page.getByText("9:00 AM is not free for this captain and length.")).toBeVisible();
  await expect(page.getByText("is chosen. Next:")).toHaveCount(0);
});

for (const [clock, days] of [
  ["slow", -9],
  ["fast", 9],
] as const) {
  test(`a free time says if it is refunded, also by a clock that is ${clock}`, async ({
    page,
    app,
  }) => {
    // The first start is less than the cut-off away, whatever the hour is.
    app.db.runRaw(`UPDATE owner_settings SET saved = '{"selfServiceCutoffHours":72}'`);
    await page.clock.setSystemTime(Date.now() + days * 86_400_000);
    await page.goto("/");
    await picks(page).first().click();
    const line = page.locator("#booking-chosen summary");
    await expect(line).toContainText(
      "This session begins in less than 72 hours: it cannot be moved or refunded online.",
    );
    await picks(page).nth(1).click();
    await expect(line).toContainText(/Free to move or cancel until .* IST\./);
  });
}

test.describe("a visitor in New York", () => {
  test.use({ timezoneId: "America/New_York" });

  test("reads when the held session starts there, while it is held", async ({ page, app }) => {
    await bookIn(page, app, { date: dayAhead(8), timeSlot: "11:00" });
    await page.clock.install();
    await page.goto("/");
    const own = page.getByText(/In your own time it starts at 1?[12]:30 AM\./);
    await expect(own.first()).toBeVisible();
    await page.clock.fastForward(20 * 60_000);
    await expect(page.getByText(/Your time to pay for .* ended at .* IST\./).first()).toBeVisible();
    await expect(own).toHaveCount(0);
  });
});
