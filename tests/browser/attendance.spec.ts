/** Attendance by one press from panel and calendar, and the staff note; with scripts and without. */
import type { Page } from "@playwright/test";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf, smallTargets } from "./stage.ts";

let day = 5;

/** A paid session whose start has passed, on a day of its own. */
async function begun(app: TestApp) {
  const date = dayAhead(day++);
  const { id, name } = await paidGuest(app, { date, timeSlot: "11:00" });
  const endsAt = Date.now() - 1_800_000;
  const times = "UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?";
  app.db.runRaw(times, [endsAt - 1_800_000, endsAt, id]);
  const attendance = () => findAppointment(app.db, id)?.attendance;
  return {
    id,
    name,
    attendance,
    panel: `/admin/appointments/${id}`,
    calendar: daySearch(date),
    list: `/admin?q=${id.slice(-8)}`,
  };
}

const daySearch = (date: string) => `/admin/calendar?view=day&date=${date}`;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

for (const scripts of [true, false]) {
  for (const [place, width] of [
    ["panel", 360],
    ["list", 768],
    ["calendar", 360],
  ] as const) {
    const how = `${scripts ? "with" : "without"} scripts, ${width} wide`;
    test(`is noted and taken back in the ${place} ${how}`, async ({ page, noJsPage, app }) => {
      const desk = scripts ? page : noJsPage;
      const { name, attendance, ...at } = await begun(app);
      await openDesk(desk, app, at[place]);
      const card = desk.getByRole("cell").getByRole("link", { name: new RegExp(name) });
      if (place === "calendar") await expect(card).toHaveText(`11:00 AM 30 min ${name} Confirmed`);
      for (const viewport of [
        { width: 1280, height: 900 },
        { width, height: 740 },
      ]) {
        await desk.setViewportSize(viewport);
        if (scripts) {
          expect([await faultsOf(desk), await smallTargets(desk)]).toEqual([[], []]);
        }
        expect(await overflowOf(desk)).toBeLessThanOrEqual(0);
      }

      await button(desk, `No-show: ${name}`).click();
      await expect(notice(desk, "Attendance Noted")).toBeVisible();
      const undo = button(desk, `Undo no-show: ${name}`);
      await expect(undo).toBeVisible();
      if (place === "calendar") await expect(card).toHaveText(`11:00 AM 30 min ${name} No-show`);
      else await expect(desk.locator(".attendance strong").first()).toHaveText("No-show");
      const { pathname, search, hash } = new URL(desk.url());
      expect(pathname + search).toBe(at[place]);
      expect(attendance()).toBe("no_show");
      if (scripts) await expect(undo).toBeFocused();
      // The browser goes to it itself.
      else expect(hash).toBe(`#attendance-${at.id.slice(-8)}`);

      await undo.click();
      await expect(button(desk, `Completed: ${name}`)).toBeVisible();
      expect(attendance()).toBeNull();
      await button(desk, `Completed: ${name}`).click();
      await expect(button(desk, `Undo completed: ${name}`)).toBeVisible();
      expect(attendance()).toBe("completed");
    });
  }

  test(`a staff note is written, shown and marked as one ${scripts ? "with" : "without"} scripts`, async ({
    page,
    noJsPage,
    app,
  }) => {
    const desk = scripts ? page : noJsPage;
    const { panel } = await begun(app);
    const label = "Staff note, never shown to the customer";
    await openDesk(desk, app, panel);
    await desk.getByRole("link", { name: "Write a staff note" }).click();
    await desk.getByLabel(label).fill("Prefers mornings\nand asks for a receipt");
    await desk.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Staff Note Saved")).toBeVisible();
    const part = desk.locator("section").filter({
      has: desk.getByRole("heading", { name: label }),
    });
    await expect(part.last().getByText("and asks for a receipt")).toBeVisible();
    await desk.getByRole("link", { name: "Change the staff note" }).click();
    await expect(desk.getByLabel(label)).toHaveValue(/^Prefers mornings/);
    await desk.getByLabel("Full name").fill("Kavya M. Menon");
    await desk.getByRole("button", { name: "Save" }).click();
    await expect(notice(desk, "Contact Updated")).toBeVisible();
    await expect(part.last().getByText("and asks for a receipt")).toBeVisible();
  });
}

test("is offered neither before the start nor of an unpaid or cancelled session", async ({
  page,
  app,
}) => {
  const { id, panel } = await paidGuest(app).then((one) => ({
    ...one,
    panel: `/admin/appointments/${one.id}`,
  }));
  const presses = page.getByRole("button", { name: /^(Completed|No-show|Undo)/ });
  await openDesk(page, app, panel);
  await expect(page.getByRole("heading", { name: "View Details" })).toBeVisible();
  await expect(presses).toHaveCount(0);
  app.db.runRaw("UPDATE appointment SET starts_at = 0, ends_at = 1800000 WHERE id = ?", [id]);
  await page.reload();
  await expect(presses).toHaveCount(2);
  app.db.runRaw("UPDATE appointment SET status = 'cancelled' WHERE id = ?", [id]);
  await page.reload();
  await expect(page.getByText("Cancelled", { exact: true })).toBeVisible();
  await expect(presses).toHaveCount(0);
});

test("a press that nobody hears leaves the calendar as it is, and can be made again", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(/ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch|status of 500/);
  const { name, attendance, calendar } = await begun(app);
  await openDesk(page, app, calendar);
  const failed = page
    .getByRole("region", { name: /Notifications/ })
    .getByText("Attendance Not Noted", { exact: true });
  await page.context().setOffline(true);
  await button(page, `Completed: ${name}`).click();
  await expect(failed).toBeVisible();
  await page.context().setOffline(false);
  expect(attendance()).toBeNull();
  await button(page, `Completed: ${name}`).click();
  await expect(button(page, `Undo completed: ${name}`)).toBeFocused();
  expect(attendance()).toBe("completed");
  // The server's own failure, too.
  await page.route("**/attendance", (route) => route.fulfill({ status: 500, body: "" }));
  await button(page, `Undo completed: ${name}`).click();
  await expect(failed).toBeVisible();
  expect(attendance()).toBe("completed");
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
