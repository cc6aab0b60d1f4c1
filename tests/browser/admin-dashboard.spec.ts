/** The dashboard around its list: what needs a person, the captains' next sessions, a phone's list. */
import type { Page } from "@playwright/test";
import { addDays, instantOf } from "#app/model/dates.ts";
import { MINUTE } from "#app/model/duration.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { ASHA, dayAhead, ROHAN } from "#tests/support/bookings.ts";
import { listOf, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { COLOUR_RULES, faultsOf, overflowOf } from "./stage.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

const WIDTHS = [360, 768, 1280];
const LONG = {
  name: "Venkata Subramanian Lakshminarasimhan-Krishnamurthy of Tiruchirappalli",
  email: "a.very.long.address.of.somebody@department.university-of-aviation.example.ac.in",
};

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";
  const deskOf = (page: Page, noJsPage: Page) => (scripts ? page : noJsPage);

  test(`asks for the attendance of what is over, and leads to the list of it ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = deskOf(page, noJsPage);
    const { id, name } = await paidGuest(app);
    const yesterday = dayAhead(-1);
    putOver(app, id, yesterday, scripts ? "10:00" : "12:00");
    const cancelled = await paidGuest(app);
    app.db.runRaw("UPDATE appointment SET status = 'cancelled' WHERE id = ?", [cancelled.id]);
    putOver(app, cancelled.id, yesterday, scripts ? "15:00" : "16:00");
    await openDesk(desk, app);
    const needs = desk.getByRole("region", { name: "Needs you" });
    await expect(needs.getByText("1 session without attendance")).toBeVisible();
    await expect(needs.getByRole("link", { name: `${name}: ` })).toBeVisible();
    await needs.getByRole("link", { name: "See them all in the list" }).click();
    await expect(rowOf(desk, name)).toBeVisible();
    await expect(rowOf(desk, cancelled.name)).toHaveCount(0);
    await expect(desk.getByRole("heading", { name: "Recent Appointments" })).toBeInViewport();
    expect(Object.fromEntries(new URL(desk.url()).searchParams)).toEqual({
      status: "confirmed,rescheduled",
      attendance: "none",
      endDate: dayAhead(0),
    });
    const status = desk.getByLabel("Status", { exact: true });
    await expect(status.locator("option:checked")).toHaveText("Confirmed, Rescheduled");
    await expect(desk.getByLabel("Attendance", { exact: true })).toBeVisible();
    await desk.getByLabel("Search").fill(name);
    await desk.getByRole("button", { name: "Apply Filters" }).click();
    await expect(desk).toHaveURL(/status=confirmed%2Crescheduled.*&q=.*attendance=none/);
    await expect(desk.getByText("1 appointment, page 1 of 1")).toBeVisible();
    await rowOf(desk, name)
      .getByRole("button", { name: `No-show: ${name}` })
      .click();
    await expect(desk.getByText("No appointments found")).toBeVisible();
    await expect(needs).toHaveCount(0);
  });

  test(`goes to what is to come and what was, filters kept, and sorts ${how}`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = deskOf(page, noJsPage);
    const { id, name } = await paidGuest(app, { package: 60, packagePrice: 1499 });
    const short = await paidGuest(app, { name });
    const today = dayAhead(0);
    await openDesk(desk, app, `${listOf(name)}&counselor=${encodeURIComponent(ROHAN)}`);
    const spans = desk.getByRole("navigation", { name: "Sessions by date" });
    await expect(spans.locator("[aria-current]")).toHaveText("All");
    await spans.getByRole("link", { name: "Upcoming" }).click();
    await expect(spans.locator("[aria-current]")).toHaveText("Upcoming");
    const kept = { q: name, counselor: ROHAN };
    const asked = () => Object.fromEntries(new URL(desk.url()).searchParams);
    expect(asked()).toEqual({ ...kept, startDate: today, sort: "date" });
    await expect(desk.getByText("2 appointments, page 1 of 1, sorted by oldest")).toBeVisible();
    await expect(desk.getByLabel("From")).toHaveValue(today);

    const amount = desk.getByRole("columnheader", { name: "Amount" });
    for (const [order, first] of [
      ["descending", id],
      ["ascending", short.id],
    ] as const) {
      await amount.getByRole("link").focus();
      await desk.keyboard.press("Enter");
      await expect(amount).toHaveAttribute("aria-sort", order);
      await expect(desk.getByRole("row").nth(1)).toContainText(`#${first.slice(-6)}`);
      if (scripts) await expect(amount.getByRole("link")).toBeFocused();
      await expect(desk.locator("[aria-sort]")).toHaveCount(1);
    }
    const told = desk.getByRole("status").filter({ hasText: "appointments" });
    await expect(told).toHaveText("2 appointments, page 1 of 1, sorted by lowest amount first");

    await spans.getByRole("link", { name: "Past" }).click();
    await expect(desk.getByText("No appointments found")).toBeVisible();
    expect(asked()).toEqual({ ...kept, endDate: addDays(today, -1) });
    await desk.getByRole("link", { name: "Clear filters" }).click();
    await expect(spans.locator("[aria-current]")).toHaveText("All");
    if (!scripts) return;
    await expect(desk.getByRole("heading", { name: "Recent Appointments" })).toBeFocused();
  });
}

