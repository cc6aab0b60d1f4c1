/**
 * What an admin meets when a click does not come through, or its answer does not come back: a cut line, a
 * failing server, a lost answer, a slow one. One form of each kind: in a dialog, and one that leads elsewhere.
 */
import type { Locator, Page } from "@playwright/test";
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

/** A page with its form filled in, ready to be submitted. */
interface Ready {
  button: Locator;
  failed: string;
  done: string;
  /** What the second click shows where the answer to the first was lost; absent: as `done`. */
  again?: string;
  /** It leads to a page that nothing of was shown before, so that there is nothing to keep. */
  isElsewhere?: boolean;
  expectTyped(): Promise<void>;
  /** How often it was done. */
  times(): number;
}

const countOf = (app: TestApp, rows: string, value: string) =>
  app.db.firstRaw<{ n: number }>(`SELECT count(*) AS n FROM ${rows} = ?`, [value])!.n;

const FORMS = {
  async reschedule(page: Page, app: TestApp): Promise<Ready> {
    const { id, name } = await confirmedGuest(app);
    const dialog = await openDialogOf(page, app, "Reschedule", name);
    const chosen = dialog.getByRole("radio", { name: "8:00 PM" });
    await chosen.check();
    return {
      button: dialog.getByRole("button", { name: "Reschedule", exact: true }),
      failed: "Reschedule Failed",
      expectTyped: () => expect(chosen).toBeChecked(),
      times: () => countOf(app, "activity WHERE action = 'reschedule' AND target", id),
      done: "Appointment Rescheduled",
      again: "Nothing Changed",
    };
  },

  async "book for a customer"(page: Page, app: TestApp): Promise<Ready> {
    const who = guest();
    const at = { date: who.date!, time: who.timeSlot!, counselor: ROHAN };
    await openDesk(page, app, `/admin/appointments/new?${new URLSearchParams(at)}`);
    const name = page.getByLabel("Full name");
    await name.fill(who.name);
    await page.getByRole("textbox", { name: "Email" }).fill(who.email!);
    await page.getByRole("textbox", { name: "Phone" }).fill("98450 77009");
    return {
      button: page.getByRole("button", { name: "Book for the customer" }),
      failed: "Booking Failed",
      expectTyped: () => expect(name).toHaveValue(who.name),
      times: () => countOf(app, "appointment WHERE email", who.email!),
      done: "Booked",
      isElsewhere: true,
    };
  },
};

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

/** Each click meets a cut line, a 500, a proxy's words, a lost answer and a slow one, and is done once. */
for (const [what, prepare] of Object.entries(FORMS)) {
  test(`${what}: kept open by each fault, and done once`, async ({ page, app, problems }) => {
    problems.allow(LOST);
    problems.allow(ANSWERED_BADLY);
    const ready = await prepare(page, app);
    const region = page.getByRole("region", { name: /Notifications/ });
    for (const [act, says, times] of FAULTS) {
      let met = 0;
      await onWrites(page, async (route, request) => {
        await act(route, request);
        met += 1;
      });
      await ready.button.click();
      await expect.poll(() => met).toBe(1);
      await expect(region.getByText(ready.failed, { exact: true })).toBeVisible();
      await expect(region.getByText(says)).toBeVisible();
      await ready.expectTyped();
      await expect(ready.button).toBeEnabled();
      expect(ready.times()).toBe(times);
      await page.unroute(POSTED);
    }
    const held = Promise.withResolvers<void>();
    let calls = 0;
    await onWrites(page, async (route) => {
      calls += 1;
      await held.promise;
      await route.continue();
    });
    await ready.button.press("Enter");
    const pending = page.getByRole("button", { name: /\.\.\.$/ });
    await expect(ready.button.or(pending).first()).toBeDisabled();
    await expect.poll(() => calls).toBe(1);
    held.resolve();
    await expect(notice(page, ready.again ?? ready.done)).toBeVisible();
    expect(calls).toBe(1);
    await expect(page.getByText(ready.failed)).toHaveCount(0);
    expect(ready.times()).toBe(1);
  });

  test(`${what}: done, but the page that says so is lost`, async ({ page, app, problems }) => {
    problems.allow(LOST);
    const ready = await prepare(page, app);
    await ready.button.waitFor();
    await page.route("**/*.data*", (route, request) =>
      request.method() === "GET" ? route.abort() : route.fallback(),
    );
    await ready.button.click();
    const loadAgain = page.getByRole("link", { name: "Load this page again" });
    if (ready.isElsewhere) await expect(loadAgain).toBeVisible();
    else {
      await expect(notice(page, "Page Not Loaded").or(notice(page, ready.done))).toBeVisible();
      await expect(page.getByText("Something went wrong")).toHaveCount(0);
      await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
    }
    await page.unroute("**/*.data*");
    if (ready.isElsewhere) await loadAgain.click();
    else await page.reload();
    await expect(page.getByRole("navigation", { name: "Admin" })).toBeVisible();
    expect(ready.times()).toBe(1);
  });
}

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

/** Nothing can be written to the log, so every change is rolled back by a real 500. */
const BROKEN =
  "CREATE TRIGGER broken BEFORE INSERT ON activity BEGIN SELECT RAISE(ABORT, 'broken'); END";

test("a server that fails says what to do", async ({ noJsPage: page, app, problems }) => {
  problems.allow(/status of 500/);
  const { id } = await confirmedGuest(app);
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
