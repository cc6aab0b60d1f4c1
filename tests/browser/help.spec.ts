/** Help at the hour: the customer says so and asks, staff confirm with one button. */
import type { Page } from "@playwright/test";
import { MINUTE } from "#app/model/duration.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { beginAt } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf, smallTargets } from "./stage.ts";

let day = 5;

/** A paid session that began so many milliseconds ago. */
async function begun(app: TestApp, ago: number) {
  const { id } = await paidGuest(app, { date: dayAhead(day++), timeSlot: "11:00" });
  beginAt(app, id, Date.now() - ago);
  return { id, booking: () => findAppointment(app.db, id)! };
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("a customer asks for another time, and staff move it", async ({ page, app, problems }) => {
  problems.allow(/40[03]/);
  const { id, booking } = await begun(app, 6 * MINUTE);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/booking/${id}`);
  await button(page, "The captain is not here").click();
  await page.getByLabel(/email/i).fill(booking().contact.email);
  await button(page, "Open in this browser").click();
  await expect(page).toHaveURL(new RegExp(`/booking/${id}\\?done=said`));
  await expect(page.getByText(/We have notified the captain and our team/)).toBeVisible();
  await page.getByRole("link", { name: /another time or your money/ }).click();
  expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
  await button(page, "Ask for this time").click();
  await expect(page.locator("#form-errors")).toBeFocused();
  await page.getByRole("radio").first().check({ force: true });
  await button(page, "Ask for this time").click();
  await expect(page.getByText(/You have asked for:/)).toBeVisible();

  const before = booking().startsAt;
  await openDesk(page, app, `/admin/appointments/${id}`);
  await button(page, /^Move it/)
    .last()
    .click();
  await expect(notice(page, "Help Settled")).toBeVisible();
  expect(booking().status).toBe("rescheduled");
  expect(booking().startsAt).toBeGreaterThan(before);
});

test("a page that waits shows the button when its time has come", async ({ page, app }) => {
  const { id } = await begun(app, 5 * MINUTE - 3000);
  await page.goto(`/booking/${id}`);
  await expect(page.getByText(/you can say so here from/)).toBeVisible();
  await expect(button(page, "The captain is not here")).toBeVisible({ timeout: 10_000 });
});
