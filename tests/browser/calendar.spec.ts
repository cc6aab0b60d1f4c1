/** The captains' calendar: its views, a session's panel over it, a free time blocked, attendance; on paper. */
import type { Page } from "@playwright/test";
import { adminDay, adminSession, HOUR, instantOf, MINUTE } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { beginAt } from "#tests/support/admin.ts";
import { dayAhead, daysFrom, ROHAN } from "#tests/support/bookings.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { confirmedGuest, notice, openDesk, signInPage } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

/** Of one test. */
const nextDay = daysFrom(20);

const open = (page: Page, app: TestApp, query: Record<string, string>) =>
  openDesk(page, app, `/admin/calendar?${new URLSearchParams(query)}`);
const cards = (page: Page, name: string) =>
  page.getByRole("cell").getByRole("link", { name: new RegExp(name) });
const free = (page: Page, date: string, time: string, counselor: string) =>
  page.getByRole("link", { name: `Free: book ${adminSession(date, time)}, ${counselor}` });

/** From the form of a booking on to blocking the time. */
const blockInstead = (page: Page) =>
  page.getByRole("link", { name: "Block times of this day instead" });

/** The next reading of the calendar has no answer; `held` once it has been asked for. */
async function holdNextRead(page: Page): Promise<{ held: Promise<void> }> {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let isHeld = false;
  await page.route(/\/admin\/(calendar|slots).*\.data/, (route, request) => {
    if (isHeld || request.method() !== "GET") return route.fallback();
    isHeld = true;
    resolve();
  });
  return { held };
}

test("opens a session's panel by keyboard, and comes back to it", async ({ page, app }) => {
  const date = nextDay();
  const { name } = await confirmedGuest(app, { date, timeSlot: "11:00" });
  await open(page, app, { view: "day", date, counselor: ROHAN });
  const card = cards(page, name);
  const dialog = page.getByRole("dialog");
  const at = () => {
    const { pathname, searchParams } = new URL(page.url());
    return [pathname, searchParams.get("view"), searchParams.get("date")];
  };
  await free(page, date, "10:00", ROHAN).focus();
  await page.keyboard.press("Tab");
  await expect(card).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("heading", { name: `${name}, ` })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toBeFocused();
  await expect.poll(at).toEqual(["/admin/calendar", "day", date]);
  await page.keyboard.press("Tab");
  await expect(free(page, date, "14:00", ROHAN)).toBeFocused();

  // From the panel on to what changes the session, and back with the change in view.
  await card.click();
  await page.getByRole("link", { name: "Reschedule", exact: true }).click();
  await page.getByRole("radio", { name: "2:00 PM", exact: true }).check();
  await page.getByRole("button", { name: "Reschedule", exact: true }).click();
  await expect(notice(page, "Appointment Rescheduled")).toBeVisible();
  await expect.poll(at).toEqual(["/admin/calendar", "day", date]);
  await expect(card).toHaveText(`2:00 PM 30 min ${name} Rescheduled`);
});

test("leaves the pages beside it their styles", async ({ page, app }) => {
  await openDesk(page, app, "/admin");
  const sheets = page.locator('link[rel="stylesheet"][href*="calendar"]');
  await expect(sheets).toHaveCount(0);
  await page.getByRole("link", { name: "Calendar", exact: true }).first().click();
  await expect(page).toHaveURL(/\/admin\/calendar/);
  await expect(sheets).not.toHaveCount(0);
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
  const { name } = await confirmedGuest(app, { date, timeSlot: "10:00" });
  await slot.click();
  await blockInstead(page).click();
  await page.getByRole("checkbox", { name: /^10:00 AM/ }).check();
  // Who goes back before the day was read anew has it read then.
  const { held } = await holdNextRead(page);
  await page.getByRole("button", { name: "Block Slots", exact: true }).click();
  const touched = page.getByRole("region", { name: /appointments? (is|are) affected/ });
  await expect(touched.getByText(name)).toBeVisible();
  await held;
  await page.getByRole("link", { name: "Back to the calendar" }).click();
  await expect(cards(page, name)).toHaveText(`10:00 AM 30 min ${name} Confirmed Blocked`);

  await blocked.click();
  await page.getByRole("button", { name: "Unblock Slots", exact: true }).click();
  await expect(free(page, date, "14:00", ROHAN)).toBeVisible();
});

