/** Signing in and out: who is let in, what is counted and logged, how long a session lives, and a flood of passwords. */
import { beforeEach, describe, expect, it } from "vitest";
import { changePassword, endMyOtherSessions } from "#app/auth/account.server.ts";
import { countSignIn } from "#app/auth/limits.server.ts";
import { verifyPassword } from "#app/auth/password.server.ts";
import { requestResetCode, resetPassword } from "#app/auth/reset-password.server.ts";
import {
  createSession,
  deviceOf,
  findSession,
  knownDevice,
  listSessions,
} from "#app/auth/session.server.ts";
import { type SignInClient, signIn, signOut } from "#app/auth/sign-in.server.ts";
import { inTurn } from "#app/core/work-queue.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { findAdmin, updateAdmin } from "#db/queries/admins.server.ts";
import { addAccount, cheapHash, PASSWORD, turnOnTotp } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";
import { sampleInput } from "#tests/support/sample-messages.ts";

const client: SignInClient = { address: "192.0.2.1", device: null, userAgent: "a test" };
const from = (i: number) => ({ ...client, address: `198.51.${i}.1` });

quickPasswords();
const test = freshDeps({ RATE_LIMIT: "on", BUSINESS_EMAIL: "owner@captains.example" });
beforeEach(() => addAccount(test.deps.db, { username: "Asha" }));

const account = () => findAdmin(test.deps.db, "asha")!;
const attempt = (typed: object = {}, who: SignInClient = client) =>
  signIn(test.deps, { username: "asha", password: PASSWORD, ...typed }, who);
const enter = async (typed: object = {}, who: SignInClient = client) => {
  const signedIn = await attempt(typed, who);
  if (!signedIn.ok) throw new Error(signedIn.message);
  return signedIn.value;
};
const askForCodes = () => {
  const secret = "A".repeat(32);
  turnOnTotp(test.deps.db, test.deps.env.sessionSecrets[0], { username: "asha", secret });
};
const logged = () =>
  test.deps.db
    .allRaw<{ actor: string; action: string; after: string }>(
      "SELECT actor, action, after FROM activity ORDER BY rowid",
    )
    .map(({ actor, action, after }) => [actor, action, JSON.parse(after)?.address ?? null]);
const alerts = () => test.deps.db.allRaw("SELECT 1 FROM message WHERE kind = 'admin_alert'").length;
const WRONG = {
  ok: false,
  code: "invalid_credentials",
  message: "The username or the password is wrong.",
};
const CLOSED = { ok: false, code: "rate_limited" };

describe("a sign-in", () => {
  it("is logged, right or wrong, and of an unknown name without the name", async () => {
    const { admin, expiresAt, token } = await enter({ username: " ASHA " });
    expect(admin).toEqual({ username: "Asha", role: "owner" });
    expect(expiresAt).toBe(test.clock.now + 12 * HOUR);
    expect(await attempt({ password: "wrong" })).toEqual(WRONG);
    expect(await attempt({ username: "my secret" })).toEqual(WRONG);
    signOut(test.deps, token);
    signOut(test.deps, token);
    expect(logged()).toEqual([
      ["Asha", "login", client.address],
      ["Asha", "login_failed", client.address],
      ["unknown", "login_failed", client.address],
      ["Asha", "logout", null],
    ]);
    expect(findSession(test.deps, token)).toBeNull();
  });

  it("is closed after five wrong tries from an address, and forgiven by a right one", async () => {
    for (let i = 0; i < 4; i++) expect(await attempt({ password: "wrong" })).toEqual(WRONG);
    await enter();
    for (let i = 0; i < 5; i++) expect(await attempt({ password: "wrong" })).toEqual(WRONG);
    expect(await attempt()).toMatchObject(CLOSED);
    expect(await attempt({}, from(1))).toMatchObject({ ok: true });
    expect([alerts(), test.wakes()]).toEqual([0, 0]);
  });

  it("of a name is closed after fifty, and its owner is notified once, and not of a known browser", async () => {
    const device = deviceOf(account());
    for (let i = 0; i < 50; i++) await attempt({ password: "wrong" }, from(i));
    expect(alerts()).toBe(0);
    for (const i of [60, 61]) expect(await attempt({}, from(i))).toMatchObject(CLOSED);
    expect([alerts(), test.wakes()]).toEqual([1, 1]);
    test.clock.now += 2 * HOUR;
    const own = { ...from(62), device };
    for (let i = 0; i < 5; i++) expect(await attempt({ password: "wrong" }, own)).toEqual(WRONG);
    expect(await attempt({}, own)).toMatchObject(CLOSED);
    expect([alerts(), test.wakes()]).toEqual([1, 1]);
    test.clock.now += 15 * MINUTE;
    expect((await enter({}, own)).device).toEqual(device);
    // A new password begins with no failed tries.
    updateAdmin(test.deps.db, "asha", 1, { passwordHash: await cheapHash("another-0918") });
    await enter({ password: "another-0918" }, from(63));
  });

  it("of a name is closed by wrong codes too, whose mail does not call the password wrong", async () => {
    askForCodes();
    for (let i = 0; i <= 50; i++) await attempt({ totp: "no code" }, from(i));
    expect(alerts()).toBe(1);
    const { text } = renderMessage("admin_alert", sampleInput("admin_alert"));
    const words = text.replace(/\s+/g, " ");
    expect(words).toContain("wrong passwords or codes");
    expect(words).not.toContain("None of them was right");
  });

  it("ends the sessions that its client held, and no other", async () => {
    const [held, other] = [(await enter()).token, (await enter()).token];
    await enter({}, { ...client, heldTokens: [held, "none"] });
    expect(findSession(test.deps, held)).toBeNull();
    expect(findSession(test.deps, other)).not.toBeNull();
  });

  it("asks for the code after the password, which counts as no failed try", async () => {
    askForCodes();
    const wanted = "Please enter the code of your authenticator app.";
    for (let i = 0; i < 6; i++) {
      expect(await attempt()).toMatchObject({ message: wanted, errors: { totp: [wanted] } });
    }
    expect(logged()).toEqual([]);
    for (let i = 0; i < 5; i++) {
      expect(await attempt({ totp: "no code" })).toMatchObject({
        errors: { totp: [expect.stringContaining("wrong")] },
      });
    }
    expect(logged()).toHaveLength(5);
    expect(await attempt()).toMatchObject(CLOSED);
    expect(test.deps.db.allRaw("SELECT 1 FROM admin_session")).toEqual([]);
  });

  it("throws where the account's hash cannot be read", async () => {
    updateAdmin(test.deps.db, "asha", 1, { passwordHash: "none" });
    await expect(attempt()).rejects.toThrow();
  });
});

