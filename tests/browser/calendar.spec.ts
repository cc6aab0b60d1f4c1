/** The captains' calendar: its views, a session's panel over it, a free time blocked; and on paper. */
import type { Page } from "@playwright/test";
import { adminDay, adminSession, instantOf } from "#app/model/dates.ts";
import { monthOf, nextMonth } from "#app/model/month.ts";
import { startTestApp, type TestApp } from "#tests/helpers/app.ts";
import { signIn } from "#tests/support/admin.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { pagesOf } from "#tests/support/pdf-text.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { overflowOf } from "./stage.ts";

const SIZES = {
  phone: { width: 360, height: 740 },
  wide: { width: 1280, height: 900 },
};

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

/** The next reading of the calendar has no answer; without scripts there is none. */
async function holdNextRead(page: Page): Promise<void> {
  let isHeld = false;
  await page.route(/\/admin\/(calendar|slots).*\.data/, (route, request) => {
    if (isHeld || request.method() !== "GET") return route.fallback();
    isHeld = true;
  });
}

// What else is wide with scripts, or narrow without, is looked at with every scene.
for (const [scripts, size] of [
  [true, "phone"],
  [false, "wide"],
] as const) {
  const how = `${scripts ? "with" : "without"} scripts, ${size}`;
  const deskOf = async (page: Page, noJsPage: Page) => {
    const desk = scripts ? page : noJsPage;
    await desk.setViewportSize(SIZES[size]);
    return desk;
  };

  test(`opens a session's panel and comes back to the day ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = await deskOf(page, noJsPage);
    const date = nextDay();
    const { name } = await paidGuest(app, { date, timeSlot: "11:00" });
    await open(desk, app, { view: "day", date });
    const card = cards(desk, name);
    await expect(card).toHaveText(`11:00 AM 30 min ${name} Confirmed`);
    await card.click();
    await expect(desk.getByRole("heading", { name: "View Details" })).toBeVisible();
    await expect(desk).toHaveURL(/\/admin\/appointments\//);
    if (scripts) {
      await expect(desk.getByRole("dialog").getByText(name).first()).toBeVisible();
      await desk.keyboard.press("Escape");
      await expect(card).toBeFocused();
    } else {
      await desk.getByRole("link", { name: "Back to the calendar" }).click();
    }
    await expect(desk).toHaveURL(new RegExp(`/admin/calendar\\?view=day&date=${date}$`));

    // From the panel on to what changes the session, and back with the change in view.
    await card.click();
    await desk.getByRole("link", { name: "Reschedule", exact: true }).click();
    await desk.getByRole("radio", { name: "2:00 PM", exact: true }).check();
    await desk.getByRole("button", { name: "Reschedule", exact: true }).click();
    await expect(notice(desk, "Appointment Rescheduled")).toBeVisible();
    await expect(desk).toHaveURL(new RegExp(`/admin/calendar\\?view=day&date=${date}$`));
    await expect(card).toHaveText(`2:00 PM 30 min ${name} Rescheduled`);
  });

  test(`blocks a free time, and names who is touched ${how}`, async ({ page, noJsPage, app }) => {
    const desk = await deskOf(page, noJsPage);
    const date = nextDay();
    await open(desk, app, { view: "day", date, counselor: ROHAN });
    await free(desk, date, "14:00", ROHAN).click();
    await expect(desk.getByRole("radio", { name: "2:00 PM", exact: true })).toBeChecked();
    await expect(desk.getByRole("radio", { name: ROHAN })).toBeChecked();
    await blockInstead(desk).click();
    await expect(desk.getByRole("checkbox", { name: /^2:00 PM/ })).toBeChecked();
    await expect(desk.locator('input[name="timeSlotsToBlock"]:checked')).toHaveCount(1);
    await desk.getByLabel("Reason (optional)").fill("Simulator");
    await desk.getByRole("button", { name: "Block Slots", exact: true }).click();
    await expect(notice(desk, "Slots Blocked")).toBeVisible();
    await expect(desk).toHaveURL(/\/admin\/calendar\?view=day/);
    const blocked = desk.getByRole("link", { name: /^Blocked: Simulator: change/ });
    await expect(blocked).toBeVisible();
    await expect(free(desk, date, "14:00", ROHAN)).toHaveCount(0);

    // Somebody books meanwhile: the session stays, and the dialog says so.
    const pressed = free(desk, date, "10:00", ROHAN);
    await expect(pressed).toBeVisible();
    const { name } = await paidGuest(app, { date, timeSlot: "10:00" });
    await pressed.click();
    await blockInstead(desk).click();
    await desk.getByRole("checkbox", { name: /^10:00 AM/ }).check();
    // Who goes back before the day was read anew has it read then.
    await holdNextRead(desk);
    await desk.getByRole("button", { name: "Block Slots", exact: true }).click();
    const touched = desk.getByRole("region", { name: /appointments? (is|are) affected/ });
    await expect(touched.getByText(name)).toBeVisible();
    await desk.getByRole("link", { name: "Back to the calendar" }).click();
    await expect(cards(desk, name)).toHaveText(`10:00 AM 30 min ${name} Confirmed Blocked`);

    await blocked.click();
    await desk.getByRole("button", { name: "Unblock Slots", exact: true }).click();
    await expect(free(desk, date, "14:00", ROHAN)).toBeVisible();
  });

  test(`goes between day, week and month, days and captains ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = await deskOf(page, noJsPage);
    const heading = (text: string) => desk.getByRole("heading", { level: 1, name: text });
    await openDesk(desk, app);
    await desk.getByRole("link", { name: "Calendar", exact: true }).click();
    await expect(heading(adminDay(dayAhead(0)))).toBeVisible();
    await expect(desk.getByRole("columnheader", { name: ASHA })).toBeVisible();
    await desk.getByRole("link", { name: "Next day" }).click();
    await expect(heading(adminDay(dayAhead(1)))).toBeVisible();
    await desk.getByRole("link", { name: "Today", exact: true }).click();
    await desk.getByRole("link", { name: ROHAN, exact: true }).click();
    await expect(desk.getByRole("columnheader", { name: ASHA })).toHaveCount(0);
    await expect(heading(`${adminDay(dayAhead(0))} ${ROHAN}`)).toBeVisible();
    await desk.getByRole("link", { name: "week", exact: true }).click();
    await expect(desk.getByRole("table")).toHaveCount(7);
    expect(await overflowOf(desk)).toBeLessThanOrEqual(0);
    await expect(desk.getByRole("columnheader", { name: ROHAN }).first()).toBeVisible();
    await desk.getByRole("link", { name: "month", exact: true }).click();
    await desk.getByRole("link", { name: "Next month" }).click();
    await desk.getByRole("link", { name: "All captains" }).click();
    await expect(desk).not.toHaveURL(/counselor/);
    const next = nextMonth(dayAhead(0).slice(0, 7));
    const last = monthOf(next).to;
    const cell = desk.getByRole("link", { name: new RegExp(`^${adminDay(last)}`) });
    await expect(cell).toContainText("free");
    await cell.click();
    await expect(heading(adminDay(last))).toBeVisible();
    await expect(desk).toHaveURL(new RegExp(`view=day&date=${last}$`));
  });
}