test("shows each captain's next session, how far off it is and whom to call", async ({
  page,
  app,
}) => {
  const at = (counselor: string, timeSlot: string) =>
    paidGuest(app, { counselor, timeSlot, date: dayAhead(1) });
  const later = await at(ASHA, "16:00");
  const next = await at(ASHA, "15:00");
  const other = await at(ROHAN, "14:00");
  await openDesk(page, app);
  const asha = page.getByRole("region", { name: ASHA });
  await expect(asha.getByText(/^Next, in \d+ hours/)).toHaveCount(1);
  await expect(asha.locator("li").filter({ hasText: "Next, in" })).toContainText(next.name);
  await expect(asha.getByRole("link", { name: later.name })).toBeVisible();
  const call = asha.getByRole("link", { name: `Call ${next.name}` });
  await expect(call).toHaveAttribute("href", `tel:+91${next.body.phone}`);
  await expect(asha.getByText(other.name)).toHaveCount(0);
  const rohan = page.getByRole("region", { name: ROHAN });
  await expect(rohan.getByRole("link", { name: `Call ${other.name}` })).toBeVisible();
  await rohan.getByRole("link", { name: other.name, exact: false }).first().click();
  await expect(page.getByRole("heading", { name: "View Details" })).toBeVisible();
});

test("filters by package, in a fold that opens where it counts", async ({ page, app }) => {
  const { id, name } = await paidGuest(app, { package: 45, packagePrice: 1299 });
  await paidGuest(app, { name });
  await openDesk(page, app, listOf(name));
  const fold = page.getByText("Package, attendance, refunds, order");
  await expect(page.getByLabel("Package")).toBeHidden();
  await fold.click();
  await page.getByLabel("Package").selectOption("45 min");
  await page.getByRole("button", { name: "Apply Filters" }).click();
  await expect(page.getByText("1 appointment, page 1 of 1")).toBeVisible();
  await expect(page.getByText(`#${id.slice(-6)}`)).toBeVisible();
  await expect(page.getByLabel("Package")).toBeVisible();
});

test("fits a phone, a tablet and a desk, with long names and with none", async ({ page, app }) => {
  const { name } = LONG;
  await paidGuest(app, LONG);
  for (const path of [listOf(name), listOf("nobody of this name"), "/admin"]) {
    await openDesk(page, app, path);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 740 });
      expect(await overflowOf(page), `${path} at ${width}`).toBeLessThanOrEqual(0);
      await page.emulateMedia({ colorScheme: "light" });
      expect(await faultsOf(page), `${path} at ${width}, light`).toEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await faultsOf(page, COLOUR_RULES), `${path} at ${width}, dark`).toEqual([]);
    }
  }
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of ["/admin/slots", "/admin/activity", "/admin/documents", "/admin/account"]) {
    await page.goto(path);
    expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
  }
  await openDesk(page, app, listOf(name));
  await expect(rowOf(page, name).getByText("₹1,179.00")).toBeVisible();
  await expect(rowOf(page, name).getByRole("link")).toHaveCount(1);
  // The whole row is the link.
  await rowOf(page, name).first().click();
  await expect(page.getByRole("heading", { name: "View Details" })).toBeVisible();
});

/** To a time that is over. */
function putOver(app: TestApp, id: string, date: string, timeSlot: string): void {
  const start = instantOf(date, timeSlot);
  app.db.runRaw(
    "UPDATE appointment SET on_date = ?, time_slot = ?, starts_at = ?, ends_at = ? WHERE id = ?",
    [date, timeSlot, start, start + 30 * MINUTE, id],
  );
  app.db.runRaw("DELETE FROM session_time WHERE appointment_id = ?", [id]);
}