test("goes between days, views and captains, also ahead of a page", async ({ page, app }) => {
  const heading = (name: string) =>
    page.getByRole("heading", { level: 1, name: `Calendar, ${name}`, exact: true });
  const link = (name: string) => page.getByRole("link", { name, exact: true });
  await open(page, app, { view: "day", date: dayAhead(3) });
  const release = await hold(page, /calendar\.data/);
  for (const name of ["Next day", "Next day", ROHAN]) {
    const before = release.asked();
    await link(name).click();
    await expect.poll(release.asked).toBe(before + 1);
  }
  await release();
  await expect(heading(`${adminDay(dayAhead(5))} ${ROHAN}`)).toBeVisible();
  // Back to an address whose date is none.
  await page.goto(`${app.origin}/admin/calendar?view=day&date=soon`);
  await link("Next day").click();
  await expect(heading(adminDay(dayAhead(1)))).toBeVisible();
  const back = await hold(page, /calendar\.data/);
  await page.goBack();
  await expect.poll(back.asked).toBe(1);
  await expect(heading(adminDay(dayAhead(1)))).toBeVisible();
  await back();
  await expect(heading(adminDay(dayAhead(0)))).toBeVisible();
});

test("has a line at the present time, which moves on", async ({ page, problems }) => {
  // A clock of its own: a line stands only between the first and the last hour.
  let now = instantOf(dayAhead(0), "14:14");
  const app = await startTestApp({ now: () => now });
  const pass = async (ms: number) => {
    now += ms;
    await page.clock.fastForward(ms);
  };
  try {
    await signInPage(page, app);
    await page.clock.install({ time: now });
    await page.goto(`${app.origin}/admin/calendar`);
    const row = (time: string) => page.getByRole("row", { name: new RegExp(`^${time}`) });
    await expect(row("2:00 PM").getByRole("rowheader")).toHaveText("2:00 PM, now 2:14 PM");
    await pass(20 * MINUTE);
    await expect(row("2:30 PM").getByRole("rowheader")).toHaveText("2:30 PM, now 2:34 PM");
    await expect(row("2:00 PM").getByRole("rowheader")).toHaveText("2:00 PM");
    const heading = (days: number) => page.getByRole("heading", { name: adminDay(dayAhead(days)) });
    await page.getByRole("link", { name: "Next day" }).click();
    await expect(heading(1)).toBeVisible();
    await expect(page.getByText(/, now /)).toHaveCount(0);
    // Left open overnight, it shows the new day; without an answer, no time on the day before.
    await page.goto(`${app.origin}/admin/calendar`);
    await pass(10 * HOUR);
    await expect(heading(1)).toBeVisible();
    await pass(9 * HOUR);
    await expect(row("9:30 AM").getByRole("rowheader")).toHaveText("9:30 AM, now 9:34 AM");
    problems.allow(/ERR_FAILED/);
    await page.route(/calendar\.data/, (route) => route.abort());
    await pass(24 * HOUR);
    await expect(heading(1)).toBeVisible();
    await expect(page.getByText(/, now /)).toHaveCount(0);
  } finally {
    await app.stop();
  }
});