test("tells leave, busy and blocked time by words, and a session that stands in it", async ({
  page,
  app,
}) => {
  const date = nextDay();
  const { name } = await paidGuest(app, { date, timeSlot: "11:00", counselor: ASHA });
  app.db.runRaw(
    `INSERT INTO leave (id, counselor_key, from_date, to_date, reason, created_at)
     VALUES ('calendar', 'asha', ?, ?, 'Line check', 1)`,
    [date, date],
  );
  app.db.runRaw(
    "INSERT INTO busy_time (counselor_key, starts_at, ends_at, is_last) VALUES ('rohan', ?, ?, 0)",
    [instantOf(date, "09:10"), instantOf(date, "09:50")],
  );
  await open(page, app, { view: "day", date });
  await expect(page.getByRole("row", { name: /^All day/ })).toContainText("On leave: Line check");
  await expect(cards(page, name)).toHaveText(`11:00 AM 30 min ${name} Confirmed On leave`);
  await expect(page.getByRole("row", { name: /^9:00 AM/ })).toContainText(
    "Busy 9:10 AM to 9:50 AM",
  );
  await expect(free(page, date, "10:00", ROHAN)).toBeVisible();
  await expect(free(page, date, "10:00", ASHA)).toHaveCount(0);
  await page.getByRole("link", { name: "month", exact: true }).click();
  const cell = page.getByRole("link", { name: new RegExp(`^${adminDay(date)}`) });
  await expect(cell).toContainText(`On leave: ${ASHA}`);
});

test("says that an address names nothing, and leads on from an appointment that is gone", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/status of 404/);
  await open(page, app, { view: "year", date: "2026-02-30", counselor: "Nobody" });
  await expect(page.getByText("names a view, date or captain that does not exist")).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: adminDay(dayAhead(0)) })).toBeVisible();
  await openDesk(page, app, "/admin/calendar/appointments/abcdefghijkmnpqrstuvwxyz23");
  await page.getByRole("link", { name: "Back to the calendar" }).click();
  await expect(page).toHaveURL(/\/admin\/calendar\?view=day$/);
});

test("takes each press, also one before the page of the last has come", async ({ page, app }) => {
  await open(page, app, { view: "day", date: dayAhead(3) });
  const waiting: (() => void)[] = [];
  await page.route(/calendar\.data/, async (route) => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    // The browser gives up the call that a later one replaces.
    await route.continue().catch(() => {});
  });
  const next = page.getByRole("link", { name: "Next day" });
  for (const press of [next, next, page.getByRole("link", { name: ROHAN, exact: true })]) {
    const before = waiting.length;
    await press.click();
    await expect.poll(() => waiting.length).toBe(before + 1);
  }
  for (const go of waiting) go();
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
    const { data } = await signIn(app);
    const headers = { Authorization: `Bearer ${data.token}` };
    await page.context().request.post(`${app.origin}/api/admin/session`, { headers });
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
