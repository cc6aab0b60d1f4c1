/** Whoever reads the admin's mail can set a password with it, but does not get in. */
import { Secret, TOTP } from "otpauth";
import { expect, it } from "vitest";
import { ADMIN } from "#tests/helpers/environment.ts";
import { turnOnTotp } from "#tests/support/admin.ts";
import { eventually } from "#tests/support/eventually.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();

it("a reset leaves the second factor on", async () => {
  const secret = new Secret({ size: 20 });
  const { email, username } = ADMIN;
  turnOnTotp(app.db, app.env.SESSION_SECRET, { username, secret: secret.base32 });
  await app.api("/api/admin/forgot-password", { json: { email } });
  let otp = "";
  await eventually(() => {
    const mail = app.sandbox.mailbox.list().find(({ text }) => /\b\d{6}\b/.test(text ?? ""));
    otp = /\b(\d{6})\b/.exec(mail?.text ?? "")?.[1] ?? "";
    expect(otp).not.toBe("");
  });
  const newPassword = "another-runway-0918";
  const reset = await app.api("/api/admin/reset-password", { json: { email, otp, newPassword } });
  expect(reset.httpStatus).toBe(200);
  const json = { username, password: newPassword };
  const alone = await app.api("/api/admin/login", { json });
  expect([alone.httpStatus, Object.keys(alone.errors ?? {})]).toEqual([401, ["totp"]]);
  const totp = TOTP.generate({ secret, timestamp: Date.now() });
  const whole = await app.api("/api/admin/login", { json: { ...json, totp } });
  expect(whole.httpStatus).toBe(200);
});
