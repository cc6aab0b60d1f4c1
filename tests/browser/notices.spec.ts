/** Notifications: heard by a screen reader, there for five seconds, reached with F8. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { openDesk } from "./admin-desk.ts";
import { expect, type Problems, test } from "./fixtures.ts";

test("a notification over an open dialog is announced inside it", async ({ page, app }) => {
  await page.addInitScript(() => {
    const heard: { text: string; inDialog: boolean }[] = [];
    Object.assign(window, { heard });
    new MutationObserver(() => {
      for (const live of document.querySelectorAll('[role="status"][aria-live="assertive"]')) {
        const text = live.textContent ?? "";
        if (text === "" || heard.at(-1)?.text === text) continue;
        heard.push({ text, inDialog: live.closest("dialog[open]") !== null });
      }
    }).observe(document, { subtree: true, childList: true });
  });
  await openDesk(page, app);
  await page.getByRole("link", { name: "Manage Slots" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Counselor", { exact: true }).last().selectOption(ROHAN);
  await expect(page).toHaveURL(/counselor=/);
  await dialog.getByLabel("Date", { exact: true }).fill(dayAhead(14));
  await expect(page).toHaveURL(new RegExp(`date=${dayAhead(14)}`));
  await dialog.locator('input[name="timeSlots"]').first().check();
  await dialog.getByRole("button", { name: "Set Availability" }).click();
  const heard = () => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard);
  await expect(async () => {
    expect((await heard()).filter(({ text }) => text.includes("Slots Updated"))).toEqual([
      { text: expect.stringContaining("Notification"), inDialog: true },
    ]);
  }).toPass({ timeout: 20_000 });
});

const region = (page: Page) => page.getByRole("region", { name: "Notifications (F8)" });
const exported = (page: Page) => region(page).getByText("Export Failed", { exact: true });

/** The page's clock can be put forward; the export fails. */
async function openClockedDesk(page: Page, app: TestApp, problems: Problems): Promise<void> {
  problems.allow(/status of 503/);
  await page.clock.install();
  await openDesk(page, app);
  await page.route("**/api/admin/export*", (route) => route.fulfill({ status: 503, body: "" }));
  await page.getByRole("button", { name: "Export Excel" }).click();
  await expect(exported(page)).toBeVisible();
}

/** Sooner than the clock would come to it by itself. */
const NOW = { timeout: 2_000 };

test("each notification goes after 5 seconds, also the one after a closed one; not while it is pointed at", async ({
  page,
  app,
  problems,
}) => {
  await openClockedDesk(page, app, problems);
  await region(page).getByRole("button", { name: "Close" }).click();
  await expect(exported(page)).toBeHidden();
  const again = () => page.getByRole("button", { name: "Export Excel" }).click();
  await again();
  await expect(exported(page)).toBeVisible();
  await page.clock.fastForward(5_000);
  await expect(exported(page)).toBeHidden(NOW);
  await again();
  await exported(page).hover();
  await page.clock.fastForward(6_000);
  await expect(exported(page)).toBeVisible();
  await page.getByRole("heading", { name: "Recent Appointments" }).hover();
  await page.clock.fastForward(5_000);
  await expect(exported(page)).toBeHidden(NOW);
});

test("a dialog that opens takes the notification over with the time it has left", async ({
  page,
  app,
  problems,
}) => {
  await openClockedDesk(page, app, problems);
  await page.clock.fastForward(2_500);
  await page.getByRole("link", { name: "Manage Slots" }).click();
  const dialog = page.getByRole("dialog");
  await expect(region(page).and(dialog.getByRole("region"))).toContainText("Export Failed");
  await page.clock.fastForward(2_500);
  await expect(exported(page)).toBeHidden(NOW);
});

test("F8 leads to the notifications before the first one and after", async ({
  page,
  app,
  problems,
}) => {
  for (const path of ["/", "/admin"]) {
    await page.goto(path);
    await page.keyboard.press("F8");
    await expect(region(page).getByRole("list")).toBeFocused();
  }
  await openClockedDesk(page, app, problems);
  await page.keyboard.press("F8");
  await expect(region(page).getByRole("list")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.clock.fastForward(6_000);
  await expect(exported(page)).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(exported(page)).toBeHidden();
});

interface Heard {
  text: string;
  inDialog: boolean;
}
