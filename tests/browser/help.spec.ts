/** Help at the hour, with scripts and without: the customer says so and asks, staff confirm with one button. */
import type { Page } from "@playwright/test";
import { MINUTE } from "#app/model/duration.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf, smallTargets } from "./stage.ts";

let day = 5;

/** A paid session that began so many milliseconds ago. */
async function begun(app: TestApp, ago: number) {
  const { id } = await paidGuest(app, { date: dayAhead(day++), timeSlot: "11:00" });
  const startsAt = Date.now() - ago;
  const times = "UPDATE appointment SET starts_at = ?, ends_at = ? WHERE id = ?";
  app.db.runRaw(times, [startsAt, startsAt + 30 * MINUTE, id]);
  return { id, booking: () => findAppointment(app.db, id)! };
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Says so on the booking's page, and gives its email address when asked for it. */
async function callForHelp(page: Page, id: string, email: string): Promise<void> {
  await page.goto(`/booking/${id}`);
  await button(page, "The captain is not here").click();
  await page.getByLabel(/email/i).fill(email);
  await button(page, "Open in this browser").click();
  await expect(page).toHaveURL(new RegExp(`/booking/${id}\\?done=said`));
  await expect(page.getByText(/We have notified the captain and our team/)).toBeVisible();
}

for (const scripts of ["with", "without"] as const) {
  test(`${scripts} scripts a customer asks for another time, and staff move it`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(/40[03]/);
    const { id, booking } = await begun(app, 6 * MINUTE);
    const visitor = scripts === "with" ? page : noJsPage;
    await visitor.setViewportSize({ width: 360, height: 740 });
    await callForHelp(visitor, id, booking().contact.email);
    await visitor.getByRole("link", { name: /another time or your money/ }).click();
    if (scripts === "with") {
      expect([await faultsOf(visitor), await smallTargets(visitor)]).toEqual([[], []]);
    }
    expect(await overflowOf(visitor)).toBeLessThanOrEqual(0);
    await button(visitor, "Ask for this time").click();
    await expect(visitor.locator("#form-errors")).toBeFocused();
    await visitor.getByRole("radio").first().check({ force: true });
    await button(visitor, "Ask for this time").click();
    await expect(visitor.getByText(/You have asked for:/)).toBeVisible();

    const before = booking().startsAt;
    const desk = scripts === "with" ? page : noJsPage;
    await openDesk(desk, app, `/admin/appointments/${id}`);
    await button(desk, /^Move it/)
      .last()
      .click();
    await expect(notice(desk, "Help Settled")).toBeVisible();
    expect(booking().status).toBe("rescheduled");
    expect(booking().startsAt).toBeGreaterThan(before);
  });
}

test("a page that waits shows the button when its time has come", async ({ page, app }) => {
  const { id } = await begun(app, 5 * MINUTE - 3000);
  await page.goto(`/booking/${id}`);
  await expect(page.getByText(/you can say so here from/)).toBeVisible();
  await expect(button(page, "The captain is not here")).toBeVisible({ timeout: 10_000 });
});
