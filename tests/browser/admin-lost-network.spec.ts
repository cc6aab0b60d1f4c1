/**
 * What an admin meets when a click does not come through, or its answer does not come back: a cut line, a
 * failing server, a lost answer, a slow one.
 */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { ROHAN } from "#tests/support/bookings.ts";
import {
  anotherAdmin,
  confirmedGuest,
  guest,
  linkOf,
  notice,
  openDesk,
  openDialogOf,
  rowOf,
} from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

/** What the browser says of a call that was lost. */
const LOST = /ERR_(FAILED|INTERNET_DISCONNECTED)|Failed to fetch/;
const ANSWERED_BADLY = /status of (409|404|500|502)/;

const countOf = (app: TestApp, rows: string, value: string) =>
  app.db.firstRaw<{ n: number }>(`SELECT count(*) AS n FROM ${rows} = ?`, [value])!.n;

/** The dialog of a row with another time chosen, ready to be submitted. */
async function readyToMove(page: Page, app: TestApp) {
  const { id, name } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "Reschedule", name);
  const chosen = dialog.getByRole("radio", { name: "8:00 PM" });
  await chosen.check();
  const button = dialog.getByRole("button", { name: "Reschedule", exact: true });
  const times = () => countOf(app, "activity WHERE action = 'reschedule' AND target", id);
  return { button, chosen, times };
}

const POSTED = "**/admin/**";
type Act = Parameters<Page["route"]>[1];

/** Does it to each call that writes; all others go through. */
async function onWrites(page: Page, act: Act): Promise<void> {
  await page.route(POSTED, (route, request) =>
    request.method() === "POST" ? act(route, request) : route.fallback(),
  );
}

const HTML = "<!doctype html><title>Oh</title><h1>500 Internal Server Error</h1>";
const PROXY = { status: 502, contentType: "text/plain", body: "no way through" };
const NO_ANSWER = /could not reach our server: please submit again/;

/** What comes back from a call that writes, what is said of it, and how often it is done after it. */
const FAULTS: readonly (readonly [act: Act, says: RegExp, times: number])[] = [
  [(route) => route.abort(), NO_ANSWER, 0],
  [
    (route) => route.fulfill({ status: 500, contentType: "text/html", body: HTML }),
    /500: .*; please submit again/,
    0,
  ],
  [(route) => route.fulfill(PROXY), /502: no way through; please submit again/, 0],
  [(route) => route.fetch().then(() => route.abort()), NO_ANSWER, 1],
];

test("a form stays open at each fault, and is sent once", async ({ page, app, problems }) => {
  problems.allow(LOST);
  problems.allow(ANSWERED_BADLY);
  const { button, chosen, times } = await readyToMove(page, app);
  const region = page.getByRole("region", { name: /Notifications/ });
  for (const [act, says, done] of FAULTS) {
    let met = 0;
    await onWrites(page, async (route, request) => {
      await act(route, request);
      met += 1;
    });
    await button.click();
    await expect.poll(() => met).toBe(1);
    await expect(region.getByText("Reschedule Failed", { exact: true })).toBeVisible();
    await expect(region.getByText(says)).toBeVisible();
    await expect(chosen).toBeChecked();
    await expect(button).toBeEnabled();
    expect(times()).toBe(done);
    await page.unroute(POSTED);
  }
  const held = Promise.withResolvers<void>();
  let calls = 0;
  await onWrites(page, async (route) => {
    calls += 1;
    await held.promise;
    await route.continue();
  });
  await button.press("Enter");
  await expect(page.getByRole("button", { name: /\.\.\.$/ })).toBeDisabled();
  await expect.poll(() => calls).toBe(1);
  held.resolve();
  // The answer to the first was lost.
  await expect(notice(page, "Nothing Changed")).toBeVisible();
  expect(calls).toBe(1);
  await expect(page.getByText("Reschedule Failed")).toHaveCount(0);
  expect(times()).toBe(1);
});

/** From here on no page's data is read. */
async function losePages(page: Page): Promise<void> {
  await page.route("**/*.data*", (route, request) =>
    request.method() === "GET" ? route.abort() : route.fallback(),
  );
}

test("what is done stays so where the page saying so is lost", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const places = page.getByRole("navigation", { name: "Admin" });
  const { button, times } = await readyToMove(page, app);
  await losePages(page);
  await button.click();
  await expect(
    notice(page, "Page Not Loaded").or(notice(page, "Appointment Rescheduled")),
  ).toBeVisible();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
  await expect(places).toBeVisible();
  expect(times()).toBe(1);
  await page.unroute("**/*.data*");

  // A page of which nothing was shown before.
  const who = guest();
  const at = { date: who.date!, time: who.timeSlot!, counselor: ROHAN };
  await page.goto(`/admin/appointments/new?${new URLSearchParams(at)}`);
  await page.getByLabel("Full name").fill(who.name);
  await page.getByRole("textbox", { name: "Email" }).fill(who.email!);
  await page.getByRole("textbox", { name: "Phone" }).fill("98450 77009");
  await losePages(page);
  await page.getByRole("button", { name: "Book for the customer" }).click();
  const again = page.getByRole("link", { name: "Load this page again" });
  await expect(again).toBeVisible();
  await page.unroute("**/*.data*");
  await again.click();
  await expect(places).toBeVisible();
  expect(countOf(app, "appointment WHERE email", who.email!)).toBe(1);
});

test("a reset that is cut off keeps its step", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const { email } = await anotherAdmin(app);
  await page.goto("/admin/reset-password");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await page.getByLabel("Six-digit code").fill("123456");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "Verify OTP" }).click();
  const region = page.getByRole("region", { name: /Notifications/ });
  await expect(region.getByText("Error", { exact: true })).toBeVisible();
  // It stays in the page too.
  const alert = page.getByRole("alert").filter({ hasText: "Error" });
  await expect(alert).toContainText("may have arrived");
  await expect(page.getByLabel("Six-digit code")).toHaveValue("123456");
  await page.context().setOffline(false);
});

test("a board that cannot be loaded is not shown as the other", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const h1 = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  for (const [from, to, heading] of [
    ["/admin", "Calendar", "Admin Dashboard"],
    ["/admin/calendar?view=day", "Dashboard", /^Calendar/],
  ] as const) {
    await openDesk(page, app, from);
    await expect(h1(heading)).toHaveCount(1);
    await page.route(/\.data(\?|$)/, (route) => route.abort());
    await page.getByRole("link", { name: to, exact: true }).first().click();
    await expect(page.getByText(/We could not reach our server/).first()).toBeVisible();
    await expect(h1(heading)).toHaveCount(0);
    await page.unroute(/\.data(\?|$)/);
  }
});

test("a dialog that cannot be opened says so over the list", async ({ page, app, problems }) => {
  problems.allow(LOST);
  const { name } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "Cancel", name);
  const close = () => dialog.getByRole("link", { name: "Close the dialog" }).click();
  const alert = dialog.getByRole("alert");
  const again = dialog.getByRole("link", { name: "Try again" });
  const open = () => linkOf(page, "Cancel", name).click();
  await close();
  await page.context().setOffline(true);
  await open();
  await expect(alert).toContainText("check your connection");
  await again.click();
  await expect(alert).toContainText("check your connection");
  await close();
  await expect(dialog).toHaveCount(0);
  await expect(rowOf(page, name)).toBeVisible();
  await open();
  await expect(alert).toContainText("check your connection");
  await page.context().setOffline(false);
  await again.click();
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
