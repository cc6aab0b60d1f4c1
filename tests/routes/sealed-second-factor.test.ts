/** The secrets of authenticator apps, at rest and through changes of SESSION_SECRET. */
import { Secret, TOTP } from "otpauth";
import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { setPassword } from "#app/auth/manage-admins.server.ts";
import {
  NO_SECOND_FACTOR,
  newRecoveryCodes,
  sealTotpSecrets,
} from "#app/auth/second-factor.server.ts";
import { parseEnv } from "#app/core/env.server.ts";
import { findAdminByUsername } from "#db/queries/admins.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { addAccount, PASSWORD, signIn } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const [OLD, FRESH, ANOTHER] = ["o".repeat(32), "n".repeat(32), "x".repeat(32)];
const SET_ON_THE_SERVER = "set-on-the-server-1";
const secret = new Secret({ size: 20 });
const recovery = newRecoveryCodes();

const app = sharedApp({ env: { SESSION_SECRET: OLD, LOG_LEVEL: "silent" } });

const stored = () =>
  app.db.firstRaw<{ text: string }>("SELECT totp_secret AS text FROM admin WHERE username = ?", [
    ADMIN.username,
  ])?.text ?? "";
/** What is logged where the secrets are brought under this session secret. */
function warningsUnder(SESSION_SECRET: string): unknown[][] {
  const log = pino({ level: "silent" });
  const warn = vi.spyOn(log, "warn").mockImplementation(() => {});
  const { env } = parseEnv({ SESSION_SECRET });
  sealTotpSecrets({ db: app.db, env, now: Date.now, log });
  return warn.mock.calls;
}

/** A code counts once, so each sign-in of a test is as if it were the first. */
const signInWith = (totp?: string) => {
  app.db.runRaw("UPDATE admin SET totp_last_step = NULL");
  return signIn(app, { totp });
};
const codeOf = () => TOTP.generate({ secret, timestamp: Date.now() });

describe("the secret of an authenticator app", () => {
  it("is sealed at the start where a database of old holds it in clear", async () => {
    app.db.runRaw("UPDATE admin SET totp_secret = ?, totp_confirmed_at = 1, recovery_codes = ?", [
      secret.base32,
      JSON.stringify(recovery.hashes),
    ]);
    await app.restart();
    expect(stored()).toMatch(/^v1\./);
    expect((await signInWith()).status).toBe(401);
    expect((await signInWith(codeOf())).status).toBe(200);
  });

  it("is brought under a new session secret, and needs the old one no more", async () => {
    const before = stored();
    await app.restart({ SESSION_SECRET: `${FRESH},${OLD}` });
    expect(stored()).not.toBe(before);
    expect((await signInWith(codeOf())).status).toBe(200);
    const under = stored();
    await app.restart({ SESSION_SECRET: FRESH });
    expect(stored()).toBe(under);
    expect((await signInWith(codeOf())).status).toBe(200);
    expect(warningsUnder(FRESH!)).toEqual([]);
  });

  it("that no session secret opens is refused as a wrong code, and recovery codes sign in", async () => {
    // One that was begun and never confirmed is missed by nobody, and none is another account's.
    await addAccount(app.db);
    app.db.runRaw("UPDATE admin SET totp_secret = ? WHERE id = 'asha'", [stored()]);
    // How many, and what to do; neither names nor what is stored.
    expect(warningsUnder(ANOTHER!)).toEqual([
      [{ accounts: 1 }, expect.stringContaining("npm run admin:create")],
    ]);
    app.db.runRaw("UPDATE admin SET totp_confirmed_at = 1 WHERE id = 'asha'");
    const asha = { username: "asha", password: PASSWORD };
    expect((await signIn(app, { ...asha, totp: codeOf() })).status).toBe(401);
    app.db.runRaw("DELETE FROM admin WHERE id = 'asha'");
    await app.restart({ SESSION_SECRET: ANOTHER });
    const asked = await signInWith();
    const wrong = await signInWith("000000");
    const right = await signInWith(codeOf());
    expect(asked.errors).toEqual({ totp: [expect.stringContaining("authenticator")] });
    expect(right.text).toBe(wrong.text);
    expect(right.status).toBe(401);
    expect((await signInWith(recovery.shown[0])).status).toBe(200);
  });

  it("goes with its recovery codes when a password is set on the server", async () => {
    const anew = { ...ADMIN, email: "anew@captains.example", password: SET_ON_THE_SERVER };
    expect((await setPassword({ db: app.db, now: Date.now }, anew)).ok).toBe(true);
    const admin = findAdminByUsername(app.db, ADMIN.username);
    expect(admin).toMatchObject({ email: anew.email, ...NO_SECOND_FACTOR });
    expect((await signIn(app, { password: SET_ON_THE_SERVER })).status).toBe(200);
    const logged = app.db.firstRaw(
      "SELECT actor, target, after FROM activity WHERE action = 'admin_set_password'",
    );
    const after = '{"secondFactor":"off"}';
    expect(logged).toEqual({ actor: "system", target: ADMIN.username, after });
  });
});
