/** Signing in and out, coming back, a new password by mail, and the second factor. */
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
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

const REFUSED = /status of 40[019]/;

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

test("says what is missing or wrong", async ({ page, problems }) => {
  problems.allow(REFUSED);
  await page.goto("/admin");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Username is required")).toBeVisible();
  await expect(page.getByText("Password is required")).toBeVisible();
  await expect(page.getByLabel("Username")).toBeFocused();
  await page.getByLabel("Username").fill(ADMIN.username);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText("Username is required")).toBeHidden();
  await expect(page.getByLabel("Password")).toBeFocused();
  await signInByForm(page, { ...ADMIN, password: "not this one" });
  await expect(notice(page, "Login Failed")).toBeVisible();
  await expect(page.getByText("The username or the password is wrong.").first()).toBeVisible();
  await expect(page.getByLabel("Username")).toHaveValue(ADMIN.username);
});

test("sets a new password by the mailed code", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const admin = await anotherAdmin(app);
  await page.goto("/admin");
  await page.getByRole("link", { name: "Forgot Password?" }).click();
  await page.getByLabel("Email").fill(admin.email);
  await page.getByRole("button", { name: "Send OTP" }).click();
  await expect(notice(page, "OTP Sent")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Verify OTP" })).toBeVisible();
  await expect(page.getByText(admin.email)).toBeVisible();

  await page.getByLabel("Six-digit code").fill("12");
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect(page.getByText("OTP must be 6 digits")).toBeVisible();
  await expect(page.getByLabel("Six-digit code")).toBeFocused();
  await page.getByLabel("Six-digit code").press("3");
  await expect(page.getByText("OTP must be 6 digits")).toBeHidden();
  await expect(page.getByLabel("Six-digit code")).toHaveValue("123");
  const code = await mailedCode(app, admin.email);
  await page.getByLabel("Six-digit code").fill(code === "000000" ? "000001" : "000000");
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect(notice(page, "Invalid OTP")).toBeVisible();
  const wrong = page.getByRole("main").getByText("This code is wrong or has expired.");
  await expect(wrong).toBeVisible();
  await page.getByLabel("Six-digit code").press("Control+a");
  await page.getByLabel("Six-digit code").press("7");
  await expect(wrong).toBeHidden();
  await page.getByLabel("Six-digit code").fill(code);
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await expect(notice(page, "OTP Verified")).toBeVisible();
  expect(page.url()).not.toContain(code);

  await page.getByLabel("New Password", { exact: true }).fill("a calm new evening");
  await page.getByLabel("Confirm Password").fill("a calm new evening");
  await page.getByRole("button", { name: "Reset Password" }).click();
  await expect(notice(page, "Password Reset Successful")).toBeVisible();
  await expect(page).toHaveURL(/reset-password$/);
  await expect(notice(page, "Password Reset Complete")).toBeVisible();
  await expect(notice(page, "Please login with your new password.")).toBeVisible();
  await signInByForm(page, { ...admin, password: "a calm new evening" });
  await expect(page.getByText(`Welcome, ${admin.username}`)).toBeVisible();
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

test("restores the session from the kept token", async ({ page, context }) => {
  await page.goto("/admin");
  await signInByForm(page, ADMIN);
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
  await context.clearCookies();
  await page.goto("/admin");
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
});

test("leads back to the dialog under which the session ended", async ({ page, app }) => {
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

test("shows the same refusal again", async ({ page, problems }) => {
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
  await alert.evaluate((element) => element.setAttribute("data-seen", ""));
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(toast).toBeVisible();
  await expect(alert).toBeVisible();
  await expect(alert).not.toHaveAttribute("data-seen");
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

test("asks for a second factor once it is on", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const account = await anotherAdmin(app);
  await page.goto("/admin/account");
  await signInByForm(page, account);
  await page.getByRole("button", { name: "Set Up" }).click();
  const factor = page.getByRole("region", { name: "Second factor" });
  await expect(page.getByRole("img", { name: "QR code" })).toBeVisible();
  const secret = (await page.locator(".font-mono").first().textContent()) ?? "";
  const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) });
  await factor.getByLabel("Current password").fill(account.password);
  await factor.getByLabel("Code of the app").fill(totp.generate());
  await factor.getByRole("button", { name: "Turn On" }).click();
  const codes = page.getByRole("region", { name: "Your recovery codes" });
  await expect(codes.getByText("they are shown only now.")).toBeVisible();
  await expect(codes).toBeFocused();
  const code =
    (await page
      .locator("li", { hasText: /^[a-z0-9]{4}(-[a-z0-9]{4}){5}$/ })
      .first()
      .textContent()) ?? "";

  await page.getByRole("button", { name: "Logout" }).click();
  await signInByForm(page, account);
  const codeField = page.getByLabel("Code of your authenticator app");
  await expect(codeField).toBeFocused();
  await page.getByLabel("Password").fill(account.password);
  await codeField.fill("1");
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(codeField).toHaveAttribute("aria-invalid", "true");
  await codeField.press("2");
  await expect(codeField).not.toHaveAttribute("aria-invalid");
  await expect(codeField).toHaveValue("12");
  await page.getByLabel("Password").fill(account.password);
  await codeField.fill(code);
  await page.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByText(`Welcome, ${account.username}`)).toBeVisible();
});

async function storage(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({ ...localStorage }));
}

async function mailedCode(app: TestApp, email: string): Promise<string> {
  const mails = await app.sandbox.mailbox.waitFor({ to: email });
  return /\b\d{6}\b/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
}
