/** The whole way with the keyboard alone: booking up to the payment window, and the admin's desk. */
import type { Locator, Page } from "@playwright/test";
import { addDays, adminDay } from "#app/model/dates.ts";
import { listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { payWindow, SUBMIT } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** Presses Tab until the control has the focus; more presses than it takes fail the test. */
async function tabTo(page: Page, control: Locator, key = "Tab"): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    // Not there yet: some controls come alive as the visitor draws near.
    if ((await control.count()) === 0) continue;
    if (await control.evaluate((element) => element === document.activeElement)) {
      await expectSeen(page);
      return;
    }
  }
  throw new Error(`Tab does not reach ${control}`);
}

/** What has the focus is in sight, marked by an outline of its own or its card's. */
async function expectSeen(page: Page): Promise<void> {
  const seen = await page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const marked = [element, element.closest<HTMLElement>(".choice, .seat")].some((one) => {
      const { outlineStyle, outlineWidth } = one
        ? getComputedStyle(one)
        : { outlineStyle: "none", outlineWidth: "0" };
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    const box = element.getBoundingClientRect();
    const top = document.elementFromPoint(
      box.x + box.width / 2,
      box.y + Math.min(box.height / 2, 20),
    );
    const clear =
      top !== null &&
      (element.contains(top) || top.contains(element) || top.closest("label")?.control === element);
    return { marked, clear };
  });
  const what = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 160));
  expect(seen, what).toEqual({ marked: true, clear: true });
}

test("books up to the payment window with the keyboard, on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
  await tabTo(page, page.getByLabel("Full name"));
  await page.keyboard.type("Tara Bhatt");
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type("tara@example.in");
  await tabTo(page, page.getByLabel("Phone"));
  await page.keyboard.type("98450 54321");
  await tabTo(page, page.locator('input[name="counselor"]').first());
  await page.keyboard.press("Space");
  await tabTo(page, page.locator('input[name="package"]').first());
  await page.keyboard.press("ArrowDown");
  await expect(page.locator('input[name="package"]').nth(1)).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: "Next month" }));
  await expect(page.getByRole("button", { name: /, \d free times?$/ }).first()).toBeVisible();
  const first = page.locator('[data-date][tabindex="0"]');
  const start = (await first.getAttribute("data-date"))!;
  await tabTo(page, first);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const chosen = page.locator(`[data-date="${addDays(start, 9)}"]`);
  await expect(chosen).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(chosen).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("radiogroup", { name: "Start time" })).toBeFocused();
  const times = page.locator('input[name="timeSlot"]');
  await expect(times.first()).toBeVisible();
  await tabTo(page, times.first());
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await expect(times.nth(1)).toBeChecked();
  await tabTo(page, page.getByRole("button", { name: SUBMIT }));
  await page.keyboard.press("Enter");
  await expect(payWindow(page).getByRole("button", { name: "Pay now" })).toBeVisible();
});

test("what is wrong with the form takes the focus, and each line leads into its field", async ({
  page,
  noJsPage,
  problems,
}) => {
  problems.allow(/status of 400/);
  for (const form of [page, noJsPage]) {
    await form.goto("/#book");
    await form.getByLabel("Full name").fill("Tara Bhatt");
    await form.getByLabel("Full name").press("Enter");
    await expect(form.locator("#form-errors")).toBeFocused();
    await expect(form.locator("#form-errors li")).toHaveText([
      "Please enter a valid email",
      "Phone number must be at least 10 digits",
      "Please select a counselor",
      "Please select a package",
      "Please select a date",
      "Please select a time slot",
    ]);
    const email = form.getByLabel("Email", { exact: true });
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(email).toHaveAccessibleDescription(/Please enter a valid email/);
    for (const [line, field] of [
      ["Please enter a valid email", email],
      ["Please select a counselor", form.locator('input[name="counselor"]').first()],
      ["Please select a package", form.locator('input[name="package"]').first()],
      ["Please select a date", form.locator("#booking-date")],
      ["Please select a time slot", form.locator("#booking-time")],
    ] as const) {
      await form.locator("#form-errors").getByRole("link", { name: line }).press("Enter");
      await expect(field).toBeFocused();
      await expect(field).toBeInViewport();
      await expect(form.getByRole("group").getByText(line, { exact: true })).toHaveCount(1);
    }
  }
});

test("cancels an appointment with the keyboard: the safe choice has the focus first", async ({
  page,
  app,
}) => {
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await tabTo(page, rowOf(page, name).getByRole("link", { name: /^Cancel/ }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("link", { name: "Keep Appointment" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Cancel Appointment" }));
  await page.keyboard.press("Enter");
  await expect(rowOf(page, name).getByText("Cancelled")).toBeVisible();
});

test("moves an appointment with the keyboard: the date keeps the focus while its times load", async ({
  page,
  app,
}) => {
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await tabTo(page, rowOf(page, name).getByRole("link", { name: /^Reschedule/ }));
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  const field = dialog.getByLabel("New date");
  await expect(field).toBeFocused();
  // To the year, so that no step leads into the past.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  for (let step = 1; step <= 2; step += 1) {
    const before = await field.inputValue();
    await page.keyboard.press("ArrowUp");
    await expect(field).not.toHaveValue(before);
    const date = await field.inputValue();
    await expect(
      dialog.getByText(new RegExp(`^Free times of .* on ${adminDay(date)}, IST$`)),
    ).toBeVisible();
    await expect(field).toBeFocused();
  }
  await tabTo(page, dialog.getByRole("radio", { name: /[AP]M/ }).first());
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Reschedule" }));
  await page.keyboard.press("Enter");
  await expect(notice(page, "Appointment Rescheduled")).toBeVisible();
});
