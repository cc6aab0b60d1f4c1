/** The captains' calendar: its views, a session's panel over it, a free time blocked; and on paper. */
import type { Page } from "@playwright/test";
import { adminDay, adminSession, instantOf } from "#app/model/dates.ts";
import { monthOf, nextMonth } from "#app/model/month.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { notice, openDesk, paidGuest, signInPage } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

let day = 20;
/** Of one test. */
const nextDay = () => dayAhead(day++);

const open = (page: Page, app: TestApp, query: Record<string, string>) =>
  openDesk(page, app, `/admin/calendar?${new URLSearchParams(query)}`);
const cards = (page: Page, name: string) =>
  page.getByRole("cell").getByRole("link", { name: new RegExp(name) });
const free = (page: Page, date: string, time: string, counselor: string) =>
  page.getByRole("link", { name: `Free: book ${adminSession(date, time)}, ${counselor}` });

/** From the form of a booking on to blocking the time. */
const blockInstead = (page: Page) =>
  page.getByRole("link", { name: "Block times of this day instead" });

/** The next reading of the calendar has no answer. */
async function holdNextRead(page: Page): Promise<void> {
  let isHeld = false;
  await page.route(/\/admin\/(calendar|slots).*\.data/, (route, request) => {
    if (isHeld || request.method() !== "GET") return route.fallback();
    isHeld = true;
  });
}

