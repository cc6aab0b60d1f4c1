/** With the keyboard alone: booking, the admin's desk, and the notifications. */
import type { Locator, Page } from "@playwright/test";
import { addDays, adminDay } from "#app/model/dates.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { listen } from "#tests/support/heard.ts";
import { confirmedGuest, linkOf, notice, openDesk, openDialogOf, rowOf } from "./admin-desk.ts";
import { bookIn, payWindow, SUBMIT } from "./booking-steps.ts";
import { expect, test } from "./fixtures.ts";

/** Presses Tab until the control has the focus; more presses than it takes fail the test. */
async function tabTo(page: Page, control: Locator, key = "Tab"): Promise<void> {
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press(key);
    // Not there yet: some controls come alive as the visitor draws near.
    if (await control.evaluateAll(([element]) => element === document.activeElement)) {
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

test("books and pays with the keyboard, on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
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
  await tabTo(page, page.getByLabel("Full name"));
  await page.keyboard.type("Tara Bhatt");
  await tabTo(page, page.getByLabel("Email"));
  await page.keyboard.type("tara@example.in");
  await tabTo(page, page.getByLabel("Phone"));
  await page.keyboard.type("98450 54321");
  // Who has come to the person no longer passes over other times.
  await expect(page.locator("#booking-captain")).toBeHidden();
  await expect(page.locator("#booking-chosen summary")).toHaveText(
    /^Capt\. .* · 45 min · .*, \d+:\d\d [AP]M IST/,
  );
  await tabTo(page, page.getByRole("button", { name: SUBMIT }));
  await page.keyboard.press("Enter");
  await payWindow(page).getByRole("button", { name: "Pay now" }).press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Booking Confirmed!");
});

test("what stays at a phone's foot covers nothing that has the focus", async ({ page, app }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  const pay = page.getByRole("button", { name: SUBMIT }).first();
  const walk = async () => {
    await page.locator('input[name="counselor"]').first().focus();
    while (!(await pay.evaluate((button) => button === document.activeElement))) {
      await page.keyboard.press("Tab");
      await expectSeen(page);
    }
  };
  // Held: the time left stands in the bar.
  await bookIn(page, app, { date: dayAhead(7) });
  await page.goto("/#booking-day");
  await page.getByRole("grid").waitFor();
  await walk();
  await page.context().setOffline(true);
  await walk();
  await page.context().setOffline(false);

  await page.setViewportSize({ width: 1280, height: 800 });
  const { name } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "Cancel", name);
  await page.setViewportSize({ width: 320, height: 568 });
  await dialog.getByRole("link", { name: "Close the dialog" }).focus();
  await tabTo(page, dialog.getByRole("radio", { name: "We do" }));
  await tabTo(page, dialog.getByLabel("Reason"));
});

test("what is wrong is focused, and leads to its field", async ({ page, noJsPage, problems }) => {
  problems.allow(/status of 400/);
  for (const form of [page, noJsPage]) {
    await form.goto("/#book");
    await form.getByLabel("Full name").fill("Tara Bhatt");
    await form.getByLabel("Full name").press("Enter");
    await expect(form.locator("#form-errors")).toBeFocused();
    await expect(form.locator("#form-errors li")).toHaveText([
      "Please select a captain",
      "Please select a package",
      "Please select a date",
      "Please select a time slot",
      "Please enter a valid email",
      "Phone number must be at least 10 digits",
    ]);
    const lead = async (line: string, field: Locator) => {
      await form.locator("#form-errors").getByRole("link", { name: line }).press("Enter");
      await expect(field).toBeFocused();
      await expect(field).toBeInViewport();
      await expect(form.getByRole("group").getByText(line, { exact: true })).toHaveCount(1);
    };
    const email = form.getByLabel("Email", { exact: true });
    await lead("Please enter a valid email", email);
    await expect(form.locator("label").filter({ hasText: /^Email$/ })).toBeInViewport({ ratio: 1 });
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await expect(email).toHaveAccessibleDescription(/Please enter a valid email/);
    await lead("Please select a captain", form.locator('input[name="counselor"]').first());
    await lead("Please select a date", form.locator("#booking-date"));
    await lead("Please select a time slot", form.locator("#booking-time"));
  }
});

