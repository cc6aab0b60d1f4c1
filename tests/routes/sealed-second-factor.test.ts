/** The secrets of authenticator apps, at rest and through changes of SESSION_SECRET. */
import { Secret, TOTP } from "otpauth";
import { describe, expect, it } from "vitest";
import { createAdmin, setPassword } from "#app/auth/manage-admins.server.ts";
import { NO_SECOND_FACTOR, newRecoveryCodes } from "#app/auth/second-factor.server.ts";
import { openDb } from "#db/connection.server.ts";
import { findAdminByUsername } from "#db/queries/admins.server.ts";
import { restoreBackup } from "#db/restore.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { signIn } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const [OLD, FRESH, ANOTHER] = ["o".repeat(32), "n".repeat(32), "x".repeat(32)];
const PASSWORD = "set-on-the-server-1";
const secret = new Secret({ size: 20 });
const recovery = newRecoveryCodes();

const app = sharedApp({ separateProcess: true, env: { SESSION_SECRET: OLD } });

const stored = () =>
  app.db.firstRaw<{ text: string }>("SELECT totp_secret AS text FROM admin")?.text ?? "";

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
    expect((await signInWith()).httpStatus).toBe(401);
    expect((await signInWith(codeOf())).httpStatus).toBe(200);
  });

  it("is brought under a new session secret, and needs the old one no more", async () => {
    const before = stored();
    await app.restart({ SESSION_SECRET: `${FRESH},${OLD}` });
    expect(stored()).not.toBe(before);
    expect((await signInWith(codeOf())).httpStatus).toBe(200);
    const under = stored();
    await app.restart({ SESSION_SECRET: FRESH });
    expect(stored()).toBe(under);
    expect((await signInWith(codeOf())).httpStatus).toBe(200);
    expect(app.server!.output()).not.toContain("second factor");
  });

  it("is good for its own account alone", async () => {
    const other = { ...ADMIN, username: "other", email: "other@captains.example" };
    await createAdmin({ db: app.db, now: Date.now }, other);
    app.db.runRaw("UPDATE admin SET totp_secret = ?, totp_confirmed_at = 1 WHERE username = ?", [
      stored(),
      other.username,
    ]);
    expect((await signIn(app, { ...other, totp: codeOf() })).httpStatus).toBe(401);
    app.db.runRaw("DELETE FROM admin WHERE username = ?", [other.username]);
  });

  it("that no session secret opens is refused as a wrong code, and recovery codes sign in", async () => {
    // One that was begun and never confirmed is missed by nobody.
    const begun = { ...ADMIN, username: "begun", email: "begun@captains.example" };
    await createAdmin({ db: app.db, now: Date.now }, begun);
    const half = "UPDATE admin SET totp_secret = ? WHERE username = ?";
    app.db.runRaw(half, [stored(), begun.username]);
    await app.restart({ SESSION_SECRET: ANOTHER });
    app.db.runRaw("DELETE FROM admin WHERE username = ?", [begun.username]);
    const asked = await signInWith();
    const wrong = await signInWith("000000");
    const right = await signInWith(codeOf());
    expect(asked.errors).toEqual({ totp: [expect.stringContaining("authenticator")] });
    expect([right.httpStatus, right.code, right.message, right.errors]).toEqual([
      wrong.httpStatus,
      wrong.code,
      wrong.message,
      wrong.errors,
    ]);
    expect(right.httpStatus).toBe(401);
    expect((await signInWith(recovery.shown[0])).httpStatus).toBe(200);
    const warning = app
      .server!.output()
      .split("\n")
      .find((line) => line.includes("second factor"));
    // How many, and what to do; neither names nor what is stored.
    expect(JSON.parse(warning ?? "")).toEqual({
      level: expect.anything(),
      time: expect.anything(),
      accounts: 1,
      msg: expect.stringContaining("npm run admin:create"),
    });
  });

  it("goes with its recovery codes when a password is set on the server", async () => {
    const anew = { ...ADMIN, email: "anew@captains.example", password: PASSWORD };
    expect((await setPassword({ db: app.db, now: Date.now }, anew)).ok).toBe(true);
    const admin = findAdminByUsername(app.db, ADMIN.username);
    expect(admin).toMatchObject({ email: anew.email, ...NO_SECOND_FACTOR });
    expect((await signIn(app, { password: PASSWORD })).httpStatus).toBe(200);
    const logged = app.db.firstRaw(
      "SELECT actor, target, after FROM activity WHERE action = 'admin_set_password'",
    );
    const after = '{"secondFactor":"off"}';
    expect(logged).toEqual({ actor: "system", target: ADMIN.username, after });
  });

  it("is sealed after a restore of a backup that holds it in clear", async () => {
    const path = app.env.DATABASE_PATH!;
    const backup = `${path}-backup`;
    app.db.runRaw("UPDATE admin SET totp_secret = ?, totp_confirmed_at = 1", [secret.base32]);
    app.db.runRaw("VACUUM INTO ?", [backup]);
    app.db.close();
    await app.server!.stop();
    await restoreBackup(backup, path, Date.now());
    await app.restart({ SESSION_SECRET: FRESH });
    const restored = openDb(path);
    const [admin] = restored.allRaw<{ totp_secret: string }>("SELECT totp_secret FROM admin");
    restored.runRaw("UPDATE admin SET totp_last_step = NULL");
    restored.close();
    expect(admin?.totp_secret).toMatch(/^v1\./);
    const json = { password: PASSWORD, totp: codeOf() };
    expect((await signIn(app, json)).httpStatus).toBe(200);
  });
});
