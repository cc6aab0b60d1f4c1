/** Attendance by one click from panel, list and calendar. */
import type { Page } from "@playwright/test";
import { HOUR } from "#app/model/duration.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { beginAt } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

let day = 5;

/** A paid session whose start has passed, on a day of its own. */
async function begun(app: TestApp) {
  const date = dayAhead(day++);
  const { id, name } = await paidGuest(app, { date, timeSlot: "11:00" });
  beginAt(app, id, Date.now() - HOUR);
  const attendance = () => findAppointment(app.db, id)?.attendance;
  const calendar = `/admin/calendar?view=day&date=${date}`;
  return { name, attendance, calendar };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("is noted and taken back in the calendar", async ({ page, app }) => {
  const { name, attendance, calendar } = await begun(app);
  await page.setViewportSize({ width: 360, height: 740 });
  await openDesk(page, app, calendar);
  const card = page.getByRole("cell").getByRole("link", { name: new RegExp(name) });
  await expect(card).toHaveText(`11:00 AM 30 min ${name} Confirmed`);

  await button(page, `No-show: ${name}`).click();
  await expect(notice(page, "Attendance Noted")).toBeVisible();
  const undo = button(page, `Undo no-show: ${name}`);
  await expect(card).toHaveText(`11:00 AM 30 min ${name} No-show`);
  const { pathname, search } = new URL(page.url());
  expect(pathname + search).toBe(calendar);
  expect(attendance()).toBe("no_show");
  await expect(undo).toBeFocused();

  await undo.click();
  await expect(button(page, `Completed: ${name}`)).toBeVisible();
  expect(attendance()).toBeNull();
});

test("from the panel over the calendar it is seen in the card behind", async ({ page, app }) => {
  const { name, calendar } = await begun(app);
  await openDesk(page, app, calendar);
  const card = page.getByRole("cell").getByRole("link", { name: new RegExp(name) });
  await card.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Completed/ }).click();
  await expect(dialog.getByRole("button", { name: /^Undo/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toContainText("Completed");
  await expect(card).toBeFocused();
});

test("in “Needs you” the focus goes to the row that follows, and after the last to the heading", async ({
  page,
  app,
}) => {
  app.db.runRaw("UPDATE appointment SET attendance = 'completed' WHERE starts_at < ?", [
    Date.now(),
  ]);
  for (let i = 0; i < 3; i++) await begun(app);
  await openDesk(page, app, "/admin");
  const heading = page.getByRole("heading", { name: /without attendance/ });
  const rows = page.locator("li", { has: page.getByRole("button", { name: /^Completed/ }) });
  const group = page.locator("div", { has: heading }).last();
  await expect(group.locator(rows)).toHaveCount(3);
  await group.getByRole("button").first().click();
  await expect(group.locator(rows)).toHaveCount(2);
  await expect(group.getByRole("button").first()).toBeFocused();
  await group.getByRole("button").last().click();
  await expect(group.locator(rows)).toHaveCount(1);
  await expect(heading).toBeFocused();
});
