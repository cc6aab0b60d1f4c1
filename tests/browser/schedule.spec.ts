/** A captain's week, leave, and the sessions they touch. */
import type { Page } from "@playwright/test";
import { WEEKDAY_LABELS, weekdayNameOf } from "#app/model/week.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of (400|409)/;
const DEFAULTS = 6;

async function freeTimes(app: TestApp, counselor: string, date: string): Promise<string[]> {
  const query = new URLSearchParams({ counselor, date, package: "30" });
  const { data } = await app.api(`/api/slots?${query}`);
  return data.availableSlots;
}

/** Only one day of the week keeps times, and those. */
async function tickOnly(page: Page, day: string, times: readonly string[]): Promise<void> {
  const ticked = page.locator(".week-grid input:checked");
  for (let left = await ticked.count(); left > 0; left--) await ticked.first().uncheck();
  for (const time of times) {
    await page.getByRole("checkbox", { name: `${day} ${time}`, exact: true }).check();
  }
}

const save = (page: Page) => page.getByRole("button", { name: "Save Hours" }).click();

test("sets a week, copies Monday, and goes back to the default times", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(REFUSED);
  await openDesk(page, app);
  await page.getByRole("link", { name: "Schedule", exact: true }).click();
  await expect(page.getByRole("heading", { name: `Schedule of ${ASHA}` })).toBeVisible();
  await expect(page.locator(".week-grid input")).toHaveCount(7 * 26);
  await expect(page.locator(".week-grid input:checked")).toHaveCount(7 * DEFAULTS);
  await tickOnly(page, "Monday", []);
  await save(page);
  await expect(page.getByText(/Please select at least one time in the week/).first()).toBeVisible();
  await expect(page.locator(".week-grid input:checked")).toHaveCount(0);
  await tickOnly(page, "Monday", ["8:00 AM", "8:30 PM"]);
  await page.getByText("Copy Monday to…").click();
  const date = dayAhead(24);
  const day = WEEKDAY_LABELS[weekdayNameOf(date)];
  const copied = day === "Monday" ? "Tuesday" : day;
  await page.getByRole("checkbox", { name: copied, exact: true }).check();
  await page.getByRole("button", { name: "Copy and Save" }).click();
  await expect(notice(page, "Hours Saved")).toBeVisible();
  await expect(page.locator(".week-grid input:checked")).toHaveCount(4);
  expect(await freeTimes(app, ASHA, date)).toEqual(["08:00", "20:30"]);
  const preview = page.getByRole("region", { name: "The next four weeks" });
  // Other days may have been set by the tests before.
  const days = (word: string) => expect.poll(() => preview.getByText(word).count());
  await days("weekly hours").toBeGreaterThan(5);
  await days("day off").toBeGreaterThan(15);
  await page.getByRole("button", { name: "Same as Default Times" }).click();
  await days("default times").toBeGreaterThan(20);
  await expect(preview.getByText("weekly hours")).toHaveCount(0);
  expect(await freeTimes(app, ASHA, date)).toHaveLength(DEFAULTS);
});

test("adds leave over a session, keeps it, and removes the leave", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(REFUSED);
  const date = dayAhead(8);
  const { name } = await paidGuest(app, { date, timeSlot: "11:00" });
  await openDesk(page, app, "/admin/schedule/rohan");
  const leave = page.getByRole("region", { name: "Leave", exact: true });
  await leave.getByLabel("From").fill(date);
  await leave.getByLabel("To (this day included)").fill(dayAhead(7));
  await leave.getByLabel("Reason (optional)").fill("Roster");
  await leave.getByRole("button", { name: "Add Leave" }).click();
  await expect(
    page.getByText("Please end the leave on or after its first day").first(),
  ).toBeVisible();
  await leave.getByLabel("To (this day included)").fill(date);
  await leave.getByRole("button", { name: "Add Leave" }).click();
  await expect(notice(page, "Leave Added")).toBeVisible();
  const affected = page.getByRole("region", { name: /appointments? (is|are) affected/ });
  await expect(affected.getByText(name)).toBeInViewport();
  await expect(affected.getByText("On leave (Roster).")).toBeVisible();
  const preview = page.getByRole("region", { name: "The next four weeks" });
  await expect(preview.getByText("leave: Roster")).toBeVisible();
  expect(await freeTimes(app, ROHAN, date)).toEqual([]);

  // Another press does not lose it, and it needs a person until it is settled.
  await save(page);
  await expect(notice(page, "Hours Saved")).toBeVisible();
  await expect(affected.getByText(name)).toBeVisible();
  await page.goto("/admin");
  const needs = page.getByRole("region", { name: "Needs you" });
  await expect(needs.getByText("1 session inside blocked time")).toBeVisible();
  await needs.getByRole("button", { name: `Keep on purpose: ${name}` }).click();
  await expect(notice(page, "Session Kept")).toBeVisible();
  await expect(needs).toHaveCount(0);
  await page.goto("/admin/schedule/rohan");
  await leave.getByRole("button", { name: /^Remove leave of/ }).click();
  await expect(notice(page, "Leave Removed")).toBeVisible();
  await page.getByRole("button", { name: "Same as Default Times" }).click();
  await expect(notice(page, "Hours Saved")).toBeVisible();
  expect(await freeTimes(app, ROHAN, date)).toHaveLength(DEFAULTS - 1);
});

test("a second admin is shown the fresh hours", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app, "/admin/schedule/asha");
  await openDesk(noJsPage, app, "/admin/schedule/asha");
  await noJsPage.getByLabel("Buffer").fill("15");
  await noJsPage.getByRole("button", { name: "Same as Default Times" }).click();
  await expect(notice(noJsPage, "Hours Saved")).toBeVisible();
  await page.getByLabel("Buffer").fill("30");
  await page.getByRole("button", { name: "Save Hours" }).click();
  await expect(page.getByText(/The hours were changed in the meantime/).first()).toBeVisible();
  await expect(page.getByLabel("Buffer")).toHaveValue("15");
});
