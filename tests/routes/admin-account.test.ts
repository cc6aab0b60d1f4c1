import { Secret, TOTP } from "otpauth";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  changePassword,
  confirmTotp,
  disableTotp,
  endMyOtherSessions,
  readAccount,
  setUpTotp,
} from "#app/auth/account.server.ts";
import { ensureFirstAdmin, setPassword } from "#app/auth/manage-admins.server.ts";
import { requestResetCode } from "#app/auth/reset-password.server.ts";
import {
  createSession,
  findSession,
  readTokens,
  sessionCookieHeader,
} from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import { updateAdmin } from "#db/queries/admins.server.ts";
import {
  addAccount,
  cheapHash,
  PASSWORD,
  sessionCookie,
  turnOnTotp,
} from "#tests/support/admin.ts";
import { makeDeps } from "#tests/support/deps.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const client = { address: "192.0.2.1", device: null, userAgent: "a test" };
const asha = { username: "asha", email: "asha@captains.example", password: PASSWORD };

quickPasswords();
const test = sharedDeps();
beforeAll(() => addAccount(test.deps.db));

async function session({ deps } = test, password = PASSWORD) {
  const signedIn = await signIn(deps, { username: "asha", password }, client);
  if (!signedIn.ok) throw new Error(signedIn.message);
  const { token } = signedIn.value;
  return { ...findSession(deps, token)!, token };
}

/** Where tries are counted. */
const limited = sharedDeps({ RATE_LIMIT: "on" });
beforeAll(() => addAccount(limited.deps.db));

describe("a session", () => {
  it("is written at most once a minute", async () => {
    const { token, tokenHash } = await session();
    const seen = () =>
      test.deps.db.firstRaw<{ at: number }>(
        "SELECT last_seen_at AS at FROM admin_session WHERE token_hash = ?",
        [tokenHash],
      )!.at;
    const first = seen();
    test.clock.now += 59_000;
    findSession(test.deps, token);
    expect(seen()).toBe(first);
    test.clock.now += 1_000;
    findSession(test.deps, token);
    expect(seen()).toBe(first + 60_000);
  });

  it("ends the others on request", async () => {
    const one = await session();
    const two = await session();
    const end = (currentPassword: string) =>
      endMyOtherSessions(test.deps, two, { currentPassword });
    expect(await end("wrong")).toMatchObject({
      errors: { currentPassword: ["This is not your current password."] },
    });
    expect(findSession(test.deps, one.token)).not.toBeNull();
    expect(await end(asha.password)).toEqual({ ok: true, value: expect.toSatisfy((n) => n > 0) });
    expect(findSession(test.deps, one.token)).toBeNull();
    expect(findSession(test.deps, two.token)).not.toBeNull();
  });

  it("travels in a cookie that https binds to the host", async () => {
    const { token } = createSession(test.deps, "asha", client);
    const env = { ...test.deps.env, publicUrl: "https://book.example.in" };
    const header = await sessionCookieHeader(env, token);
    expect(header).toMatch(
      /^__Host-admin_session=[^;]+; Max-Age=604800; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const request = new Request("http://site.test", {
      headers: {
        Cookie: `${sessionCookie("planted")}; ${header.split(";")[0]}`,
        Authorization: "bearer dead",
      },
    });
    expect(await readTokens(env, request)).toEqual(["dead", token]);
    expect(await readTokens(test.deps.env, request)).toEqual(["dead", "planted"]);
  });
});

const codes = () => test.deps.db.allRaw("SELECT 1 FROM one_time_code").length;

describe("the password", () => {
  it("is changed with the current one and ends the other sessions", async () => {
    const other = await session();
    const mine = await session();
    const change = (currentPassword: string, newPassword: string) =>
      changePassword(test.deps, mine, { currentPassword, newPassword }, client);
    expect(await change("wrong", "new-runway-0918")).toMatchObject({
      code: "validation_failed",
      errors: { currentPassword: [expect.any(String)] },
    });
    expect(await change(asha.password, "password123")).toMatchObject({
      errors: { newPassword: [expect.any(String)] },
    });
    await requestResetCode(test.deps, asha.email, client);
    expect(await change(asha.password, "new-runway-0918")).toMatchObject({ ok: true });
    expect(codes()).toBe(0);
    expect(findSession(test.deps, other.token)).toBeNull();
    expect(findSession(test.deps, mine.token)).not.toBeNull();
    expect(await signIn(test.deps, asha, client)).toMatchObject({ code: "invalid_credentials" });
    updateAdmin(test.deps.db, "asha", 1, { passwordHash: await cheapHash(PASSWORD) });
  });

  it("is no place to guess from", async () => {
    const mine = await session(limited);
    const guess = () =>
      changePassword(limited.deps, mine, { currentPassword: "x", newPassword: "y-0917-z" }, client);
    for (let i = 0; i < 6; i++) {
      const ended = await endMyOtherSessions(limited.deps, mine, {
        currentPassword: asha.password,
      });
      expect(ended).toMatchObject({ ok: true });
    }
    for (let i = 0; i < 5; i++) expect(await guess()).toMatchObject({ code: "validation_failed" });
    expect(await guess()).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
  });
});

describe("the second factor", () => {
  // What was tried before is forgotten by then.
  beforeEach(() => {
    test.clock.now += 16 * 60_000;
  });
  const codeAt = (secret: string, step = 0) =>
    TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: test.clock.now + step * 30_000 });

  it("is turned on with a code, used once each, and off with password and code", async () => {
    const mine = await session();
    const { admin } = mine;
    const begun = setUpTotp(test.deps, admin, { anew: true });
    if (!begun.ok) throw new Error(begun.message);
    const { secret, uri } = begun.value;
    // 160 bits, to be typed into an app in eight groups of four.
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(uri).toMatch(/^otpauth:\/\/totp\/.*asha/);
    expect(JSON.stringify(test.deps.db.allRaw("SELECT * FROM admin"))).not.toContain(secret);
    // Not confirmed yet: nobody is locked out.
    expect(await signIn(test.deps, asha, client)).toMatchObject({ ok: true });
    const confirm = (currentPassword: string, code: string) =>
      confirmTotp(test.deps, mine, { currentPassword, code });
    expect(await confirm(asha.password, "000000")).toMatchObject({
      errors: { totp: [expect.any(String)] },
    });
    expect(await confirm("wrong", codeAt(secret))).toMatchObject({
      errors: { currentPassword: ["This is not your current password."] },
    });
    expect(readAccount(test.deps, admin)?.secondFactor.isOn).toBe(false);
    const confirmed = await confirm(asha.password, codeAt(secret));
    if (!confirmed.ok) throw new Error(confirmed.message);
    const { recoveryCodes } = confirmed.value;
    expect(new Set(recoveryCodes).size).toBe(10);
    // 24 letters of 32: 120 bits.
    for (const code of recoveryCodes) expect(code).toMatch(/^[a-km-z2-9]{4}(-[a-km-z2-9]{4}){5}$/);
    expect(readAccount(test.deps, admin)?.secondFactor).toEqual({
      isOn: true,
      recoveryCodesLeft: 10,
    });

    const withCode = (totp?: string) => signIn(test.deps, { ...asha, totp }, client);
    expect(await withCode()).toMatchObject({ errors: { totp: [expect.any(String)] } });
    expect(await withCode(codeAt(secret))).toMatchObject({ ok: false });
    expect(await withCode(codeAt(secret, 1))).toMatchObject({ ok: true });
    test.clock.now += 60_000;
    const recovery = recoveryCodes[3]!.toUpperCase().replaceAll("-", " ");
    expect(await withCode(recovery)).toMatchObject({ ok: true });
    expect(await withCode(recovery)).toMatchObject({ ok: false });
    expect(readAccount(test.deps, admin)?.secondFactor.recoveryCodesLeft).toBe(9);

    const off = (currentPassword: string, code: string) =>
      disableTotp(test.deps, mine, { currentPassword, code });
    expect(await off("wrong", codeAt(secret))).toMatchObject({ code: "validation_failed" });
    expect(await off(asha.password, "000000")).toMatchObject({ code: "validation_failed" });
    expect(await off(asha.password, codeAt(secret))).toMatchObject({ ok: true });
    expect(await signIn(test.deps, asha, client)).toMatchObject({ ok: true });
    const stored = JSON.stringify(test.deps.db.allRaw("SELECT * FROM activity"));
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(asha.password);
  });

  it("is no place to guess a code from, with session and password in hand", async () => {
    limited.clock.now += 16 * 60_000;
    const mine = await session(limited);
    turnOnTotp(limited.deps.db, limited.deps.env.sessionSecrets[0], {
      username: "asha",
      secret: new Secret({ size: 20 }).base32,
    });
    const guess = () =>
      disableTotp(limited.deps, mine, { currentPassword: asha.password, code: "000000" });
    for (let i = 0; i < 4; i++) expect(await guess()).toMatchObject({ code: "validation_failed" });
    // Neither a new password nor half a sign-in makes room for more guesses.
    const change = { currentPassword: asha.password, newPassword: asha.password };
    expect(await changePassword(limited.deps, mine, change, client)).toMatchObject({ ok: true });
    expect(await signIn(limited.deps, asha, client)).toMatchObject({
      errors: { totp: [expect.any(String)] },
    });
    expect(await guess()).toMatchObject({ code: "validation_failed" });
    expect(await guess()).toMatchObject({ code: "rate_limited", retryAfter: expect.any(Number) });
  });
});

