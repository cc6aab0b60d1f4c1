/** Start times on a narrow phone: each stays in its tile, and the mark of the chosen one clear of it. */
import type { Page } from "@playwright/test";
import { bookAndPay } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

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

for (const zone of ["Asia/Kolkata", "America/Los_Angeles"]) {
  for (const percent of [100, 200]) {
    test.describe(`from ${zone}, text at ${percent} %`, () => {
      test.use({ timezoneId: zone, viewport: { width: 360, height: 740 } });

      async function expectRoom(page: Page) {
        await page.getByRole("radio", { name: "12:30 PM" }).check();
        expect(await page.locator("label.tile").count()).toBeGreaterThan(3);
        expect(await crowdedTiles(page)).toEqual([]);
        expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      }

      test.beforeEach(async ({ page }) => {
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
      });

      test("every time fits its tile in the booking form", async ({ page }) => {
        await page.goto("/");
        await choose(page, ASHA, 30);
        await chooseDay(page, dayAhead(5));
        await expectRoom(page);
      });
    });
  }
}

test.describe("where a session is moved", () => {
  test.use({ timezoneId: "America/Los_Angeles", viewport: { width: 360, height: 740 } });

  test("every time fits its tile", async ({ page, app }) => {
    const { id } = await bookAndPay(app, { date: dayAhead(6) });
    await page.goto(`/booking/${id}/reschedule`);
    await page.locator("label.tile").first().click();
    expect(await page.locator("label.tile").count()).toBeGreaterThan(3);
    expect(await crowdedTiles(page)).toEqual([]);
  });
});
