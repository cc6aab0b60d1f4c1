/** Each step of the booking form for people who see differently, and what it says of the money. */
import type { Page } from "@playwright/test";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { chooseDay } from "#tests/support/choose-day.ts";
import { choose, fillPerson, SUBMIT, someone } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

/** Goes through the form, and looks at each step. */
async function walk(page: Page, look: (step: string) => Promise<void>): Promise<void> {
  await page.goto("/#book");
  await look("empty");
  // The form is alive: before that a press sends it.
  await expect(page.getByRole("button", { name: "Show times" })).toHaveCount(0);
  await page.getByRole("button", { name: SUBMIT }).click();
  await expect(page.locator("#form-errors")).toBeFocused();
  await look("refused");
  // The notice "Package Required" goes by itself, once nothing points at it.
  await page.mouse.move(0, 0);
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

test("with the system's own colours what is chosen, focused or wrong keeps a mark", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
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
    marks.chosen = Math.max(marks.chosen, unmarked.chosen);
    marks.wrong = Math.max(marks.wrong, unmarked.said);
  });
  // Captain, package, day, time.
  expect(marks.chosen).toBe(4);
  expect(marks.wrong).toBeGreaterThan(3);
});

test("with less motion nothing moves", async ({ page }) => {
  const lasting = () =>
    page.evaluate(() =>
      [...document.querySelectorAll("*")]
        .filter((one) => {
          const { transitionDuration, animationDuration, scrollBehavior } = getComputedStyle(one);
          return (
            /[1-9]/.test(transitionDuration + animationDuration) || scrollBehavior === "smooth"
          );
        })
        .map((one) => one.className),
    );
  await page.goto("/#book");
  expect((await lasting()).length).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await walk(page, async (step) => expect(await lasting(), step).toEqual([]));
});

test("what can be paid with, the refund rule and the tax number stand beside the button", async ({
  page,
  noJsPage,
  app,
}) => {
  for (const one of [page, noJsPage]) {
    await one.goto("/#book");
    const panel = one.getByRole("complementary", { name: "Your session and price" });
    await expect(panel).toContainText("By UPI, card or netbanking");
    await expect(panel).toContainText(`GSTIN ${app.env.BUSINESS_GSTIN}`);
    await expect(panel).toContainText("full refund until 24 hours before the start.");
    const rule = panel.getByRole("link", { name: /^Refund rules of/ });
    const date = /rules of (.*)$/.exec((await rule.textContent()) ?? "")![1];
    await rule.click();
    await expect(one.getByText(`Last updated ${date}`)).toBeVisible();
  }
});
