/** The way from arrival to payment on a phone, in presses and screens; a number is taken as it is pasted. */
import type { Locator, Page } from "@playwright/test";
import { ASHA } from "#tests/support/bookings.ts";
import { payWindow, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

const SCREEN = { width: 360, height: 740 };
/** What the bar with the price and the button covers. */
const BAR = 120;

test.use({ viewport: SCREEN });

/** Counts what a person does: presses, and pixels scrolled to what is to be pressed. */
function counterOf(page: Page) {
  let presses = 0;
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
    async press(target: Locator): Promise<void> {
      await bringInSight(target);
      presses += 1;
      const before = await top();
      await target.click();
      moved += Math.abs((await top()) - before);
    },
    async pressBar(target: Locator): Promise<void> {
      await expect(target).toBeInViewport();
      presses += 1;
      await target.click();
    },
    figures: () => ({ presses, screens: scrolled / SCREEN.height, moved: moved / SCREEN.height }),
  };
}

async function typePerson(page: Page): Promise<void> {
  const { name, email, phone } = someone();
  for (const [index, text] of [name, email, phone].entries()) {
    if (index > 0) await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
}

test("from arrival to payment it takes at most 8 presses and 5 screens", async ({ page }) => {
  await page.goto("/");
  const { press, pressBar, figures } = counterOf(page);
  await press(page.getByRole("link", { name: "Choose your session" }));
  await press(page.getByLabel("Full name"));
  await typePerson(page);
  await press(page.locator(`input[name="counselor"][value="${ASHA}"]`));
  await press(page.locator('input[name="package"][value="45"]'));
  await press(
    page
      .getByRole("grid")
      .getByRole("button", { name: /, \d+ free times?$/ })
      .first(),
  );
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
  await press(page.getByRole("radio", { name: /[AP]M/ }).first());
  await pressBar(page.getByRole("button", { name: SUBMIT }));
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  const { presses, screens, moved } = figures();
  console.log(
    `phone: ${presses} presses, ${screens.toFixed(1)} screens, ${moved.toFixed(1)} by the page`,
  );
  expect(presses).toBeLessThanOrEqual(8);
  expect(screens).toBeLessThanOrEqual(5);
});

test("the next free time makes it shorter still", async ({ page }) => {
  await page.goto("/");
  const { press, pressBar, figures } = counterOf(page);
  await press(page.locator('button[name="pick"]').first());
  await expect(page.getByLabel("Full name")).toBeFocused();
  await typePerson(page);
  await press(page.locator('input[name="package"][value="30"]'));
  await pressBar(page.getByRole("button", { name: SUBMIT }));
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
  expect(figures().presses).toBe(3);
  expect(figures().screens).toBeLessThanOrEqual(2);
});