describe("accounts from outside", () => {
  it("get a password, which ends their sessions", async () => {
    const { token } = await session();
    await requestResetCode(test.deps, asha.email, client);
    expect(codes()).toBe(1);
    await setPassword(test.deps, { ...asha, password: "set-from-outside-1" });
    expect(findSession(test.deps, token)).toBeNull();
    expect(codes()).toBe(0);
    expect((await session(test, "set-from-outside-1")).admin.username).toBe("asha");
  });
});

describe("the first account", () => {
  const first = {
    ADMIN_USERNAME: "first",
    ADMIN_PASSWORD: "quiet-runway-0917",
    ADMIN_EMAIL: "first@captains.example",
  };
  const NONE = { ADMIN_USERNAME: "", ADMIN_PASSWORD: "", ADMIN_EMAIL: "" };

  it.each<[string, Record<string, string>, boolean, string[]]>([
    ["is made from the environment", {}, true, []],
    ["is not needed in development", NONE, false, []],
    ["is demanded in production", NONE, true, Object.keys(NONE)],
    ["needs 12 characters", { ADMIN_PASSWORD: "short-0917" }, true, ["ADMIN_PASSWORD"]],
    ["needs no common password", { ADMIN_PASSWORD: "password1234" }, true, ["ADMIN_PASSWORD"]],
    ["may be weak in development", { ADMIN_PASSWORD: "123456" }, false, []],
  ])("%s", async (_, changes, production, names) => {
    const source = { ...first, ...changes };
    const empty = await makeDeps(source);
    empty.deps.env.production = production;
    const faults = await ensureFirstAdmin(empty.deps, source);
    expect(faults.map((fault) => fault.split(" ")[0])).toEqual(names);
    const isMade = names.length === 0 && changes !== NONE;
    expect(empty.deps.db.allRaw("SELECT username FROM admin")).toEqual(
      isMade ? [{ username: "first" }] : [],
    );
    empty.close();
  });
});
