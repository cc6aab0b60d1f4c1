/** Around a session: help at its hour as the customer asks for it, its plan as staff write it. */
import { HOUR, MINUTE } from "#app/model/dates.ts";
import { findPlan } from "#db/queries/plans.server.ts";
import { beginAt } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { confirmedGuest, notice, openDesk, paidGuest } from "./admin-desk.ts";
import { expect, hold, test } from "./fixtures.ts";

test("a page that waits shows the button, and leads on", async ({ page, app, problems }) => {
  problems.allow(/40[03]|ERR_INTERNET_DISCONNECTED/);
  const { id, body } = await paidGuest(app, { date: dayAhead(5), timeSlot: "11:00" });
  beginAt(app, id, Date.now() - 4 * MINUTE);
  await page.clock.install();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/booking/${id}`);
  const button = (name: string) => page.getByRole("button", { name });
  await expect(page.getByText(/you can say so here from/)).toBeVisible();
  await expect(button("The captain is not here")).toHaveCount(0);
  beginAt(app, id, Date.now() - 6 * MINUTE);
  // A phone that slept looks again once it has a network.
  await page.context().setOffline(true);
  await page.clock.fastForward(2 * MINUTE);
  await page.context().setOffline(false);
  await page.clock.fastForward(16_000);
  await button("The captain is not here").click();
  await page.getByLabel(/email/i).fill(body.email);
  const release = await hold(page, /help\.data/);
  await button("Open in this browser").click();
  await expect(button("Sending...")).toBeDisabled();
  await release();
  await expect(page).toHaveURL(new RegExp(`/booking/${id}\\?done=said`));
  await expect(page.getByText(/We have notified the captain and our team/)).toBeVisible();
  await page.getByRole("link", { name: /another time or your money/ }).click();
  await page.getByRole("radio").first().check({ force: true });
  const other = page.getByRole("button", { name: /, [1-9]\d* free times?$/, pressed: false });
  const day = page.locator(`[data-date="${await other.first().getAttribute("data-date")}"]`);
  await day.press("Enter");
  await expect(day).toHaveAttribute("aria-pressed", "true");
  await expect(page).toHaveURL(/\?date=/);
  await expect(page.getByText(/free times on/)).toBeVisible();
  await expect(day).toBeFocused();
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);
  const answer = await hold(page, /help\.data/);
  await button("Ask for this time").click();
  await expect(button("Sending...")).toHaveCount(1);
  await expect(button("Sending...")).toBeDisabled();
  await expect(button("Ask for ₹1,179 back")).toBeDisabled();
  await answer();
  await expect(page.locator("#form-errors")).toBeFocused();
  await page.getByRole("radio").first().check({ force: true });
  await button("Ask for this time").click();
  await expect(page.getByText(/You have asked for:/)).toBeVisible();
});

test("what is typed while a plan is saved stays, is saved and sent", async ({ page, app }) => {
  const { id } = await confirmedGuest(app, { date: dayAhead(13) });
  beginAt(app, id, Date.now() - HOUR);
  await openDesk(page, app, `/admin/appointments/${id}/plan`);
  const text = page.getByLabel(/What you agreed on/);
  const save = page.getByRole("button", { name: "Save as a draft" });
  const release = await hold(page, /plan\.data/);
  await text.fill("First.");
  await save.click();
  await expect(page.getByRole("button", { name: "Saving..." })).toBeVisible();
  const more = "First.\n\n- Then more.";
  await text.fill(more);
  await release();
  await expect(notice(page, "Plan Saved")).toBeVisible();
  await expect(page.getByRole("paragraph").filter({ hasText: "First." })).toBeVisible();
  await expect(text).toHaveValue(more);
  await save.click();
  await expect(page.getByRole("listitem").filter({ hasText: "Then more." })).toBeVisible();
  // Once more, with nothing changed: the page stays as it is, and goes on.
  const shownAgain = page.waitForResponse(
    (response) => /plan\.data/.test(response.url()) && response.request().method() === "GET",
  );
  await save.click();
  await shownAgain;
  await page.getByRole("button", { name: "Send to the customer" }).click();
  await expect(notice(page, "Plan Sent")).toBeVisible();
  expect(findPlan(app.db, id)).toMatchObject({ text: more, sentAt: expect.any(Number) });
});