test("moves and cancels with the keyboard: the date keeps the focus", async ({ page, app }) => {
  const { name } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "Reschedule", name);
  const field = dialog.getByLabel("New date");
  await expect(field).toBeFocused();
  // To the year, so that no step leads into the past.
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  const before = await field.inputValue();
  await page.keyboard.press("ArrowUp");
  await expect(field).not.toHaveValue(before);
  const date = adminDay(await field.inputValue());
  const times = dialog.getByText(new RegExp(`^Free times of .* on ${date}, IST$`));
  await expect(times).toBeVisible();
  await expect(field).toBeFocused();
  await tabTo(page, dialog.getByRole("radio", { name: /[AP]M/ }).first());
  await page.keyboard.press("Space");
  await tabTo(page, dialog.getByRole("button", { name: "Reschedule" }));
  await page.keyboard.press("Enter");
  await expect(notice(page, "Appointment Rescheduled")).toBeVisible();

  await linkOf(page, "Cancel", name).press("Enter");
  // It starts at the safe choice.
  await expect(page.getByRole("link", { name: "Keep Appointment" })).toBeFocused();
  await tabTo(page, page.getByRole("button", { name: "Cancel Appointment" }));
  await page.keyboard.press("Enter");
  await expect(rowOf(page, name).getByText("Cancelled")).toBeVisible();
});

const region = (page: Page) => page.getByRole("region", { name: "Notifications (F8)" });
const exported = (page: Page) => region(page).getByText("Export Failed", { exact: true });

/** Sooner than the clock would come to it by itself. */
const NOW = { timeout: 2_000 };

test("a notification goes after 5 seconds, unless pointed at", async ({ page, app, problems }) => {
  problems.allow(/status of 503/);
  await page.clock.install();
  await openDesk(page, app);
  const { said } = await listen(page);
  const lastSaid = async () =>
    (await said()).findLast(({ text }) => text.includes("Export Failed"));
  await page.route("**/api/admin/export*", (route) => route.fulfill({ status: 503, body: "" }));
  const fail = async () => {
    await page.getByRole("button", { name: "Export Excel" }).click();
    await expect(exported(page)).toBeVisible();
  };
  await fail();
  await page.clock.fastForward(5_000);
  await expect(exported(page)).toBeHidden(NOW);
  await fail();
  await exported(page).hover();
  await page.clock.fastForward(6_000);
  await expect(exported(page)).toBeVisible();
  await page.getByRole("heading", { name: "Recent Appointments" }).hover();
  await page.clock.fastForward(5_000);
  await expect(exported(page)).toBeHidden(NOW);
  await fail();
  await page.keyboard.press("F8");
  await expect(region(page).getByRole("list")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.clock.fastForward(6_000);
  await expect(exported(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(exported(page)).toBeHidden();
  // A dialog takes it over with its time left; what is outside of one is announced to nobody.
  await fail();
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 2_500));
  await page.getByRole("link", { name: "Manage Slots" }).click();
  const dialog = page.getByRole("dialog");
  await expect(region(page).and(dialog.getByRole("region"))).toContainText("Export Failed");
  await page.clock.resume();
  await expect.poll(lastSaid).toMatchObject({ inDialog: true });
  await page.clock.fastForward(2_500);
  await expect(exported(page)).toBeHidden(NOW);
});

test("F8 leads to the notifications, also without any", async ({ page }) => {
  for (const path of ["/", "/admin"]) {
    await page.goto(path);
    await page.keyboard.press("F8");
    await expect(region(page).getByRole("list")).toBeFocused();
  }
});
