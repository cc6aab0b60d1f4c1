/** A captain's own area on a phone: each place is theirs, and sound. */
import { dateInIndia, HOUR } from "#app/model/dates.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { beginAt } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { captainAccount } from "#tests/support/captain.ts";
import { confirmedGuest, notice, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf, smallTargets } from "./stage.ts";

test("a captain's day on a phone", async ({ page, app, problems }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const past = await confirmedGuest(app, {
    counselor: ASHA,
    date: dayAhead(40),
    timeSlot: "09:00",
  });
  const next = await confirmedGuest(app, {
    counselor: ASHA,
    date: dayAhead(41),
    timeSlot: "11:00",
  });
  beginAt(app, past.id, Date.now() - 50 * HOUR);
  const soon = Date.now() + HOUR / 2;
  beginAt(app, next.id, soon);
  app.db.runRaw("UPDATE appointment SET on_date = ? WHERE id = ?", [dateInIndia(soon), next.id]);
  await page.goto("/admin?next=/admin/documents");
  // A place that is not theirs says so, and leads to their own.
  problems.allow(/403/);
  await signInByForm(page, await captainAccount(app));
  await expect(page.getByRole("heading", { name: "Not Allowed" })).toBeVisible();
  await page.getByRole("link", { name: "Go to the start page" }).click();
  await expect(page.getByRole("region", { name: next.name })).toContainText("Next, in");
  const menu = page.getByRole("navigation", { name: "Admin" }).getByRole("link");
  await expect(menu).toHaveText(["Sessions", "Calendar", "Schedule", "Account"]);

  const uid = findAppointment(app.db, past.id)!.calendarUid;
  for (const path of [
    ...["/admin", `/admin/sessions/${uid}`, `/admin/appointments/${uid}/plan`],
    ...["/admin/schedule", `/admin/calendar?view=day&date=${dayAhead(20)}`],
  ]) {
    await page.goto(path);
    expect
      .soft([await faultsOf(page, { contrast: false }), await smallTargets(page)], path)
      .toEqual([[], []]);
    expect.soft(await overflowOf(page), path).toBeLessThanOrEqual(0);
  }
  await page.getByRole("link", { name: /^Free: block .* 9:00 AM/ }).click();
  await page.getByRole("button", { name: "Block Slots", exact: true }).click();
  await expect(notice(page, "Slots Blocked")).toBeVisible();
  await expect(page).toHaveURL(/\/admin\/calendar/);
});
