import type { Page } from "@playwright/test";

/** Turns the calendar's pages until the date is in sight; the calendar itself may turn to a free month. */
export async function chooseDay(page: Page, date: string): Promise<void> {
  const day = page.locator(`[data-date="${date}"]`);
  await page.locator("#booking-day").scrollIntoViewIfNeeded();
  await page.getByRole("button", { name: "Next month" }).waitFor();
  while (!(await day.isVisible())) {
    const shown = await page.locator("[data-date]").first().getAttribute("data-date");
    const way = shown! < date ? "Next month" : "Previous month";
    await page.getByRole("button", { name: way }).click();
  }
  await day.click();
  await page.locator('#booking-time[aria-busy="false"]').waitFor();
}

/** Opens an action of a row in a wide window, since a narrow one does not show it. */
export async function openDialog(page: Page, word: string): Promise<void> {
  const name = new RegExp(`^${word}`);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole("link", { name }).or(page.getByRole("button", { name })).first().click();
  await page.getByRole("dialog").waitFor();
  if (size) await page.setViewportSize(size);
}
