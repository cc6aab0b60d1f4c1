/** Signing in and out, coming back, also to a form; a new password by mail, and the second factor. */
import type { Page } from "@playwright/test";
import { Secret, TOTP } from "otpauth";
import type { TestApp } from "#tests/helpers/app.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { anotherAdmin, confirmedGuest, notice, openDialogOf, signInByForm } from "./admin-desk.ts";
import { expect, test } from "./fixtures.ts";

const REFUSED = /status of 40[019]/;

test("signs in with scripts, keeps the token, and leaves nothing after logging out", async ({
  page,
  app,
  problems,
}) => {
  problems.allow(REFUSED);
  await page.goto("/admin");
  await signInByForm(page, ADMIN);
  await expect(notice(page, "Login Successful")).toBeVisible();
  await expect(notice(page, "Welcome to the admin dashboard!")).toBeVisible();
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();
  const kept = await storage(page);
  expect(JSON.parse(kept.admin_user ?? "null")).toEqual({
    username: ADMIN.username,
    role: "owner",
  });
  const { status } = await app.api("/api/admin/appointments", {
    token: kept.admin_token ?? "",
  });
  expect(status).toBe(200);

  // The token restores a session whose cookie is gone.
  await page.context().clearCookies();
  await page.goto("/admin");
  await expect(page.getByText(`Welcome, ${ADMIN.username}`)).toBeVisible();

  // Whatever a page of ours stored beside them.
  await page.evaluate(() => localStorage.setItem("another", "x"));
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(notice(page, "Logged Out")).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  expect(await storage(page)).toEqual({});
  const dead = await app.api("/api/admin/appointments", { token: kept.admin_token ?? "" });
  expect(dead.status).toBe(401);

  // A dead one is forgotten.
  await page.evaluate((entries) => {
    Object.assign(localStorage, entries);
  }, kept);
  await page.goto("/admin");
  await expect(page.getByRole("button", { name: "Sign In" })).toBeVisible();
  await expect.poll(() => storage(page)).toEqual({});
});

