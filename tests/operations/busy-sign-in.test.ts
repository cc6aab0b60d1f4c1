/** A flood of passwords, and two who use one code at once. */
import { beforeEach, describe, expect, it } from "vitest";
import { changePassword, endMyOtherSessions } from "#app/auth/account.server.ts";
import { countSignIn } from "#app/auth/limits.server.ts";
import { createAdmin } from "#app/auth/manage-admins.server.ts";
import { verifyPassword } from "#app/auth/password.server.ts";
import { requestResetCode, resetPassword } from "#app/auth/reset-password.server.ts";
import { findSession } from "#app/auth/session.server.ts";
import { signIn } from "#app/auth/sign-in.server.ts";
import { inTurn } from "#app/core/work-queue.server.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";

const asha = { username: "asha", email: "asha@captains.example", password: "quiet-runway-0917" };
const client = { address: "192.0.2.1", device: null, userAgent: "a test" };

quickPasswords();
const test = freshDeps({ RATE_LIMIT: "on", BUSINESS_EMAIL: "owner@captains.example" });
beforeEach(async () => {
  await createAdmin(test.deps, asha);
});

const trySignIn = (password = asha.password) =>
  signIn(test.deps, { username: "asha", password }, client);

async function session() {
  const signedIn = await trySignIn();
  if (!signedIn.ok) throw new Error(signedIn.message);
  return findSession(test.deps, signedIn.value.token)!;
}

async function mailedCode(): Promise<string> {
  await requestResetCode(test.deps, asha.email, client);
  const row = test.deps.db.firstRaw<{ code: string }>(
    "SELECT json_extract(data, '$.code') AS code FROM message WHERE kind = 'reset_code'",
  );
  return row!.code;
}

/** One after the other: each is counted before the next. */
async function eightTimes<T>(work: () => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let i = 0; i < 8; i++) answers.push(await work());
  return answers;
}

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

const passwordHash = () =>
  test.deps.db.firstRaw<{ hash: string }>("SELECT password_hash AS hash FROM admin")!.hash;
const busy = { ok: false, code: "unavailable", retryAfter: 5 };

describe("while too many passwords are being checked", () => {
  it("a sign-in is asked to try again later, and is no failed try", async () => {
    const answers = await whileFull("strangers", () => eightTimes(() => trySignIn("wrong")));
    for (const answer of answers) expect(answer).toMatchObject(busy);
    expect(test.deps.db.allRaw("SELECT 1 FROM activity WHERE action = 'login_failed'")).toEqual([]);
    // Five failed tries would have closed the name for this address.
    expect(await trySignIn()).toMatchObject({ ok: true });
  });

  it("a change of the account is asked to try again later, changes nothing, and is no failed try", async () => {
    const own = await session();
    const hash = passwordHash();
    const input = { currentPassword: asha.password, newPassword: "a-new-quiet-runway" };
    const answers = await whileFull("known", async () => [
      ...(await eightTimes(() => changePassword(test.deps, own, input, client))),
      await endMyOtherSessions(test.deps, own, input),
    ]);
    for (const answer of answers) expect(answer).toMatchObject(busy);
    expect(passwordHash()).toBe(hash);
    expect(await changePassword(test.deps, own, input, client)).toMatchObject({ ok: true });
    expect(passwordHash()).not.toBe(hash);
  });

  it("a reset is asked to try again later, and the code is good afterwards", async () => {
    const otp = await mailedCode();
    const hash = passwordHash();
    const typed = { email: asha.email, otp, newPassword: "a-new-quiet-runway" };
    expect(await whileFull("known", () => resetPassword(test.deps, typed, client))).toMatchObject(
      busy,
    );
    expect(passwordHash()).toBe(hash);
    expect(await resetPassword(test.deps, typed, client)).toMatchObject({ ok: true });
  });
});

it("a name that nobody has is closed like any other, and the owner is not notified", async () => {
  for (let i = 0; i < 50; i++) {
    countSignIn(test.deps, { username: "nobody", address: `198.51.100.${i}` });
  }
  const typed = { username: "nobody", password: "wrong" };
  expect(await signIn(test.deps, typed, client)).toMatchObject({ code: "rate_limited" });
  expect(test.deps.db.allRaw("SELECT 1 FROM message")).toEqual([]);
});

it("of two who reset with one code at once, one sets the password", async () => {
  const otp = await mailedCode();
  const passwords = ["the-first-quiet-runway", "the-second-quiet-runway"];
  const answers = await Promise.all(
    passwords.map((newPassword) =>
      resetPassword(test.deps, { email: asha.email, otp, newPassword }, client),
    ),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(answers.find(({ ok }) => !ok)).toMatchObject({ code: "invalid_otp" });
  const winner = passwords[answers.findIndex(({ ok }) => ok)]!;
  expect(await trySignIn(winner)).toMatchObject({ ok: true });
  const loser = passwords.find((password) => password !== winner)!;
  expect(await trySignIn(loser)).toMatchObject({ ok: false, code: "invalid_credentials" });
  expect(
    test.deps.db.allRaw("SELECT 1 FROM activity WHERE action = 'password_reset'"),
  ).toHaveLength(1);
});
