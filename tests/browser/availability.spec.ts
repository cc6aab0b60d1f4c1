/** When captains work: the times of a day, blocks, and weekly hours. */
import { adminDay } from "#app/model/dates.ts";
import { WEEKDAYS } from "#app/model/day-plan.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { adminOf } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { confirmedGuest, notice, openDesk } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

const REFUSED = /status of (400|409)/;

test("keeps counselor and date when a tab is chosen before", async ({ page, app }) => {
  const date = dayAhead(23);
  const { name } = await confirmedGuest(app, { date, timeSlot: "11:00" });
  await openDesk(page, app, "/admin/slots");
  await expect(page.getByRole("group", { name: `Times of ${ASHA} on` })).toBeVisible();
  const release = await hold(page, /\/slots\.data/);
  await page.getByLabel("Counselor", { exact: true }).selectOption(ROHAN);
  await page.getByLabel("Date", { exact: true }).fill(date);
  await page.getByRole("link", { name: "Block/Unblock Slots" }).click();
  await expect.poll(release.asked).toBe(3);
  await release();
  const times = page.getByRole("group", {
    name: `Times of ${ROHAN} to block or unblock on ${adminDay(date)}, IST`,
  });
  await expect(times.getByRole("checkbox", { name: `11:00 AM booked: ${name}` })).toBeVisible();
  await expect(page.getByLabel("Counselor", { exact: true })).toHaveValue(ROHAN);
  await expect(page.getByLabel("Date", { exact: true })).toHaveValue(date);
});

test("carries no unsaved tick and no range to another day or counselor", async ({ page, app }) => {
  await openDesk(page, app, "/admin/slots");
  const box = page.getByRole("checkbox", { name: /^9:00 AM/ });
  const date = page.getByLabel("Date", { exact: true });
  const counselor = page.getByLabel("Counselor", { exact: true });
  const times = (name: string, day: string) =>
    page.getByRole("group", { name: `Times of ${name} on ${adminDay(day)}, IST` });
  const [first, second] = [dayAhead(80), dayAhead(81)];
  await date.fill(first);
  await expect(times(ASHA, first)).toBeVisible();
  await box.uncheck();
  await date.fill(second);
  await expect(times(ASHA, second)).toBeVisible();
  await expect(box).toBeChecked();
  await box.uncheck();
  await counselor.selectOption(ROHAN);
  await expect(times(ROHAN, second)).toBeVisible();
  await expect(box).toBeChecked();

  await page.getByRole("link", { name: "Block/Unblock Slots" }).click();
  const until = page.getByLabel("Until (this day included)");
  const sunday = page.locator('input[name="weekday"][value="0"]');
  const choose = async () => {
    await page.getByText("Several dates at once").click();
    await until.fill(dayAhead(88));
    await sunday.check();
  };
  const expectEmpty = async () => {
    await expect(until).toBeHidden();
    await expect(until).toHaveValue("");
    await expect(sunday).not.toBeChecked();
  };
  await choose();
  await page.getByRole("button", { name: "Block the whole day", exact: true }).click();
  await expect(notice(page, "Slots Blocked")).toBeVisible();
  await expectEmpty();
  await choose();
  await counselor.selectOption(ASHA);
  await expectEmpty();
});

test("weekly hours are from and to, or single times in a grid", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const admin = await adminOf(app);
  const usual = Object.fromEntries(WEEKDAYS.map((day) => [day, ["09:00"]]));
  const setHours = (bufferMinutes: number) =>
    admin("/counselors/asha/hours", { method: "PUT", json: { week: usual, bufferMinutes } });
  await setHours(0);
  await openDesk(page, app, "/admin/schedule/asha");
  const cell = page.getByRole("checkbox", { name: "Monday 3:00 PM" });
  const first = page.getByLabel("Monday: first start");
  const last = page.getByLabel("Monday: last start");
  const save = page.getByRole("button", { name: "Save Hours" });
  await expect(cell).toBeHidden();
  await first.selectOption("2:00 PM");
  await last.selectOption("11:00 AM");
  await save.click();
  await expect(page.locator("#week-error")).toHaveText("Please let Monday end after it begins");
  await expect(page.getByRole("radio", { name: "From and to" })).toBeChecked();
  await expect(first).toHaveValue("14:00");
  await expect(last).toHaveValue("11:00");
  await page.getByLabel("Single times").check();
  await expect(first).toBeHidden();
  await cell.check();
  await save.click();
  await expect(notice(page, "Hours Saved")).toBeVisible();
  expect(findHours(app.db, "asha").week?.mon).toContain("15:00");

  // Another admin was first: the fresh hours are shown.
  await setHours(15);
  await page.getByLabel("Buffer").fill("30");
  await save.click();
  await expect(page.getByText(/The hours were changed in the meantime/).first()).toBeVisible();
  await expect(page.getByLabel("Buffer")).toHaveValue("15");
});
