/** Signing in and out, coming back, and a new password by mail: with scripts and without. */
import type { Page } from "@playwright/test";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import {
  anotherAdmin,
  listOf,
  notice,
  openDesk,
  paidGuest,
  rowOf,
  signInByForm,
} from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[01]/;

test("signs in with scripts, keeps the token, and leaves nothing after logging out", async ({
  page,
  app,
}) => {
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeVisible();
  await expect(page.getByText("Sign in to manage appointments")).toBeVisible();
  await expect(page.getByRole("link", { name: "Book Session" })).toHaveAttribute("href", "/");
  await signInByForm(page, ADMIN);
  await expect(notice(page, "Login Successful")).toBeVisible();
  await expect(notice(page, "Welcome to the admin dashboard!")).toBeVisible();
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
  const kept = await storage(page);
  expect(JSON.parse(kept.admin_user ?? "null")).toEqual({
    username: ADMIN.username,
    role: "owner",
  });
  const { httpStatus } = await app.api("/api/admin/appointments", {
    token: kept.admin_token ?? "",
  });
  expect(httpStatus).toBe(200);

  // Whatever a page of ours stored beside them.
  await page.evaluate(() => localStorage.setItem("another", "x"));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(notice(page, "Logged Out")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  expect(await storage(page)).toEqual({});
  const dead = await app.api("/api/admin/appointments", { token: kept.admin_token ?? "" });
  expect(dead.httpStatus).toBe(401);
});

test("takes a pasted password, and shows none", async ({ page }) => {
  await page.goto("/admin");
  const password = page.getByLabel("Password");
  await expect(password).toHaveAttribute("type", "password");
  await page.getByLabel("Username").fill("from a password manager");
  await page.getByLabel("Username").press("ControlOrMeta+a");
  await page.getByLabel("Username").press("ControlOrMeta+c");
  await password.press("ControlOrMeta+v");
  await expect(password).toHaveValue("from a password manager");
});

test("signs in and out without scripts", async ({ noJsPage: page }) => {
  await page.goto("/admin");
  await signInByForm(page, ADMIN);
  await expect(notice(page, "Login Successful")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Recent Appointments" })).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(notice(page, "Logged Out")).toBeVisible();
  await page.goto("/admin/activity");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
});

for (const scripts of [true, false]) {
  const how = scripts ? "with scripts" : "without scripts";

  test(`says what is missing or wrong ${how}`, async ({ page, noJsPage, problems }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    await desk.goto("/admin");
    await desk.getByRole("button", { name: "Sign In" }).click();
    await expect(desk.getByText("Username is required")).toBeVisible();
    await expect(desk.getByText("Password is required")).toBeVisible();
    if (scripts) {
      await expect(desk.getByLabel("Username")).toBeFocused();
      await desk.getByLabel("Username").fill(ADMIN.username);
      await desk.getByRole("button", { name: "Sign In" }).click();
      await expect(desk.getByText("Username is required")).toBeHidden();
      await expect(desk.getByLabel("Password")).toBeFocused();
    }
    await signInByForm(desk, { ...ADMIN, password: "not this one" });
    await expect(notice(desk, "Login Failed")).toBeVisible();
    await expect(desk.getByText("The username or the password is wrong.").first()).toBeVisible();
    await expect(desk.getByLabel("Username")).toHaveValue(ADMIN.username);
  });

  test(`leads back to the page that was asked for ${how}`, async ({ page, noJsPage }) => {
    const desk = scripts ? page : noJsPage;
    await desk.goto("/admin/documents?month=2026-10");
    await signInByForm(desk, ADMIN);
    await expect(desk.getByRole("heading", { name: "Documents" })).toBeVisible();
    expect(new URL(desk.url()).searchParams.get("month")).toBe("2026-10");
  });

  test(`sets a new password by the mailed code ${how}`, async ({
    page,
    noJsPage,
    app,
    problems,
  }) => {
    problems.allow(REFUSED);
    const desk = scripts ? page : noJsPage;
    const admin = await anotherAdmin(app);
    await desk.goto("/admin");
    await desk.getByRole("link", { name: "Forgot Password?" }).click();
    await desk.getByLabel("Email").fill("not an address");
    await desk.getByRole("button", { name: "Send OTP" }).click();
    await expect(desk.getByText("Please enter a valid email address")).toBeVisible();
    if (scripts) await expect(desk.getByLabel("Email")).toBeFocused();
    await desk.getByLabel("Email").fill(admin.email);
    await desk.getByRole("button", { name: "Send OTP" }).click();
    await expect(notice(desk, "OTP Sent")).toBeVisible();
    await expect(desk.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
    await expect(desk.getByText(admin.email)).toBeVisible();

    await desk.getByLabel("Six-digit code").fill("12");
    await desk.getByRole("button", { name: "Verify OTP" }).click();
    await expect(desk.getByText("OTP must be 6 digits")).toBeVisible();
    if (scripts) {
      await expect(desk.getByLabel("Six-digit code")).toBeFocused();
      await desk.getByLabel("Six-digit code").press("3");
      await expect(desk.getByText("OTP must be 6 digits")).toBeHidden();
      await expect(desk.getByLabel("Six-digit code")).toHaveValue("123");
    }
    const code = await mailedCode(app, admin.email);
    await desk.getByLabel("Six-digit code").fill(code === "000000" ? "000001" : "000000");
    await desk.getByRole("button", { name: "Verify OTP" }).click();
    await expect(notice(desk, "Invalid OTP")).toBeVisible();
    const wrong = desk.getByRole("main").getByText("This code is wrong or has expired.");
    await expect(wrong).toBeVisible();
    if (scripts) {
      await desk.getByLabel("Six-digit code").press("Control+a");
      await desk.getByLabel("Six-digit code").press("7");
      await expect(wrong).toBeHidden();
    }
    await desk.getByLabel("Six-digit code").fill(code);
    await desk.getByRole("button", { name: "Verify OTP" }).click();
    await expect(notice(desk, "OTP Verified")).toBeVisible();
    expect(desk.url()).not.toContain(code);

    await desk.getByLabel("New Password", { exact: true }).fill("a calm new evening");
    await desk.getByLabel("Confirm Password").fill("a calm other evening");
    await desk.getByRole("button", { name: "Reset Password" }).click();
    await expect(desk.getByText("Passwords don't match")).toBeVisible();
    if (scripts) await expect(desk.getByLabel("Confirm Password")).toBeFocused();
    await desk.getByLabel("New Password", { exact: true }).fill("a calm new evening");
    await desk.getByLabel("Confirm Password").fill("a calm new evening");
    await desk.getByRole("button", { name: "Reset Password" }).click();
    await expect(notice(desk, "Password Reset Successful")).toBeVisible();
    await expect(desk).toHaveURL(/reset-password$/);
    if (!scripts) await desk.getByRole("button", { name: "Go to Sign In" }).click();
    await expect(notice(desk, "Password Reset Complete")).toBeVisible();
    await expect(notice(desk, "Please login with your new password.")).toBeVisible();
    await signInByForm(desk, { ...admin, password: "a calm new evening" });
    await expect(desk.getByText(`Welcome, ${admin.username}`)).toBeVisible();
  });
}

test("goes back a step and out of the reset", async ({ page, app }) => {
  const admin = await anotherAdmin(app);
  await page.goto("/admin/reset-password");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Email").press("Enter");
  await page.getByRole("button", { name: "Use different email?" }).click();
  await expect(page.getByRole("heading", { name: "Reset Password" })).toBeVisible();
  await page.getByLabel("Email").fill(admin.email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await page.getByLabel("Six-digit code").fill(await mailedCode(app, admin.email));
  await page.getByLabel("Six-digit code").press("Enter");
  await expect(page.getByRole("heading", { name: "New Password" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test("takes a pasted code out of the words around it", async ({ page, app }) => {
  const admin = await anotherAdmin(app);
  await page.goto("/admin/reset-password");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  const field = page.getByLabel("Six-digit code");
  await field.evaluate((input) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", "Your code is 123 456.");
    input.dispatchEvent(
      new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
    );
  });
  await expect(field).toHaveValue("123456");
});

test("restores the session from the kept token when the cookie is gone", async ({
  page,
  context,
}) => {
  await page.goto("/admin");
  await signInByForm(page, ADMIN);
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
  await context.clearCookies();
  await page.goto("/admin");
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
});

test("asks to sign in when the session ended under an open dialog, and leads back to it", async ({
  page,
  app,
}) => {
  const { name } = await paidGuest(app);
  await openDesk(page, app, listOf(name));
  await rowOf(page, name)
    .getByRole("link", { name: `View Details: ${name}` })
    .click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toBeVisible();
  await page.context().clearCookies();
  await dialog.getByRole("link", { name: "Cancel appointment" }).click();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect(page.getByText(name)).toBeHidden();
  await signInByForm(page, ADMIN);
  await expect(dialog.getByRole("heading", { name: "Cancel Appointment" })).toBeVisible();
  await page.context().clearCookies();
  // The kept token would restore the session.
  await page.evaluate(() => localStorage.clear());
  await dialog.getByRole("link", { name: "Keep Appointment" }).click();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect(page.getByText(name)).toBeHidden();
});

test("tells the same refusal again", async ({ page, problems }) => {
  problems.allow(REFUSED);
  await page.goto("/admin");
  await signInByForm(page, { ...ADMIN, password: "not this one" });
  const toast = page.getByRole("region", { name: /Notifications/ }).getByText("Login Failed");
  await expect(toast).toBeVisible();
  await page
    .getByRole("region", { name: /Notifications/ })
    .getByRole("button", { name: "Close" })
    .click();
  await expect(toast).toBeHidden();
  const alert = page.getByRole("main").getByRole("alert");
  await alert.evaluate((element) => element.setAttribute("data-told", ""));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(toast).toBeVisible();
  await expect(alert).toBeVisible();
  await expect(alert).not.toHaveAttribute("data-told");
});

test("forgets a kept token that is dead", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  await openDesk(page, app);
  await page.context().clearCookies();
  await page.evaluate(() => {
    localStorage.setItem("admin_token", "A".repeat(43));
    localStorage.setItem("admin_user", '{"username":"admin"}');
  });
  await page.goto("/admin");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect.poll(() => storage(page)).toEqual({});
});

async function storage(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({ ...localStorage }));
}

async function mailedCode(app: TestApp, email: string): Promise<string> {
  const mails = await app.sandbox.mailbox.waitFor({ to: email });
  return /\b\d{6}\b/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
}
