/** The plan after a session, for staff with scripts, for the customer without. */
import { HOUR } from "#app/model/duration.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import type { TestApp } from "#tests/helpers/app.ts";
import { beginAt } from "#tests/support/admin.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

/** A paid session of Asha's that ended half an hour ago. */
async function over(app: TestApp, days: number) {
  const made = await paidGuest(app, { counselor: ASHA, date: dayAhead(days) });
  beginAt(app, made.id, Date.now() - HOUR);
  return { ...made, stored: () => findAppointment(app.db, made.id)! };
}

test("a plan is written, sent and read, and leads to the captain's next session", async ({
  page,
  noJsPage,
  app,
}) => {
  const { id, stored } = await over(app, 11);
  await openDesk(page, app, `/admin/appointments/${id}`);
  await page.getByRole("link", { name: "Write the plan" }).click();
  await page.getByLabel(/What you agreed on/).fill("First the medical.\n\n- Book it\n- Pass it");
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(notice(page, "Plan Saved")).toBeVisible();
  await noJsPage.goto(`/booking/${id}`);
  await expect(noJsPage.getByRole("heading", { name: "Your plan" })).toHaveCount(0);
  // Once more, with nothing changed: the page stays as it is, and goes on.
  const shownAgain = page.waitForResponse(
    (response) => /plan\.data/.test(response.url()) && response.request().method() === "GET",
  );
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await shownAgain;
  const written = "First the medical.\n\n- Book it\n- Pass it, with glasses";
  await page.getByLabel(/What you agreed on/).fill(written);
  await page.getByRole("button", { name: "Save as a draft" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "with glasses" })).toBeVisible();
  await page.getByRole("button", { name: "Send to the customer" }).click();
  await expect(notice(page, "Plan Sent")).toBeVisible();

  await noJsPage.reload();
  await expect(noJsPage.getByText("First the medical.")).toHaveCount(0);
  await noJsPage.getByRole("link", { name: "Show the plan" }).click();
  await noJsPage.getByLabel(/^Email/).fill(stored().contact.email);
  await noJsPage.keyboard.press("Enter");
  await expect(noJsPage.getByText("First the medical.")).toBeVisible();
  await expect(noJsPage.getByRole("listitem").filter({ hasText: "Book it" })).toBeVisible();
  await noJsPage.getByRole("link", { name: "Book the next session" }).click();
  await expect(noJsPage.locator('input[name="counselor"][value*="Asha"]')).toBeChecked();
});

test("what is typed while a plan is being saved stays, under its next version", async ({
  page,
  app,
}) => {
  const { id } = await over(app, 13);
  await openDesk(page, app, `/admin/appointments/${id}/plan`);
  const text = page.getByLabel(/What you agreed on/);
  const save = page.getByRole("button", { name: "Save as a draft" });
  await text.fill("First.");
  const release = await hold(page, /plan\.data/);
  await save.click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  await text.fill("First. Then more.");
  await release();
  await expect(notice(page, "Plan Saved")).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "First." })).toBeVisible();
  await expect(text).toHaveValue("First. Then more.");
  await save.click();
  await expect(page.getByRole("paragraph").filter({ hasText: "Then more." })).toBeVisible();
});