test("what is typed in a dialog stays over midnight, and the day is new once it has closed", async ({
  page,
  problems,
}) => {
  let now = instantOf(dayAhead(0), "23:50");
  const app = await startTestApp({ now: () => now });
  problems.allow(/400/);
  try {
    await signInPage(page, app);
    await page.clock.install({ time: now });
    const { id } = await confirmedGuest(app, { date: dayAhead(1) });
    await page.goto(`${app.origin}/admin`);
    await page.locator(`a[href^="/admin/appointments/${id}"]`).first().click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Correct contact data" }).click();
    const email = dialog.getByLabel("Email");
    await email.fill("wrong");
    await dialog.getByRole("button", { name: "Save" }).click();
    await expect(email).toHaveAttribute("aria-invalid", "true");
    await email.fill("still@");
    const read: string[] = [];
    page.on("request", (request) => read.push(request.url()));
    now += 20 * MINUTE;
    await page.clock.fastForward(20 * MINUTE);
    await email.press("End");
    expect(read).toEqual([]);
    await expect(email).toHaveValue("still@");
    await dialog.getByRole("link", { name: "Close the dialog" }).click();
    await expect(email).toHaveCount(0);
    await dialog.getByRole("link", { name: "Close the dialog" }).click();
    await expect(dialog).toHaveCount(0);
    const today = page.getByRole("heading", { name: /^Today/ }).first();
    await expect(today).toContainText(adminDay(dayAhead(1)).replace(/, \d{4}$/, ""));
  } finally {
    await app.stop();
  }
});

test("prints each view on one page, and insights with every number", async ({ page, app }) => {
  const date = nextDay();
  const { name } = await confirmedGuest(app, { date, timeSlot: "16:00" });
  for (const view of ["day", "week", "month"]) {
    await open(page, app, { view, date });
    const pages = await pagesOf(await page.pdf({ preferCSSPageSize: true }));
    expect(pages, view).toHaveLength(1);
    expect(pages[0]).not.toContain("Logout");
    if (view === "day") expect(pages[0]).toContain(name);
  }

  await page.goto("/admin/insights?from=2026-01-01&to=2026-03-31");
  const text = (await pagesOf(await page.pdf({ format: "A4" }))).join("\n");
  // Every table beside its plot.
  for (const words of ["Sessions by month", "February 2026", "Not noted yet", "91 days and more"]) {
    expect(text).toContain(words);
  }
  expect(text.match(/All months/g)).toHaveLength(2);
  expect(text).not.toContain("The numbers");
});

/** A paid session whose start has passed. */
async function begun(app: TestApp) {
  const date = nextDay();
  const { id, name } = await confirmedGuest(app, { date, timeSlot: "11:00" });
  beginAt(app, id, Date.now() - HOUR);
  return { id, name, date };
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("attendance is noted at the card and in its panel", async ({ page, app }) => {
  const { id, name, date } = await begun(app);
  const attendance = () => findAppointment(app.db, id)?.attendance;
  await page.setViewportSize({ width: 360, height: 740 });
  await open(page, app, { view: "day", date });
  const calendar = page.url();
  const card = cards(page, name);
  await expect(card).toHaveText(`11:00 AM 30 min ${name} Confirmed`);
  await button(page, `No-show: ${name}`).click();
  await expect(notice(page, "Attendance Noted")).toBeVisible();
  const undo = button(page, `Undo no-show: ${name}`);
  await expect(card).toHaveText(`11:00 AM 30 min ${name} No-show`);
  expect(page.url()).toBe(calendar);
  expect(attendance()).toBe("no_show");
  await expect(undo).toBeFocused();
  await undo.click();
  await expect(button(page, `Completed: ${name}`)).toBeVisible();
  expect(attendance()).toBeNull();

  await card.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^Completed/ }).click();
  await expect(dialog.getByRole("button", { name: /^Undo/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(card).toContainText("Completed");
  await expect(card).toBeFocused();
});

test("in “Needs you” the focus goes to the next row, or to the heading", async ({ page, app }) => {
  const noted = "UPDATE appointment SET attendance = 'completed' WHERE starts_at < ?";
  app.db.runRaw(noted, [Date.now()]);
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
