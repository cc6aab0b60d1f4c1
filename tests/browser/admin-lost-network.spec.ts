/** What an admin meets when a click does not come through, or its answer does not come back. */
import type { Page } from "@playwright/test";
import { anotherAdmin, listOf, notice, openDesk, paidGuest, rowOf } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** What the browser says of a call that was lost. */
const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/;

/** Clicks a button without a network: the failure is a notification, and stays in the page too. */
async function clickOffline(page: Page, button: string, failed: string): Promise<void> {
  const target = page.getByRole("button", { name: button, exact: true }).first();
  await target.waitFor();
  await page.context().setOffline(true);
  await target.click();
  const region = page.getByRole("region", { name: /Notifications/ });
  await expect(region.getByText(failed, { exact: true })).toBeVisible();
  await expect(page.getByRole("alert").filter({ hasText: failed })).toContainText(
    "may have arrived",
  );
  await page.context().setOffline(false);
}

test("an answer of a proxy is shown as it is", async ({ page, app, problems }) => {
  problems.allow(/502/);
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await rowOf(page, name)
    .getByRole("link", { name: /^Cancel/ })
    .click();
  const dialog = page.getByRole("dialog");
  const submit = () => dialog.getByRole("button", { name: "Cancel Appointment" }).click();
  // Opening the dialog reads the same address, so the routes below wait until it is open.
  await dialog.getByRole("button", { name: "Cancel Appointment" }).waitFor();
  const proxy = { status: 502, contentType: "text/plain" };
  await page.route(/cancel\.data/, (route) => route.fulfill({ ...proxy, body: "no way through" }));
  await submit();
  await expect(dialog.getByRole("alert")).toContainText("502: no way through");
  await page.unroute(/cancel\.data/);
  await submit();
  await expect(notice(page, "Appointment Cancelled")).toBeVisible();
});

test("a reset that is cut off keeps its step", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const { email } = await anotherAdmin(app);
  await page.goto("/admin/reset-password");
  await page.getByLabel("Email").fill(email);
  await clickOffline(page, "Send OTP", "Error");
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await page.getByLabel("Six-digit code").fill("123456");
  await clickOffline(page, "Verify OTP", "Error");
  await expect(page.getByLabel("Six-digit code")).toHaveValue("123456");
});

for (const [from, to, heading] of [
  ["/admin", "Calendar", "Admin Dashboard"],
  ["/admin/calendar?view=day", "Dashboard", /^Calendar/],
] as const) {
  test(`a board that cannot be loaded is not shown as ${to}`, async ({ page, app, problems }) => {
    problems.allow(LOST);
    await openDesk(page, app, from);
    await page.route(/\.data(\?|$)/, (route) => route.abort());
    await page.getByRole("link", { name: to, exact: true }).first().click();
    await expect(page.getByText(/We could not reach our server/).first()).toBeVisible();
    await expect(page.getByRole("heading", { level: 1, name: heading })).toHaveCount(0);
  });
}

test("a dialog that cannot be opened says so over the list", async ({ page, app, problems }) => {
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

test("a lost logout leaves the page and the session", async ({ page, app, problems }) => {
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

/** Nothing can be written to the log, so every change is rolled back by a real 500. */
const BROKEN =
  "CREATE TRIGGER broken BEFORE INSERT ON activity BEGIN SELECT RAISE(ABORT, 'broken'); END";

test("a server that fails says what to do", async ({ noJsPage: page, app, problems }) => {
  problems.allow(/status of 500/);
  const { id } = await paidGuest(app);
  await openDesk(page, app, `/admin/appointments/${id}/edit`);
  const notes = page.getByLabel("Notes");
  const save = page.getByRole("button", { name: "Save", exact: true });
  await notes.fill("Prefers mornings");
  app.db.runRaw(BROKEN, []);
  try {
    await save.click();
    await expect(page.getByRole("alert").first()).toContainText(/go back in your browser/);
    await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
  } finally {
    app.db.runRaw("DROP TRIGGER broken", []);
  }
  await page.goBack();
  await expect(notes).toHaveValue("Prefers mornings");
  await save.click();
  await expect(notice(page, "Contact Updated")).toBeVisible();
});
