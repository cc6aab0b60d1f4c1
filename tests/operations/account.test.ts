import { Secret, TOTP } from "otpauth";
import { beforeEach, describe, expect, it } from "vitest";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
  setUpTotp,
} from "#app/auth/account.server.ts";
import { acceptSecondFactor } from "#app/auth/second-factor.server.ts";
import { createSession, findSession, type LiveSession } from "#app/auth/session.server.ts";
import { updateAdmin } from "#db/queries/admins.server.ts";
import { addAccount, PASSWORD, turnOnTotp } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const GONE = { ok: false, code: "unauthenticated" };
const ON_ALREADY = { errors: { totp: ["The second factor is on already."] } };
const client = { device: null };

quickPasswords();
const test = freshDeps({ RATE_LIMIT: "on" });
let mine: LiveSession;
let woken: number;
beforeEach(async () => {
  await addAccount(test.deps.db);
  mine = newSession();
  woken = test.wakes();
});

function newSession(): LiveSession {
  const { token } = createSession(test.deps, "asha", { userAgent: null });
  return findSession(test.deps, token)!;
}

const rows = (sql: string) => test.deps.db.allRaw<Record<string, string>>(sql);
const account = () => rows("SELECT * FROM admin")[0]!;
/** Since the last time: what was logged and by whom, what was mailed, how often the mailer woke. */
function effects() {
  const logged = rows("SELECT actor, action FROM activity ORDER BY rowid");
  const mailed = rows("SELECT json_extract(data, '$.notice') AS notice FROM message");
  const found = {
    logged: logged.map(({ actor, action }) => `${actor} ${action}`),
    mailed: mailed.map(({ notice }) => notice),
    wakes: test.wakes() - woken,
  };
  test.deps.db.runRaw("DELETE FROM activity");
  test.deps.db.runRaw("DELETE FROM message");
  woken = test.wakes();
  return found;
}
const once = (action: string, notice: string) => ({
  logged: [`asha ${action}`],
  mailed: [notice],
  wakes: 1,
});

const secretOfApp = new Secret({ size: 20 });
const codeNow = (secret = secretOfApp) =>
  TOTP.generate({ secret, timestamp: test.clock.now }).toString();
const turnOn = () =>
  turnOnTotp(test.deps.db, test.deps.env.sessionSecrets[0], {
    username: "asha",
    secret: secretOfApp.base32,
  });
const typed = (code = codeNow()) => ({ currentPassword: PASSWORD, code });

describe("a change of the account", () => {
  it("of the password is logged and mailed once", async () => {
    const change = { currentPassword: PASSWORD, newPassword: "another-runway-0918" };
    expect(await changePassword(test.deps, mine, change, client)).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("password_change", "password_changed"));
  });

  it("of the sessions is logged with their number, and is nothing where there are none", async () => {
    const end = () => endMyOtherSessions(test.deps, mine, { currentPassword: PASSWORD });
    newSession();
    newSession();
    expect(await end()).toEqual({ ok: true, value: 2 });
    expect(rows("SELECT after FROM activity")).toEqual([{ after: '{"count":2}' }]);
    expect(effects()).toEqual(once("sessions_end", "sessions_ended"));
    expect(await end()).toEqual({ ok: true, value: 0 });
    expect(effects()).toMatchObject({ logged: [], mailed: [] });
  });

  it("of the second factor is logged and mailed, on and off", async () => {
    const begun = setUpTotp(test.deps, mine.admin, { anew: true });
    if (!begun.ok) throw new Error(begun.message);
    expect(effects()).toEqual({ logged: [], mailed: [], wakes: 0 });
    const code = codeNow(Secret.fromBase32(begun.value.secret));
    expect(await confirmTotp(test.deps, mine, typed(code))).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("second_factor_on", "second_factor_on"));
    test.clock.now += 30_000;
    const next = codeNow(Secret.fromBase32(begun.value.secret));
    expect(await disableTotp(test.deps, mine, typed(next))).toMatchObject({ ok: true });
    expect(effects()).toEqual(once("second_factor_off", "second_factor_off"));
    const off = { totp_secret: null, totp_confirmed_at: null, totp_last_step: null };
    expect(account()).toMatchObject({ ...off, recovery_codes: "[]" });
  });

  it("with the right password and code is no failed try, however often", async () => {
    for (let i = 0; i < 6; i++) {
      test.clock.now += 30_000;
      turnOn();
      expect(await disableTotp(test.deps, mine, typed())).toMatchObject({ ok: true });
    }
  });

  it("is not made while the account's hash cannot be read", async () => {
    updateAdmin(test.deps.db, "asha", 1, { passwordHash: "none" });
    const input = { currentPassword: PASSWORD };
    await expect(endMyOtherSessions(test.deps, mine, input)).rejects.toThrow();
    expect(effects()).toEqual({ logged: [], mailed: [], wakes: 0 });
  });
});

describe("a second factor", () => {
  it("that is begun is shown again as it is stored", () => {
    const begun = setUpTotp(test.deps, mine.admin, { anew: true });
    const stored = account();
    expect(setUpTotp(test.deps, mine.admin, { anew: false })).toEqual(begun);
    expect(account()).toEqual(stored);
  });

  it("that is on is neither begun, shown nor confirmed again", async () => {
    turnOn();
    const before = account();
    expect(setUpTotp(test.deps, mine.admin, { anew: true })).toMatchObject(ON_ALREADY);
    expect(setUpTotp(test.deps, mine.admin, { anew: false })).toMatchObject(ON_ALREADY);
    expect(await confirmTotp(test.deps, mine, typed())).toMatchObject(ON_ALREADY);
    expect(account()).toEqual(before);
  });

  it("takes codes of one step before and after, each once and none older than the last", () => {
    turnOn();
    const start = Math.ceil(test.clock.now / 30_000) * 30_000;
    const tryStep = (now: number, step: number) => {
      test.clock.now = now;
      const timestamp = start + step * 30_000;
      const code = TOTP.generate({ secret: secretOfApp, timestamp });
      return acceptSecondFactor(test.deps.db, test.deps, "asha", code);
    };
    expect([-2, 2].map((step) => tryStep(start, step))).toEqual([false, false]);
    const inOrder = [-1, -1, 0, -1, 1, 0, 1];
    expect(inOrder.map((step) => tryStep(start, step))).toEqual([
      ...[true, false, true, false, true, false, false],
    ]);
    expect(tryStep(start + 29_999, 1)).toBe(false);
    expect(tryStep(start + 30_000, 2)).toBe(true);
  });

  it("is none for an account without one, or that is gone", () => {
    expect(acceptSecondFactor(test.deps.db, test.deps, "asha", "000000")).toBe(false);
    expect(acceptSecondFactor(test.deps.db, test.deps, "nobody", "000000")).toBe(false);
  });
});

describe("an account that is gone", () => {
  const deleteIt = () => test.deps.db.runRaw("DELETE FROM admin");

  it("is not shown and begins nothing", () => {
    deleteIt();
    expect(readAccount(test.deps, mine.admin)).toBeNull();
    expect(setUpTotp(test.deps, mine.admin, { anew: true })).toMatchObject(GONE);
    expect(setUpTotp(test.deps, mine.admin, { anew: false })).toMatchObject(GONE);
  });

  it("confirms nothing, though its password was right a moment ago", async () => {
    setUpTotp(test.deps, mine.admin, { anew: true });
    const confirming = confirmTotp(test.deps, mine, typed());
    deleteIt();
    expect(await confirming).toMatchObject(GONE);
  });
});
