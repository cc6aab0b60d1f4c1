/** Every page and state for everyone: axe in both themes, reflow, targets, other zones. */
import type { Page } from "@playwright/test";
import { book, bookConfirmed } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import type { Scene } from "#tests/support/scene.ts";
import { watchShifts } from "./booking-steps.ts";
import { expect } from "./fixtures.ts";
import { faultsOf, loadAxeWithPages, overflowOf, smallTargets, test, visit } from "./stage.ts";

const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const MODES = [
  [PHONE, "light"],
  [WIDE, "dark"],
  [PHONE, "dark"],
  [WIDE, "light"],
] as const;

/** At a zoom of 400 %, and with text twice as large. */
const LOOKS = [seeZoomed, seeLarge];

const ALL = Boolean(process.env.ALL_MODES);

/** Scenes, modes and looks take turns; `npm run test:long` has each scene in all of them. */
const byTurns = <T>(all: readonly T[], turn: number) => (ALL ? all : [all[turn % all.length]!]);

/** A refused form or an unknown page is a 4xx, which the console reports. */
const REFUSED = /status of 4\d\d/;

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("axe, width and size of targets", async ({ page, app, scenes, problems }) => {
  problems.allow(REFUSED);
  test.setTimeout(ALL ? 3_600_000 : 540_000);
  await loadAxeWithPages(page);
  const seen = scenes.filter(({ like }) => ALL || !like);
  for (const [index, scene] of seen.entries()) {
    await test.step(scene.name, async () => {
      await page.setViewportSize(PHONE);
      await visit(page, app, scene);
      expect.soft(await smallTargets(page), `${scene.name}, targets`).toEqual([]);
      expect.soft(await overflowOf(page), `${scene.name}, 360 px`).toBeLessThanOrEqual(0);
      for (const [size, colorScheme] of byTurns(MODES, Math.floor(index / 2))) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        const mode = `${scene.name}, ${size.width} px, ${colorScheme}`;
        // Colours are few and everywhere the same: every other scene shows them all, and they cost as much as all else.
        const faults = await faultsOf(page, { contrast: ALL || index % 2 === 0 });
        expect.soft(faults, mode).toEqual([]);
      }
      for (const look of byTurns(LOOKS, index)) await look(page, scene);
    });
  }
});

async function seeZoomed(page: Page, { name }: Scene): Promise<void> {
  // 1280 px at a zoom of 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  expect.soft(await overflowOf(page), `${name}, 320 px`).toBeLessThanOrEqual(0);
}

async function seeLarge(page: Page, { name, area }: Scene): Promise<void> {
  await page.setViewportSize(area === "admin" ? WIDE : PHONE);
  await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
  });
  expect.soft(await overflowOf(page), `${name}, large`).toBeLessThanOrEqual(0);
  expect.soft(await brokenWords(page), `${name}, large text`).toEqual([]);
  const bar = page.locator(".pay-bar");
  const height = await bar.evaluateAll(([one]) => one?.clientHeight ?? 0);
  expect.soft(height, `${name}, bar`).toBeLessThan(PHONE.height / 5);
}

/** Words that stand on two lines; addresses, codes and names of more than thirteen letters may. */
function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const broken: string[] = [];
    while (texts.nextNode()) {
      const text = texts.currentNode;
      if (text.parentElement!.closest("script, style, svg, .sr-only, [inert], a[href*=':']"))
        continue;
      for (const { 0: word, index } of text.nodeValue!.matchAll(/[^\s–-]+/g)) {
        if (/[@/]|[\w.]{14}|\.\w/.test(word)) continue;
        const range = document.createRange();
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        const tops = [...range.getClientRects()]
          .filter(({ width }) => width > 0)
          .map(({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > 8) broken.push(word);
      }
    }
    return broken;
  });
}

test("the narrowest phones show the head in one row, and the whole time in the bar", async ({
  page,
}) => {
  for (const width of [320, 345]) {
    await page.setViewportSize({ width, height: 740 });
    await page.goto("/?package=30");
    const middles = await page
      .getByRole("banner")
      .getByRole("link")
      .evaluateAll((links) =>
        links.map((link) => {
          const { top, bottom } = link.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      );
    expect(middles, `${width} px`).toHaveLength(3);
    expect(new Set(middles).size, `${width} px`).toBe(1);
    await page.locator('button[name="pick"]').last().click();
    const time = page.locator(".pay-bar").getByText(/ [AP]M IST$/);
    await expect(time).toBeInViewport();
    const hidden = await time.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(hidden, `${width} px`).toBeLessThanOrEqual(0);
  }
});

test.describe("a visitor in New York", () => {
  test.use({ timezoneId: "America/New_York" });

  test("sees their own time beside India's", async ({ page, app }) => {
    await page.goto("/");
    await page.locator(`input[name="counselor"][value="${ASHA}"]`).check();
    await page.locator('input[name="package"][value="30"]').check();
    await chooseDay(page, dayAhead(13));
    await expect(page.getByText("is below each one")).toBeVisible();
    const nine = page.locator("label").filter({ hasText: "9:00 AM" });
    // Nine in India is the evening before, at half past ten or half past eleven by the season.
    await expect(nine).toContainText(/1[01]:30 PM, day before/);
    // A day before nine is the last moment for changes.
    const deadline = / IST\. Your time: 1[01]:30 PM, day before\./;
    await nine.click();
    await expect(page.locator("#booking-chosen summary")).toContainText(deadline);
    await expect(page.getByLabel("Your session and price")).toContainText(deadline);
    const { id } = await bookConfirmed(app, { timeSlot: "11:00" });
    await page.goto(`/booking/${id}`);
    await expect(page.getByText(/^Your time: 1?[12]:30 AM$/)).toBeVisible();
    const own = / IST\. Your time: 1?[12]:30 AM\./;
    await expect(page.getByText(own)).toBeVisible();
    await page.getByRole("link", { name: "Move the session" }).click();
    await expect(page.getByText(own)).toBeVisible();
  });

  test("sees nothing move when their own time appears", async ({ page, app }) => {
    const moved = await watchShifts(page);
    const own = page.getByText(/ IST\. Your time: \d+:30 [AP]M(, day before)?\./);
    const isStill = async (what: string) => {
      await expect(own.first()).toBeVisible();
      await page.waitForLoadState("networkidle");
      expect(await moved(), what).toEqual([]);
    };
    const date = dayAhead(11);
    const held = await book(app, { date, timeSlot: "09:00" });
    const paid = await bookConfirmed(app, { date, timeSlot: "11:00" });
    const pages = {
      form: () => pickLast(page),
      held: () => page.goto(`/booking/${held.id}`),
      confirmed: () => page.goto(`/booking/${paid.id}`),
      reschedule: () => page.goto(`/booking/${paid.id}/reschedule`),
    };
    for (const [index, [name, open]] of Object.entries(pages).entries()) {
      for (const width of byTurns([360, 1280, 768], index)) {
        await page.setViewportSize({ width, height: 800 });
        await open();
        await isStill(`${name} at ${width}`);
      }
    }
  });
});

/** The form as it comes back without scripts, with a time in it. */
async function pickLast(page: Page): Promise<void> {
  await page.goto("/");
  await page.evaluate(() => {
    const pick = document.querySelector<HTMLButtonElement>("li:last-child > [name=pick]");
    const form = document.createElement("form");
    Object.assign(form, { method: "post", action: "/?index", hidden: true });
    form.innerHTML = `<input name="pick" value="${pick?.value}">`;
    document.body.append(form);
    form.submit();
  });
}
