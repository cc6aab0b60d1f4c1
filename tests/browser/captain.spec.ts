/** A captain's own area on a phone: the next session, attendance, a note, a blocked time. */
import type { Page } from "@playwright/test";
import { HOUR } from "#app/model/duration.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { listBlocks } from "#db/queries/availability.server.ts";
import { findPlan } from "#db/queries/plans.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { beginAt } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { captainAccount } from "#tests/support/captain.ts";
import { notice, paidGuest, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";
import { faultsOf, overflowOf, smallTargets } from "./stage.ts";

/** A paid session of Asha's that begins at this instant, wherever it was booked. */
async function sessionAt(app: TestApp, startsAt: number, timeSlot: string, notes?: string) {
  const time = { counselor: ASHA, date: dayAhead(40 + day++), timeSlot };
  const { id, name } = await paidGuest(app, { ...time, ...(notes && { notes }) });
  const date = new Date(startsAt + 5.5 * HOUR).toISOString().slice(0, 10);
  beginAt(app, id, startsAt);
  app.db.runRaw("UPDATE appointment SET on_date = ? WHERE id = ?", [date, id]);
  return { id, name, stored: () => findAppointment(app.db, id)! };
}

let day = 0;
const soundness = async (page: Page) => {
  expect([await faultsOf(page), await smallTargets(page)]).toEqual([[], []]);
  expect(await overflowOf(page)).toBeLessThanOrEqual(0);
};

test("a captain's day on a phone", async ({ page, app, problems }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const now = Date.now();
  const past = await sessionAt(app, now - 50 * HOUR, "09:00");
  const next = await sessionAt(app, now + 40 * 60_000, "11:00", "Glasses, and class 1?");
  await page.goto("/admin?next=/admin/documents");
  // A place that is not theirs says so, and leads to their own.
  problems.allow(/403/);
  await signInByForm(page, await captainAccount(app));
  await expect(page.getByRole("heading", { name: "Not Allowed" })).toBeVisible();
  await page.getByRole("link", { name: "Go to the start page" }).click();

  const card = page.getByRole("region", { name: next.name });
  await expect(card).toContainText("Next, in");
  await expect(card).toContainText("Glasses, and class 1?");
  const { phone } = next.stored().contact;
  await expect(card.getByRole("link", { name: `Call ${next.name}` })).toHaveAttribute(
    "href",
    `tel:${phone}`,
  );
  await expect(card.getByRole("link", { name: `WhatsApp to ${next.name}` })).toHaveAttribute(
    "href",
    `https://wa.me/${phone.replace(/\D/g, "")}`,
  );
  const menu = page.getByRole("navigation", { name: "Admin" }).getByRole("link");
  await expect(menu).toHaveText(["Sessions", "Calendar", "Schedule", "Account"]);
  await soundness(page);

  await page.getByRole("button", { name: `Completed: ${past.name}` }).click();
  await expect(notice(page, "Attendance Noted")).toBeVisible();
  await expect.poll(() => past.stored().attendance).toBe("completed");
  await expect(page.getByRole("button", { name: `Completed: ${past.name}` })).toHaveCount(0);

  await page.goto(`/admin/sessions/${past.stored().calendarUid}`);
  await page.getByRole("link", { name: "Write the plan" }).click();
  await page.getByLabel(/What you agreed on/).fill("First the medical.");
  await soundness(page);
  await page.getByRole("button", { name: "Send to the customer" }).click();
  await expect(notice(page, "Plan Sent")).toBeVisible();
  expect(findPlan(app.db, past.id)?.sentAt).not.toBeNull();
  await page.goto("/admin");

  await card.getByRole("link", { name: next.name, exact: true }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/sessions/${next.stored().calendarUid}$`));
  await page.getByRole("textbox", { name: "Staff note" }).fill("Bring the logbook");
  await page.getByRole("button", { name: "Save Note" }).click();
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Staff note" })).toHaveValue("Bring the logbook");
  expect(next.stored().staffNote).toBe("Bring the logbook");
  await soundness(page);
  await page.getByRole("link", { name: "Sessions", exact: true }).first().click();

  const date = dayAhead(20);
  await page.goto(`/admin/calendar?view=day&date=${date}`);
  await page.getByRole("link", { name: /^Free: block .* 9:00 AM/ }).click();
  await page.getByRole("button", { name: "Block Slots", exact: true }).click();
  await expect(notice(page, "Slots Blocked")).toBeVisible();
  expect(listBlocks(app.db, "asha", date)).toEqual([{ timeSlot: "09:00", reason: null }]);
  await expect(page).toHaveURL(/\/admin\/calendar/);
  await soundness(page);

  await page.goto("/admin/sessions");
  await expect(page.getByRole("link", { name: new RegExp(past.name) })).toBeVisible();
  await page.goto("/admin/schedule");
  await expect(page).toHaveURL(/\/admin\/schedule\/asha$/);
  await expect(page.getByText("For all captains")).toHaveCount(0);
  await soundness(page);
});
