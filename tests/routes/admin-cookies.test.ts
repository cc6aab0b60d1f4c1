/** The two signed cookies of the admin area: the notice for the next page, and a reset's progress. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clearFlash, flashHeader, readFlash } from "#app/routes/admin/flash.server.ts";
import { readResetState, resetStateHeader } from "#app/routes/admin/reset-state.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";

let test: TestDeps;
beforeAll(async () => {
  test = await makeDeps({
    PUBLIC_URL: "https://book.example.in",
    SESSION_SECRET: "a-secret-of-tests-with-more-than-32-characters",
  });
});
afterAll(() => test.close());

const NOTICE = { title: "Saved", description: "All is well." };
const STEP = { step: "password", email: "asha@captains.example", otp: "123456" } as const;

const withCookie = (cookie: string) =>
  new Request("https://book.example.in/admin", { headers: { Cookie: cookie } });
const pairOf = (header: string) => header.split(";")[0]!;

describe("the cookies of notice and reset", () => {
  it("are bound to this host and https, out of scripts' reach, and short-lived", async () => {
    expect(await flashHeader(test.deps, NOTICE)).toMatch(
      /^__Host-admin_notice=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await resetStateHeader(test.deps, STEP)).toMatch(
      /^__Host-admin_reset=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(await clearFlash(test.deps)).toMatch(/^__Host-admin_notice=.*Max-Age=0;.*Secure/);
    expect(await resetStateHeader(test.deps, { step: "email" })).toMatch(
      /^__Host-admin_reset=.*Max-Age=0;.*Secure/,
    );
  });

  it("have no prefix on plain http, where browsers refuse it", async () => {
    const local = await makeDeps();
    expect(await flashHeader(local.deps, NOTICE)).toMatch(/^admin_notice=(?!.*Secure)/);
    expect(await resetStateHeader(local.deps, STEP)).toMatch(/^admin_reset=(?!.*Secure)/);
    local.close();
  });

  it("are read back as they were made", async () => {
    const notice = pairOf(await flashHeader(test.deps, NOTICE));
    expect(await readFlash(test.deps, withCookie(notice))).toMatchObject(NOTICE);
    const step = pairOf(await resetStateHeader(test.deps, STEP));
    expect(await readResetState(test.deps, withCookie(step))).toEqual(STEP);
  });

  it("are nothing when they were tampered with, or stand under another name", async () => {
    const notice = pairOf(await flashHeader(test.deps, NOTICE));
    const step = pairOf(await resetStateHeader(test.deps, STEP));
    const tampered = (pair: string) =>
      pair.replace(/=(.)(.)/, (_, a, b) => `=${b}${a === b ? "A" : a}`);
    const forged = `=${btoa(JSON.stringify(NOTICE))}`;
    for (const cookie of [
      tampered(notice),
      `__Host-admin_notice${forged}`,
      `__Host-admin_notice${forged}.AAAA`,
      // Planted by a neighbouring host.
      notice.replace("__Host-", ""),
      // One kind does not pass for the other.
      step.replace("admin_reset", "admin_notice"),
    ]) {
      expect([cookie, await readFlash(test.deps, withCookie(cookie))]).toEqual([cookie, null]);
    }
    for (const cookie of [
      tampered(step),
      step.replace("__Host-", ""),
      notice.replace("admin_notice", "admin_reset"),
    ]) {
      expect(await readResetState(test.deps, withCookie(cookie))).toEqual({ step: "email" });
    }
  });
});
