import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { MINUTE } from "#app/model/dates.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { signIn, turnOnTotp } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";
import { codeMailedBy } from "#tests/support/reset-codes.ts";

quickPasswords();
const app = sharedApp({ now: () => now });
let now = Date.now();

const NOBODY = "nobody@elsewhere.example";

const forgot = (email: string) => app.api("/api/admin/forgot-password", { json: { email } });
const verify = (email: string, otp: string) =>
  app.api("/api/admin/verify-otp", { json: { email, otp } });
const reset = (email: string, otp: string, newPassword: string) =>
  app.api("/api/admin/reset-password", { json: { email, otp, newPassword } });

const sentCodes = () => app.db.allRaw("SELECT 1 FROM message WHERE kind = 'reset_code'").length;

/** Asks for a code when the last one is over, and reads it in the mail. */
function newCode(): Promise<string> {
  now += 10 * MINUTE;
  return codeMailedBy(app, () => forgot(ADMIN.email));
}

const other = (code: string) => (code === "111111" ? "222222" : "111111");

describe("forgot-password", () => {
  it("answers the same whether or not an account has the address", async () => {
    const known = await forgot(ADMIN.email.toUpperCase());
    const unknown = await forgot(NOBODY);
    expect([known.status, known.text]).toEqual([200, '{"status":"success","data":{}}']);
    expect(sentCodes()).toBe(1);
    expect([unknown.status, unknown.text]).toEqual([200, known.text]);
  });
});

describe("reset-password", () => {
  it("refuses short, common and wrongly coded ones, and keeps the code", async () => {
    const code = await newCode();
    for (const weak of ["12345", "password123"]) {
      const { status, errors } = await reset(ADMIN.email, code, weak);
      expect([status, Object.keys(errors!)]).toEqual([400, ["newPassword"]]);
    }
    const wrong = await reset(ADMIN.email, other(code), "brand-new-0918");
    expect([wrong.status, wrong.code]).toEqual([401, "invalid_otp"]);
    expect((await verify(ADMIN.email, code)).status).toBe(200);
  });

  it("sets the password once, ends every session and tells the owner", async () => {
    const { data } = await signIn(app);
    const code = await newCode();
    const done = await reset(ADMIN.email, code, "brand-new-0918");
    expect([done.status, done.data]).toEqual([200, {}]);
    expect((await app.api("/api/admin/appointments", { token: data.token })).status).toBe(401);
    expect((await signIn(app)).status).toBe(401);
    expect((await signIn(app, { password: "brand-new-0918" })).status).toBe(200);
    expect((await reset(ADMIN.email, code, "another-0919")).status).toBe(401);
    expect((await app.sandbox.mailbox.waitFor({ to: ADMIN.email })).length).toBeGreaterThan(0);
  });

  it("leaves the second factor on", async () => {
    const secret = new Secret({ size: 20 });
    const { username } = ADMIN;
    turnOnTotp(app.db, app.env.SESSION_SECRET, { username, secret: secret.base32 });
    const password = "another-runway-0918";
    expect((await reset(ADMIN.email, await newCode(), password)).status).toBe(200);
    const alone = await signIn(app, { password });
    expect([alone.status, Object.keys(alone.errors ?? {})]).toEqual([401, ["totp"]]);
    const totp = TOTP.generate({ secret, timestamp: now });
    expect((await signIn(app, { password, totp })).status).toBe(200);
  });
});