test("takes a pasted password, shows none, and says what is missing or wrong", async ({
  page,
  problems,
}) => {
  problems.allow(REFUSED);
  await page.goto("/admin");
  const username = page.getByLabel("Username");
  const password = page.getByLabel("Password");
  const submit = page.getByRole("button", { name: "Sign In" });
  await expect(password).toHaveAttribute("type", "password");
  await username.fill("from a password manager");
  await username.press("ControlOrMeta+a");
  await username.press("ControlOrMeta+c");
  await password.press("ControlOrMeta+v");
  await expect(password).toHaveValue("from a password manager");

  await username.fill("");
  await password.fill("");
  await submit.click();
  await expect(page.getByText("Username is required")).toBeVisible();
  await expect(page.getByText("Password is required")).toBeVisible();
  await expect(username).toBeFocused();
  await username.fill(ADMIN.username);
  await submit.click();
  await expect(page.getByText("Username is required")).toBeHidden();
  await expect(password).toBeFocused();

  await password.fill("not this one");
  await submit.click();
  const region = page.getByRole("region", { name: /Notifications/ });
  const toast = region.getByText("Login Failed");
  await expect(toast).toBeVisible();
  await expect(username).toHaveValue(ADMIN.username);
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("The username or the password is wrong.");
  // The same refusal is shown again.
  await region.getByRole("button", { name: "Close" }).click();
  await expect(toast).toBeHidden();
  await alert.evaluate((element) => element.setAttribute("data-seen", ""));
  await password.fill("not this one");
  await submit.click();
  await expect(toast).toBeVisible();
  await expect(alert).toBeVisible();
  await expect(alert).not.toHaveAttribute("data-seen");
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

  const field = page.getByLabel("Six-digit code");
  const verify = page.getByRole("button", { name: "Verify OTP" });
  await field.fill("12");
  await verify.click();
  await expect(page.getByText("OTP must be 6 digits")).toBeVisible();
  await expect(field).toBeFocused();
  await field.press("3");
  await expect(page.getByText("OTP must be 6 digits")).toBeHidden();
  await expect(field).toHaveValue("123");
  // A pasted code is taken out of the words around it; this one is wrong.
  const code = await mailedCode(app, admin.email);
  const pasted = code === "123456" ? "654 321" : "123 456";
  await field.evaluate((input, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", text);
    const init = { clipboardData, bubbles: true, cancelable: true };
    input.dispatchEvent(new ClipboardEvent("paste", init));
  }, `Your code is ${pasted}.`);
  await expect(field).toHaveValue(pasted.replace(" ", ""));
  await verify.click();
  await expect(notice(page, "Invalid OTP")).toBeVisible();
  const wrong = page.getByRole("main").getByText("This code is wrong or has expired.");
  await expect(wrong).toBeVisible();
  await field.press("Control+a");
  await field.press("7");
  await expect(wrong).toBeHidden();
  await field.fill(code);
  await verify.click();
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

test("leads back to the dialog under which the session ended", async ({ page, app }) => {
  const { name } = await confirmedGuest(app);
  const dialog = await openDialogOf(page, app, "View Details", name);
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

/** The page of a form, in which a staff note is typed. */
async function typedNote(page: Page, app: TestApp) {
  const { id } = await confirmedGuest(app);
  const account = await anotherAdmin(app);
  const note = page.getByLabel("Staff note");
  const type = async (text: string) => {
    await page.goto(`/admin/appointments/${id}/edit`);
    if (await page.getByLabel("Username").isVisible()) await signInByForm(page, account);
    await note.fill(text);
  };
  await type(NOTE);
  const noted = "SELECT staff_note AS note FROM appointment WHERE id = ?";
  const saved = () => app.db.firstRaw<{ note: string | null }>(noted, [id])?.note;
  const owns = "admin_id = (SELECT id FROM admin WHERE username = ?)";
  const end = () => app.db.runRaw(`DELETE FROM admin_session WHERE ${owns}`, [account.username]);
  const save = () => page.getByRole("button", { name: "Save" }).click();
  return { account, note, type, saved, end, save };
}

const NOTE = "Called twice.\nComes with her father.";

test("a form goes on after its session: by token or sign-in", async ({ page, app, problems }) => {
  problems.allow(REFUSED);
  const { account, note, type, saved, end, save } = await typedNote(page, app);
  await page.context().clearCookies({ name: /admin_session/ });
  await save();
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  expect(saved()).toBe(NOTE);

  await type("Called again.");
  end();
  await save();
  const dialog = page.getByRole("dialog", { name: "Sign in again" });
  await expect(dialog.getByLabel("Username")).toHaveValue(account.username);
  await dialog.getByLabel("Password").fill("wrong password");
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(dialog.getByRole("alert")).toContainText("wrong");
  await expect(note).toHaveValue("Called again.");
  expect(saved()).toBe(NOTE);
  await dialog.getByLabel("Password").fill(account.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(notice(page, "Staff Note Saved")).toBeVisible();
  expect(saved()).toBe("Called again.");

  // Another account gets neither the text nor the form sent.
  await type("Private.");
  end();
  await save();
  await dialog.getByLabel("Username").fill(ADMIN.username);
  await dialog.getByLabel("Password").fill(ADMIN.password);
  await dialog.getByRole("button", { name: "Sign In" }).click();
  await expect(page.getByRole("heading", { name: "Admin Dashboard" })).toBeAttached();
  await expect(page).toHaveURL(/\/admin$/);
  expect(saved()).toBe("Called again.");
});

async function storage(page: Page): Promise<Record<string, string>> {
  return page.evaluate(() => ({ ...localStorage }));
}

async function mailedCode(app: TestApp, email: string): Promise<string> {
  const mails = await app.sandbox.mailbox.waitFor({ to: email });
  return /\b\d{6}\b/.exec(mails.at(-1)?.text ?? "")?.[0] ?? "";
}