test("opens a session's panel and comes back to the day", async ({ page, app }) => {
  const date = nextDay();
  const { name } = await paidGuest(app, { date, timeSlot: "11:00" });
  await open(page, app, { view: "day", date });
  const card = cards(page, name);
  await expect(card).toHaveText(`11:00 AM 30 min ${name} Confirmed`);
  await card.click();
  await expect(page.getByRole("heading", { name: `${name}, ` })).toBeVisible();
  await expect(page.getByRole("dialog").getByText(name).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
  await expect(page).toHaveURL(new RegExp(`/admin/calendar\\?view=day&date=${date}$`));

  // From the panel on to what changes the session, and back with the change in view.
  await card.click();
  await page.getByRole("link", { name: "Reschedule", exact: true }).click();
  await page.getByRole("radio", { name: "2:00 PM", exact: true }).check();
  await page.getByRole("button", { name: "Reschedule", exact: true }).click();
  await expect(notice(page, "Appointment Rescheduled")).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/admin/calendar\\?view=day&date=${date}$`));
  await expect(card).toHaveText(`2:00 PM 30 min ${name} Rescheduled`);
});

test("leaves the pages beside it their styles", async ({ page, app }) => {
  await openDesk(page, app, "/admin");
  const looks = () =>
    page.evaluate(() => {
      const link = document.querySelector(".button")!;
      const { paddingTop, paddingLeft, minHeight } = getComputedStyle(link);
      return { paddingTop, paddingLeft, minHeight };
    });
  const before = await looks();
  const sheets = page.locator('link[rel="stylesheet"][href*="calendar"]');
  await expect(sheets).toHaveCount(0);
  await page.getByRole("link", { name: "Calendar", exact: true }).first().click();
  await expect(page).toHaveURL(/\/admin\/calendar/);
  await expect(sheets).not.toHaveCount(0);
  expect(await looks()).toEqual(before);
  await page.getByRole("link", { name: "Customers", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Customers" })).toBeVisible();
  await expect(sheets).toHaveCount(0);
});

test("blocks a free time, and names who is touched", async ({ page, app }) => {
  const date = nextDay();
  await open(page, app, { view: "day", date, counselor: ROHAN });
  await free(page, date, "14:00", ROHAN).click();
  await expect(page.getByRole("radio", { name: "2:00 PM", exact: true })).toBeChecked();
  await expect(page.getByRole("radio", { name: ROHAN })).toBeChecked();
  await blockInstead(page).click();
  await expect(page.getByRole("checkbox", { name: /^2:00 PM/ })).toBeChecked();
  await expect(page.locator('input[name="timeSlotsToBlock"]:checked')).toHaveCount(1);
  await page.getByLabel("Reason (optional)").fill("Simulator");
  await page.getByRole("button", { name: "Block Slots", exact: true }).click();
  await expect(notice(page, "Slots Blocked")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/calendar\?view=day/);
  const blocked = page.getByRole("link", { name: /^Blocked: Simulator: change/ });
  await expect(blocked).toBeVisible();
  await expect(free(page, date, "14:00", ROHAN)).toHaveCount(0);

  // Somebody books meanwhile: the session stays, and the dialog says so.
  const slot = free(page, date, "10:00", ROHAN);
  await expect(slot).toBeVisible();
  const { name } = await paidGuest(app, { date, timeSlot: "10:00" });
  await slot.click();
  await blockInstead(page).click();
  await page.getByRole("checkbox", { name: /^10:00 AM/ }).check();
  // Who goes back before the day was read anew has it read then.
  await holdNextRead(page);
  await page.getByRole("button", { name: "Block Slots", exact: true }).click();
  const touched = page.getByRole("region", { name: /appointments? (is|are) affected/ });
  await expect(touched.getByText(name)).toBeVisible();
  await page.getByRole("link", { name: "Back to the calendar" }).click();
  await expect(cards(page, name)).toHaveText(`10:00 AM 30 min ${name} Confirmed Blocked`);

  await blocked.click();
  await page.getByRole("button", { name: "Unblock Slots", exact: true }).click();
  await expect(free(page, date, "14:00", ROHAN)).toBeVisible();
});

test("goes between day, week and month, days and captains", async ({ page, app }) => {
  const heading = (text: string) => page.getByRole("heading", { level: 1, name: text });
  await openDesk(page, app);
  await page.getByRole("link", { name: "Calendar", exact: true }).click();
  await expect(heading(adminDay(dayAhead(0)))).toBeVisible();
  await expect(page.getByRole("columnheader", { name: ASHA })).toBeVisible();
  await page.getByRole("link", { name: "Next day" }).click();
  await expect(heading(adminDay(dayAhead(1)))).toBeVisible();
  await page.getByRole("link", { name: "Today", exact: true }).click();
  await page.getByRole("link", { name: ROHAN, exact: true }).click();
  await expect(heading(`${adminDay(dayAhead(0))} ${ROHAN}`)).toBeVisible();
  await page.getByRole("link", { name: "week", exact: true }).click();
  await expect(page.getByRole("table")).toHaveCount(7);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await expect(page.getByRole("columnheader", { name: ROHAN }).first()).toBeVisible();
  await page.getByRole("link", { name: "month", exact: true }).click();
  await page.getByRole("link", { name: "Next month" }).click();
  await page.getByRole("link", { name: "All captains" }).click();
  await expect(page).not.toHaveURL(/counselor/);
  const next = nextMonth(dayAhead(0).slice(0, 7));
  const last = monthOf(next).to;
  const cell = page.getByRole("link", { name: new RegExp(`^${adminDay(last)}`) });
  await expect(cell).toContainText("free");
  await cell.click();
  await expect(heading(adminDay(last))).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`view=day&date=${last}$`));
});

test("takes each click, also one before the page of the last has come", async ({ page, app }) => {
  await open(page, app, { view: "day", date: dayAhead(3) });
  const release = await hold(page, /calendar\.data/);
  const next = page.getByRole("link", { name: "Next day" });
  for (const link of [next, next, page.getByRole("link", { name: ROHAN, exact: true })]) {
    const before = release.asked();
    await link.click();
    await expect.poll(release.asked).toBe(before + 1);
  }
  await release();
  const heading = `Calendar, ${adminDay(dayAhead(5))} ${ROHAN}`;
  await expect(page.getByRole("heading", { level: 1, name: heading, exact: true })).toBeVisible();
});

test("is walked through by keyboard, in the order of the day", async ({ page, app }) => {
  const date = nextDay();
  const { name } = await paidGuest(app, { date, timeSlot: "11:00" });
  await open(page, app, { view: "day", date, counselor: ROHAN });
  await free(page, date, "10:00", ROHAN).focus();
  await page.keyboard.press("Tab");
  await expect(cards(page, name)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(cards(page, name)).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(free(page, date, "14:00", ROHAN)).toBeFocused();
});

test("has a line at the present time, which moves on", async ({ page }) => {
  // A clock of its own: a line stands only between the first and the last hour.
  const now = instantOf(dayAhead(0), "14:14");
  const app = await startTestApp({ now: () => now });
  try {
    await signInPage(page, app);
    await page.clock.install({ time: now });
    await page.goto(`${app.origin}/admin/calendar`);
    const row = (time: string) => page.getByRole("row", { name: new RegExp(`^${time}`) });
    await expect(row("2:00 PM").getByRole("rowheader")).toHaveText("2:00 PM, now 2:14 PM");
    await page.clock.fastForward("20:00");
    await expect(row("2:30 PM").getByRole("rowheader")).toHaveText("2:30 PM, now 2:34 PM");
    await expect(row("2:00 PM").getByRole("rowheader")).toHaveText("2:00 PM");
    await page.getByRole("link", { name: "Next day" }).click();
    await expect(page.getByRole("heading", { name: adminDay(dayAhead(1)) })).toBeVisible();
    await expect(page.getByText(/, now /)).toHaveCount(0);
  } finally {
    await app.stop();
  }
});

test("prints each view on one page, with every name", async ({ page, app }) => {
  const date = nextDay();
  const { name } = await paidGuest(app, { date, timeSlot: "16:00" });
  for (const view of ["day", "week", "month"]) {
    await open(page, app, { view, date });
    const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
    expect(pages, view).toHaveLength(1);
    expect(pages[0]).not.toContain("Logout");
    if (view === "day") expect(pages[0]).toContain(name);
  }
});

test("insights print every table beside their plot", async ({ page, app }) => {
  await openDesk(page, app, "/admin/insights?from=2026-01-01&to=2026-03-31");
  const text = (await pagesOf(await page.pdf({ format: "A4" }))).join("\n");
  for (const words of ["Sessions by month", "February 2026", "Not noted yet", "91 days and more"]) {
    expect(text).toContain(words);
  }
  expect(text.match(/All months/g)).toHaveLength(2);
  expect(text).not.toContain("The numbers");
});
