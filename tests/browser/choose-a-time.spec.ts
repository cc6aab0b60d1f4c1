/** Choosing a day and a time: side by side where there is room, and with the keys of a date grid. */
import type { Page } from "@playwright/test";
import { addDays, weekdayOf } from "#app/model/dates.ts";
import { addMonths } from "#app/routes/public/parts/month.ts";
import { bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const month = (page: Page) => page.getByRole("grid", { name: /^Free days in / });
const times = (page: Page) => page.getByRole("radiogroup", { name: "Start time" });
const day = (page: Page, date: string) => page.locator(`[data-date="${date}"]`);

/** Free times of each day, as the server would say it. */
async function offer(page: Page, countOf: (date: string) => number): Promise<void> {
  await page.route("**/api/availability*", async (route) => {
    const query = new URL(route.request().url()).searchParams;
    const days: Record<string, number> = {};
    const to = query.get("to")!;
    for (let date = query.get("from")!; date <= to; date = addDays(date, 1))
      days[date] = countOf(date);
    await route.fulfill({ json: { status: "success", data: { days, next: [] } } });
  });
}

async function openMonth(page: Page): Promise<void> {
  await page.goto("/");
  await choose(page, ASHA, 30);
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await expect(page.getByRole("button", { name: /, \d free times?$/ }).first()).toBeVisible();
}

test("the times stand beside the month where there is room, else below", async ({ page }) => {
  for (const { width, height, beside } of [
    { width: 1280, height: 900, beside: true },
    { width: 768, height: 900, beside: true },
    { width: 360, height: 740, beside: false },
  ]) {
    await page.setViewportSize({ width, height });
    await openMonth(page);
    await month(page)
      .getByRole("button", { name: /, \d+ free times?$/ })
      .last()
      .click();
    await expect(times(page)).toBeFocused();
    const first = times(page).getByRole("radio").first();
    await expect(first).toBeInViewport();
    const [left, right] = [await month(page).boundingBox(), await times(page).boundingBox()];
    if (beside) {
      expect(right!.x).toBeGreaterThan(left!.x + left!.width);
      await expect(month(page)).toBeInViewport({ ratio: 1 });
      await expect(times(page).getByRole("radio").last()).toBeInViewport();
    } else expect(right!.y).toBeGreaterThan(left!.y + left!.height);
    await expect(page.getByText("Bold: free times. Struck: full or closed.")).toBeVisible();
  }
});

test("a week with no free day is not drawn, and nothing else moves", async ({ page }) => {
  // With the days before and after it in one month.
  let monday = dayAhead(8);
  while (weekdayOf(monday) !== 1 || monday.slice(8) < "02" || monday.slice(8) > "21")
    monday = addDays(monday, 1);
  const sunday = addDays(monday, 6);
  await offer(page, (date) => (date >= monday && date <= sunday ? 0 : 2));
  await openMonth(page);
  while (!(await day(page, addDays(monday, -1)).isVisible()))
    await page.getByRole("button", { name: "Next month" }).click();
  await expect(day(page, monday)).toHaveCount(0);
  // The keys go past it, by weeks and by days.
  await day(page, addDays(monday, -1)).focus();
  await page.keyboard.press("ArrowRight");
  await expect(day(page, addDays(sunday, 1))).toBeFocused();
});

test("the keys of a date grid: days, weeks, months, and the ends of a week", async ({ page }) => {
  await offer(page, () => 3);
  await openMonth(page);
  const start = dayAhead(0);
  await day(page, start).focus();
  const monday = addDays(start, 14 - ((weekdayOf(start) + 6) % 7));
  for (const [keys, date] of [
    ["ArrowDown", addDays(start, 7)],
    ["ArrowRight", addDays(start, 8)],
    ["ArrowLeft", addDays(start, 7)],
    ["ArrowDown", addDays(start, 14)],
    ["End", addDays(monday, 6)],
    ["Home", monday],
    ["PageDown PageUp", addMonths(addMonths(monday, 1), -1)],
  ] as const) {
    for (const key of keys.split(" ")) await page.keyboard.press(key);
    await expect(day(page, date), keys).toBeFocused();
    await expect(page.locator('[data-date][tabindex="0"]')).toHaveCount(1);
  }
  await page.keyboard.press("Enter");
  await expect(times(page)).toBeFocused();
});

test("without scripts the browser's own picker stays", async ({ noJsPage: page }) => {
  await page.goto("/");
  await expect(page.getByLabel("Day of the session")).toHaveAttribute("type", "date");
  await choose(page, ASHA, 30);
  await page.getByLabel("Day of the session").fill(dayAhead(5));
  await page.getByRole("button", { name: "Show times" }).click();
  await expect(times(page).getByRole("radio").first()).toBeFocused();
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

  for (const percent of [100, 200]) {
    test(`each time stays in its tile, text at ${percent} %`, async ({ page }) => {
      await page.addInitScript((size) => {
        document.addEventListener("DOMContentLoaded", () => {
          document.documentElement.style.fontSize = `${size}%`;
        });
      }, percent);
      await page.route("**/api/slots*", async (route) => {
        const defaultSlots = ["00:30", "10:00", "11:00", "12:30", "22:45"];
        await route.fulfill({
          json: { status: "success", data: { availableSlots: defaultSlots, defaultSlots } },
        });
      });
      await page.goto("/");
      await choose(page, ASHA, 30);
      await chooseDay(page, dayAhead(5));
      await page.getByRole("radio", { name: "12:30 PM" }).check();
      expect(await page.locator("label.tile").count()).toBeGreaterThan(3);
      expect(await crowdedTiles(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    });
  }

  test("each time stays in its tile also where a session is moved", async ({ page, app }) => {
    const { id } = await bookAndPay(app, { date: dayAhead(6) });
    await page.goto(`/booking/${id}/reschedule`);
    await page.locator("label.tile").first().click();
    expect(await page.locator("label.tile").count()).toBeGreaterThan(3);
    expect(await crowdedTiles(page)).toEqual([]);
  });
});