describe("a session", () => {
  const begin = (userAgent: string | null = null) =>
    createSession(test.deps, "asha", { userAgent });
  const isLive = (token: string) => findSession(test.deps, token) !== null;
  const rows = () => test.deps.db.allRaw("SELECT 1 FROM admin_session").length;

  it("lives twelve hours from its last use, to the moment", () => {
    const { token, expiresAt } = begin();
    expect(expiresAt).toBe(test.clock.now + 12 * HOUR);
    expect(token).toMatch(/^.{43}$/);
    test.clock.now = expiresAt - 1;
    expect(isLive(token)).toBe(true);
    test.clock.now += 12 * HOUR - 1;
    expect(isLive(token)).toBe(true);
    test.clock.now += 12 * HOUR;
    expect(isLive(token)).toBe(false);
  });

  it("lives twelve hours from a use after the clock went back", () => {
    const { token } = begin();
    test.clock.now -= DAY;
    expect(isLive(token)).toBe(true);
    test.clock.now += 12 * HOUR;
    expect(isLive(token)).toBe(false);
  });

  it("lives seven days at most, and an ended one is swept with the next", () => {
    const { token } = begin();
    const start = test.clock.now;
    while (test.clock.now < start + 7 * DAY - 12 * HOUR) {
      test.clock.now += 6 * HOUR;
      expect(isLive(token)).toBe(true);
    }
    test.clock.now = start + 7 * DAY - 1;
    expect(isLive(token)).toBe(true);
    begin();
    expect(rows()).toBe(2);
    test.clock.now += 1;
    expect(isLive(token)).toBe(false);
    begin();
    expect(rows()).toBe(2);
  });

  it("keeps three hundred characters of what its browser calls itself", () => {
    begin("b".repeat(301));
    begin();
    const kept = test.deps.db.allRaw<{ user_agent: string | null }>(
      "SELECT user_agent FROM admin_session ORDER BY user_agent DESC",
    );
    expect(kept.map(({ user_agent }) => user_agent?.length ?? null)).toEqual([300, null]);
  });

  it("is known by its whole token alone", () => {
    const [{ token }] = [begin(), begin()];
    const others = [token.slice(1), `${token}a`, `${token.slice(1)}!`, "a".repeat(43)];
    for (const none of [null, "", ...others]) expect(findSession(test.deps, none)).toBeNull();
    const mine = findSession(test.deps, token)!;
    expect(listSessions(test.deps, mine).filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  });
});

it("a browser is known by the account and the password that it signed in with", () => {
  const device = deviceOf(account());
  expect(knownDevice(account(), device)).toBe(device.id);
  expect(deviceOf(account(), device)).toEqual(device);
  for (const none of [null, undefined]) expect(knownDevice(account(), none)).toBeNull();
  expect(knownDevice(null, device)).toBeNull();
  expect(knownDevice({ ...account(), id: "rohan" }, device)).toBeNull();
  const changed = { ...account(), passwordHash: "other" };
  expect(knownDevice(changed, device)).toBeNull();
  // It stays the same browser, and its proof is new.
  expect(deviceOf(changed, device)).toMatchObject({ id: device.id, adminId: "asha" });
  expect(knownDevice(changed, deviceOf(changed, device))).toBe(device.id);
  expect(deviceOf({ ...account(), id: "rohan" }, device).id).not.toBe(device.id);
  expect(device.proof).toHaveLength(22);
});

async function mailedCode(): Promise<string> {
  await requestResetCode(test.deps, account().email, client);
  const row = test.deps.db.firstRaw<{ code: string }>(
    "SELECT json_extract(data, '$.code') AS code FROM message WHERE kind = 'reset_code'",
  );
  return row!.code;
}

const resetTo = (newPassword: string, otp: string) =>
  resetPassword(test.deps, { email: account().email, otp, newPassword }, client);

/** Keeps the queue of strangers or of whom we know full while the work is done. */
async function whileFull<T>(whose: "strangers" | "known", work: () => Promise<T>): Promise<T> {
  const left = new AbortController();
  const turn = { signal: left.signal, pause: () => () => {}, again: async () => {} };
  const one = async (i: number) => {
    const from = whose === "known" ? null : `198.51.${i}.1`;
    for (;;) await verifyPassword(null, "wrong", { from });
  };
  const crowd = Array.from({ length: 42 }, (_, i) => inTurn(turn, () => one(i)));
  try {
    return await work();
  } finally {
    left.abort();
    await Promise.allSettled(crowd);
  }
}

const busy = { ok: false, code: "unavailable", retryAfter: 5 };

describe("while too many passwords are being checked", () => {
  it("a sign-in is asked to try again later, and is no failed try", async () => {
    await whileFull("strangers", async () => {
      for (let i = 0; i < 8; i++) expect(await attempt({ password: "wrong" })).toMatchObject(busy);
    });
    expect(test.deps.db.allRaw("SELECT 1 FROM activity WHERE action = 'login_failed'")).toEqual([]);
    // Five failed tries would have closed the name for this address.
    expect(await attempt()).toMatchObject({ ok: true });
  });

  it("a change of the account is asked to try again later, changes nothing, and is no failed try", async () => {
    const own = findSession(test.deps, (await enter()).token)!;
    const hash = account().passwordHash;
    const input = { currentPassword: PASSWORD, newPassword: "a-new-quiet-runway" };
    const change = () => changePassword(test.deps, own, input, client);
    await whileFull("known", async () => {
      for (let i = 0; i < 8; i++) expect(await change()).toMatchObject(busy);
      expect(await endMyOtherSessions(test.deps, own, input)).toMatchObject(busy);
    });
    expect(account().passwordHash).toBe(hash);
    expect(await change()).toMatchObject({ ok: true });
    expect(account().passwordHash).not.toBe(hash);
  });

  it("a reset is asked to try again later, and the code is good afterwards", async () => {
    const otp = await mailedCode();
    const hash = account().passwordHash;
    const set = () => resetTo("a-new-quiet-runway", otp);
    expect(await whileFull("known", set)).toMatchObject(busy);
    expect(account().passwordHash).toBe(hash);
    expect(await set()).toMatchObject({ ok: true });
  });
});

it("a name that nobody has is closed like any other, and the owner is not notified", async () => {
  for (let i = 0; i < 50; i++) {
    countSignIn(test.deps, { username: "nobody", address: `198.51.100.${i}` });
  }
  expect(await attempt({ username: "nobody", password: "wrong" })).toMatchObject(CLOSED);
  expect(test.deps.db.allRaw("SELECT 1 FROM message")).toEqual([]);
});

it("of two who reset with one code at once, one sets the password", async () => {
  const otp = await mailedCode();
  const passwords = ["the-first-quiet-runway", "the-second-quiet-runway"];
  const answers = await Promise.all(passwords.map((password) => resetTo(password, otp)));
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ code: "invalid_otp" });
  const winner = passwords[answers.findIndex(({ ok }) => ok)]!;
  expect(await attempt({ password: winner })).toMatchObject({ ok: true });
  const loser = passwords.find((password) => password !== winner)!;
  expect(await attempt({ password: loser })).toEqual(WRONG);
  expect(logged().filter(([, action]) => action === "password_reset")).toHaveLength(1);
});
