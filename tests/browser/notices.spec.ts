/** Notifications are announced where a screen reader can hear them. */
import { dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { openDesk } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

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

interface Heard {
  text: string;
  inDialog: boolean;
}
