/** When captains work: the times of a day, blocks, and the weekly hours of two admins at once. */
import { adminDay } from "#app/model/dates.ts";
import { findHours } from "#db/queries/hours.server.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

const REFUSED = /status of (400|409)/;

test("keeps counselor and date when a tab is chosen before", async ({ page, app }) => {
  const date = dayAhead(23);
  const { name } = await paidGuest(app, { date, timeSlot: "11:00" });
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

test("carries no unsaved tick to another day or counselor", async ({ page, app }) => {
  await openDesk(page, app, "/admin/slots");
  const box = page.getByRole("checkbox", { name: /^9:00 AM/ });
  const times = (counselor: string, date: string) =>
    page.getByRole("group", { name: `Times of ${counselor} on ${adminDay(date)}, IST` });
  const [first, second] = [dayAhead(80), dayAhead(81)];
  await page.getByLabel("Date", { exact: true }).fill(first);
  await expect(times(ASHA, first)).toBeVisible();
  await box.uncheck();
  await page.getByLabel("Date", { exact: true }).fill(second);
  await expect(times(ASHA, second)).toBeVisible();
  await expect(box).toBeChecked();
  await box.uncheck();
  await page.getByLabel("Counselor", { exact: true }).selectOption(ROHAN);
  await expect(times(ROHAN, second)).toBeVisible();
  await expect(box).toBeChecked();
});

test("empties the range after blocking, and for another counselor", async ({ page, app }) => {
  const from = dayAhead(24);
  const query = new URLSearchParams({ tab: "block", counselor: ROHAN, date: from });
  await openDesk(page, app, `/admin/slots?${query}`);
  const until = page.getByLabel("Until (this day included)");
  const sunday = page.locator('input[name="weekday"][value="0"]');
  const choose = async () => {
    await page.getByText("Several dates at once").click();
    await until.fill(dayAhead(31));
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
  await page.getByLabel("Counselor", { exact: true }).selectOption(ASHA);
  await expectEmpty();
});

test("a day that ends before it begins stays as it was chosen", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app, "/admin/schedule/rohan");
  const [first, last] = ["first", "last"].map((end) => page.getByLabel(`Monday: ${end} start`));
  await expect(first!).toBeVisible();
  await first!.selectOption("14:00");
  await last!.selectOption("11:00");
  // Saved as it stands it is refused again, and takes no day off.
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = page.waitForResponse((one) => one.request().method() === "POST");
    await page.getByRole("button", { name: "Save Hours" }).click();
    expect((await answer).status()).toBe(400);
    await expect(page.locator("#week-error")).toHaveText("Please let Monday end after it begins");
    await expect(page.getByRole("radio", { name: "From and to" })).toBeChecked();
    await expect(first!).toHaveValue("14:00");
    await expect(last!).toHaveValue("11:00");
  }
  expect(findHours(app.db, "rohan").week).toBeNull();
});

test("a second admin is shown the fresh hours", async ({ page, noJsPage, app, problems }) => {
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
