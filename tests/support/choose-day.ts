import type { Page } from "@playwright/test";

/** Turns the calendar's pages until the date is in sight. */
export async function chooseDay(page: Page, date: string): Promise<void> {
  const day = page.locator(`[data-date="${date}"]`);
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Next month" }).waitFor();
  while (!(await day.isVisible())) await page.getByRole("button", { name: "Next month" }).click();
  await day.click();
  await page.locator('#booking-time[aria-busy="false"]').waitFor();
}
