/** What an admin meets when a press does not come through, or its answer does not come back. */
import type { Page } from "@playwright/test";
import { adminDay } from "#app/model/dates.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { anotherAdmin, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** What the browser says of a call that was lost. */
const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/;

/** Presses a button that nobody hears: the failure is a notification, and stays in the page too. */
async function pressUnheard(page: Page, button: string, failed: string): Promise<void> {
  const press = page.getByRole("button", { name: button, exact: true }).first();
  await press.waitFor();
  await page.context().setOffline(true);
  await press.click();
  const region = page.getByRole("region", { name: /Notifications/ });
  await expect(region.getByText(failed, { exact: true })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: failed })).toContainText(
    "may have arrived",
  );
  await page.context().setOffline(false);
}

test("an admin's lost press leaves the dialog open with what was typed, and can be pressed again", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  problems.allow(/status of 400/);
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  const open = (link: RegExp) => rowOf(page, name).getByRole("link", { name: link }).click();
  const dialog = page.getByRole("dialog");
  const press = (button: string) =>
    dialog.getByRole("button", { name: button, exact: true }).click();

  await open(/^View Details/);
  const sendAgain = "Send again: Booking confirmed";
  await pressUnheard(page, sendAgain, "Message Not Sent");
  await dialog.getByRole("link", { name: "Correct contact data" }).click();
  const phone = dialog.getByLabel("Phone");
  await phone.fill("12");
  await press("Save");
  await expect(phone).toHaveAttribute("aria-invalid", "true");
  await phone.fill("98450 54321");
  await dialog.getByLabel("Notes").fill("Prefers mornings");
  await pressUnheard(page, "Save", "Update Failed");
  await expect(phone).toHaveValue("98450 54321");
  await expect(dialog.getByLabel("Notes")).toHaveValue("Prefers mornings");
  await press("Save");
  await expect(dialog.getByText("Prefers mornings", { exact: true })).toBeVisible();
  await dialog.getByRole("link", { name: "Close the dialog" }).click();

  await open(/^Reschedule/);
  const day = dayAhead(60);
  await dialog.getByLabel("New date").fill(day);
  await expect(dialog.getByText(new RegExp(`^Free times of .* on ${adminDay(day)}`))).toBeVisible();
  await dialog.getByRole("radio", { name: "8:00 PM" }).check();
  await pressUnheard(page, "Reschedule", "Reschedule Failed");
  await expect(dialog.getByLabel("New date")).toHaveValue(day);
  await expect(dialog.getByRole("radio", { name: "8:00 PM" })).toBeChecked();
  await press("Reschedule");
  await expect(rowOf(page, name).getByText("8:00 PM")).toBeVisible();

  await open(/^Cancel/);
  await pressUnheard(page, "Cancel Appointment", "Cancellation Failed");
  await press("Cancel Appointment");
  await expect(rowOf(page, name).getByText("Cancelled")).toBeVisible();

  await open(/^Delete/);
  await pressUnheard(page, "Delete Permanently", "Delete Failed");
  await press("Delete Permanently");
  await expect(rowOf(page, name)).toHaveCount(0);
});

test("lost presses of Manage Slots keep ticks, range and reason", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  await openDesk(
    page,
    app,
    `/admin/slots?counselor=${encodeURIComponent(ASHA)}&date=${dayAhead(60)}`,
  );
  const seat = page.locator('input[value="20:00"]');
  const until = dayAhead(61);
  const fill = async () => {
    await page.getByText("More dates in one press").click();
    await page.getByLabel("Until (this day included)").fill(until);
    await seat.check();
  };
  const expectKept = async () => {
    await expect(page.getByLabel("Until (this day included)")).toHaveValue(until);
    await expect(seat).toBeChecked();
  };
  await fill();
  await pressUnheard(page, "Set Availability", "Update Failed");
  await expectKept();
  await page.getByRole("link", { name: "Block/Unblock Slots" }).click();
  await expect(page.getByLabel("Reason (optional)")).toBeVisible();
  await seat.check();
  await page.getByLabel("Reason (optional)").fill("Flight duty");
  await pressUnheard(page, "Block Slots", "Operation Failed");
  await expectKept();
  await expect(page.getByLabel("Reason (optional)")).toHaveValue("Flight duty");
});

test("a press whose answer is lost, and one that a proxy answers, says what is known of it", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  problems.allow(/502|409/);
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await rowOf(page, name)
    .getByRole("link", { name: /^Cancel/ })
    .click();
  const dialog = page.getByRole("dialog");
  const press = () => dialog.getByRole("button", { name: "Cancel Appointment" }).click();
  // Opening the dialog reads the same address, so the routes below wait until it is open.
  await dialog.getByRole("button", { name: "Cancel Appointment" }).waitFor();
  const proxy = { status: 502, contentType: "text/plain" };
  await page.route(/cancel\.data/, (route) => route.fulfill({ ...proxy, body: "no way through" }));
  await press();
  await expect(dialog.getByRole("alert")).toContainText("502: no way through");
  await page.route(/cancel\.data/, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await press();
  await expect(dialog.getByRole("alert")).toContainText("could not reach our server");
  await page.unroute(/cancel\.data/);
  await press();
  // The form's own key makes it the first press again.
  await expect(notice(page, "Appointment Cancelled")).toBeVisible();
});

test("a lost press of the reset and of the sign-in keeps the step", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  const { email } = await anotherAdmin(app);
  await page.goto("/admin/reset-password");
  await page.getByLabel("Email").fill(email);
  await pressUnheard(page, "Send OTP", "Error");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await page.getByLabel("Six-digit code").fill("123456");
  await pressUnheard(page, "Verify OTP", "Error");
  await expect(page.getByLabel("Six-digit code")).toHaveValue("123456");
});

test("a dialog that cannot be opened says so over the list, and opens when the connection is back", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  const open = () =>
    rowOf(page, name)
      .getByRole("link", { name: /^Cancel/ })
      .click();
  const dialog = page.getByRole("dialog");
  const close = () => dialog.getByRole("link", { name: "Close the dialog" }).click();
  await open();
  await close();
  await page.context().setOffline(true);
  await open();
  await expect(dialog.getByRole("alert")).toContainText("check your connection");
  await dialog.getByRole("link", { name: "Try again" }).click();
  await expect(dialog.getByRole("alert")).toContainText("check your connection");
  await close();
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, name)).toBeVisible();
  await open();
  await expect(dialog.getByRole("alert")).toContainText("check your connection");
  await page.context().setOffline(false);
  await dialog.getByRole("link", { name: "Try again" }).click();
  await expect(dialog.getByRole("button", { name: "Cancel Appointment" })).toBeVisible();
});

test("a lost logout leaves the page and the session, and can be pressed again", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(LOST);
  await openDesk(page, app, "/admin/account");
  await page.evaluate(() => {
    localStorage.setItem("admin_token", "kept");
    localStorage.setItem("admin_user", "{}");
  });
  const logout = page.getByRole("button", { name: "Logout" });
  const kept = () => page.evaluate(() => localStorage.getItem("admin_token"));
  await page.context().setOffline(true);
  await logout.click();
  await expect(notice(page, "Logout Failed")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Account", exact: true })).toBeVisible();
  expect(await kept()).toBe("kept");
  await page.context().setOffline(false);
  // The notification stands before it while the mouse is there.
  await logout.press("Enter");
  await expect(page.getByLabel("Username")).toBeVisible();
  expect(await kept()).toBeNull();
});
