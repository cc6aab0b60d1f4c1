/** The codes of the reset flow: what is mailed, when one ends, and what a reset leaves behind. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  requestResetCode,
  resetPassword,
  verifyResetCode,
} from "#app/auth/reset-password.server.ts";
import { createSession, deviceOf, knownDevice } from "#app/auth/session.server.ts";
import { HOUR, MINUTE } from "#app/model/dates.ts";
import { renderMessage } from "#app/notifications/templates/index.ts";
import { findAdmin } from "#db/queries/admins.server.ts";
import { addAccount } from "#tests/support/admin.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";
import { sampleInput } from "#tests/support/sample-messages.ts";

const EMAIL = "asha@captains.example";
const NOBODY = "nobody@captains.example";
const NEW = "another-runway-0918";
const client: Parameters<typeof requestResetCode>[2] = { address: "192.0.2.1", device: null };
const from = (i: number) => ({ ...client, address: `198.51.${i}.1` });

const test = freshDeps({ RATE_LIMIT: "on", BUSINESS_EMAIL: "owner@captains.example" });
quickPasswords();
beforeEach(() => addAccount(test.deps.db));

const count = (sql: string) => test.deps.db.allRaw(sql).length;
const alerts = () => count("SELECT 1 FROM message WHERE kind = 'admin_alert'");
const mailed = () =>
  test.deps.db
    .allRaw<{ data: string }>("SELECT data FROM message WHERE kind = 'reset_code' ORDER BY rowid")
    .map(({ data }) => JSON.parse(data) as { code: string; expiresAt: number });
const codes = () => count("SELECT 1 FROM one_time_code");
const stored = () => JSON.stringify(test.deps.db.allRaw("SELECT * FROM one_time_code"));

const ask = (email = EMAIL, who = client) => requestResetCode(test.deps, email, who);
const verify = (otp: string, who = client, email = EMAIL) =>
  verifyResetCode(test.deps, { email, otp }, who);
const reset = (otp: string, newPassword = NEW) =>
  resetPassword(test.deps, { email: EMAIL, otp, newPassword }, client);
const newCode = async () => {
  await ask();
  return mailed().at(-1)!.code;
};
const other = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, "0");
const WRONG = { ok: false, code: "invalid_otp" };
const TOO_MANY = { ok: false, code: "rate_limited" };

describe("a code", () => {
  it("has six digits, is good for ten minutes to the moment, and says when it ends", async () => {
    const code = await newCode();
    expect(code).toMatch(/^\d{6}$/);
    const start = test.clock.now;
    expect(mailed()[0]!.expiresAt).toBe(start + 10 * MINUTE);
    expect(test.wakes()).toBe(1);
    expect(stored()).not.toContain(code);
    test.clock.now = start + 10 * MINUTE - 1;
    // Asked for again it is not mailed again, and stays.
    expect(await ask()).toMatchObject({ ok: true });
    expect([mailed().length, codes()]).toEqual([1, 1]);
    expect(await verify(code)).toEqual({ ok: true, value: null });
    test.clock.now += 1;
    expect(await verify(code)).toMatchObject(WRONG);
    expect(await newCode()).not.toBe(code);
    expect([mailed().length, codes()]).toEqual([2, 1]);
  });

  it("ends when the clock goes back to before it was asked for, and leaves room for another", async () => {
    const code = await newCode();
    test.clock.now -= 3 * HOUR;
    expect(await verify(code)).toMatchObject(WRONG);
    await ask();
    expect([mailed().length, codes()]).toEqual([2, 1]);
    expect(await verify(mailed()[1]!.code)).toMatchObject({ ok: true });
  });

  it("of a known browser stays good beside a newer one that a stranger asked for, as its mail says", async () => {
    const own = { ...client, device: deviceOf(findAdmin(test.deps.db, "asha")!) };
    await ask(EMAIL, own);
    test.clock.now += MINUTE;
    await ask(EMAIL, from(1));
    const [mine, newest] = mailed();
    expect(await verify(newest!.code, own)).toMatchObject(WRONG);
    expect(await verify(mine!.code, own)).toMatchObject({ ok: true });
    expect(renderMessage("reset_code", sampleInput("reset_code")).text).not.toContain("newest");
  });

  it("is right for the address in any spelling, and for no other", async () => {
    await ask(` ${EMAIL.toUpperCase()} `);
    const { code } = mailed()[0]!;
    expect(await verify(code, client, `${EMAIL} `)).toMatchObject({ ok: true });
    await ask(NOBODY);
    expect(await verify(code, client, NOBODY)).toMatchObject(WRONG);
  });

  it("of an address that nobody has is kept like any other, and nothing is mailed", async () => {
    for (let i = 0; i < 12; i++) expect(await ask(NOBODY)).toEqual({ ok: true, value: null });
    expect(test.deps.db.allRaw("SELECT admin_id, code_hash FROM one_time_code")).toEqual([
      { admin_id: null, code_hash: null },
    ]);
    expect(stored()).not.toContain(NOBODY);
    expect(count("SELECT 1 FROM message")).toBe(0);
    for (let i = 0; i < 5; i++) expect(await verify("000000", client, NOBODY)).toMatchObject(WRONG);
    expect(await verify("000000", client, NOBODY)).toMatchObject(TOO_MANY);
  });

  it("is ended by twenty wrong tries from wherever, for the right one too", async () => {
    const code = await newCode();
    test.clock.now += MINUTE;
    for (let i = 0; i < 20; i++) {
      expect([i, await verify(code, from(i))]).toEqual([i, { ok: true, value: null }]);
      expect([i, await verify(other(code), from(i))]).toMatchObject([i, WRONG]);
    }
    const over = { ...TOO_MANY, retryAfter: 9 * 60 };
    expect(await verify(code, from(30))).toMatchObject(over);
    // Refused, it counts as no try of that address.
    for (let i = 0; i < 6; i++) expect(await verify(code, from(30))).toMatchObject(over);
    expect(await reset(code)).toMatchObject(over);
  });

  it("is mailed three times an hour; the owner is notified of one more, and of a flood", async () => {
    for (let i = 0; i < 3; i++) {
      await ask();
      test.clock.now += 10 * MINUTE;
    }
    expect([mailed().length, alerts()]).toEqual([3, 0]);
    await ask();
    expect([mailed().length, codes(), alerts()]).toEqual([3, 1, 1]);
    test.clock.now += 30 * MINUTE;
    await ask();
    expect([mailed().length, alerts()]).toEqual([4, 1]);
    for (let i = 0; i < 10; i++) await ask();
    expect(alerts()).toBe(1);
    // An hour after the owner was notified last.
    test.clock.now += 30 * MINUTE;
    await ask();
    expect(alerts()).toBe(2);
  });
});

describe("a reset", () => {
  it("is logged and mailed once, ends sessions and codes, and the browser is known", async () => {
    const code = await newCode();
    createSession(test.deps, "asha", { userAgent: null });
    const woken = test.wakes();
    const done = await reset(code);
    if (!done.ok) throw new Error(done.message);
    expect(knownDevice(findAdmin(test.deps.db, "asha"), done.value)).toBe(done.value.id);
    expect(test.deps.db.allRaw("SELECT actor, action FROM activity")).toEqual([
      { actor: "asha", action: "password_reset" },
    ]);
    const notice =
      "SELECT 1 FROM message WHERE json_extract(data, '$.notice') = 'password_changed'";
    expect(count(notice)).toBe(1);
    expect([count("SELECT 1 FROM admin_session"), codes(), test.wakes()]).toEqual([
      0,
      0,
      woken + 1,
    ]);
    expect(await reset(code)).toMatchObject(WRONG);
  });

  it("with a weak password or a wrong code changes nothing", async () => {
    const code = await newCode();
    const before = findAdmin(test.deps.db, "asha");
    expect(await reset(code, "password123")).toMatchObject({ code: "validation_failed" });
    expect(await reset(other(code))).toMatchObject(WRONG);
    expect([findAdmin(test.deps.db, "asha"), count("SELECT 1 FROM activity")]).toEqual([before, 0]);
    expect(await reset(code)).toMatchObject({ ok: true });
  });
});

it("every call of the flow counts for its address, and none with the limits lifted", async () => {
  for (let i = 0; i < 20; i++) {
    await ask(NOBODY);
    await verify("000000", client, `${i}@captains.example`);
    await resetPassword(
      test.deps,
      { email: `x${i}@c.example`, otp: "0", newPassword: NEW },
      client,
    );
  }
  expect(await ask()).toMatchObject(TOO_MANY);
  expect(await verify("000000")).toMatchObject(TOO_MANY);
  expect(await reset("000000")).toMatchObject(TOO_MANY);
  expect(await ask(EMAIL, from(1))).toMatchObject({ ok: true });
  test.deps.env = { ...test.deps.env, rateLimit: false };
  for (let i = 0; i < 70; i++) expect(await ask()).toMatchObject({ ok: true });
  expect([mailed().length, alerts()]).toEqual([1, 0]);
});
