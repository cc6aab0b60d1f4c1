/** The signed cookies of the admin area: the next page's notice, a reset's progress, the device. */
import { describe, expect, it } from "vitest";
import { deviceOf } from "#app/auth/session.server.ts";
import { deviceHeader, readDevice } from "#app/core/cookies.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { flashCookie } from "#app/routes/admin/parts/forms.server.ts";
import type { Flash } from "#app/routes/admin/parts/page-parts.tsx";
import { readResetState, resetStateHeader } from "#app/routes/admin/sign-in/reset-state.server.ts";
import { makeDeps } from "#tests/support/deps.ts";
import { sharedDeps } from "#tests/support/hooks.ts";

const test = sharedDeps({
  PUBLIC_URL: "https://book.example.in",
  SESSION_SECRET: "a-secret-of-tests-with-more-than-32-characters",
});

const NOTICE: Flash = { id: "n", title: "Saved", description: "All is well.", variant: "default" };
const STEP = { step: "password", email: "asha@captains.example", otp: "123456" } as const;

const withCookie = (cookie: string) =>
  new Request("https://book.example.in/admin", { headers: { Cookie: cookie } });
const pairOf = (header: string) => header.split(";")[0]!;
const flashHeader = ({ env }: Pick<Deps, "env">, flash: Flash | null) =>
  flashCookie.header(env, flash);
const readFlash = ({ env }: Pick<Deps, "env">, request: Request) =>
  flashCookie.read(env, request.headers.get("cookie"));

describe("the cookies of notice and reset", () => {
  it("are bound to this host and https, out of scripts' reach, and short-lived", async () => {
    expect(await flashHeader(test.deps, NOTICE)).toMatch(
      /^__Host-admin_notice=[^;]+; Max-Age=60; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(await resetStateHeader(test.deps, STEP)).toMatch(
      /^__Host-admin_reset=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect(await flashHeader(test.deps, null)).toMatch(/^__Host-admin_notice=.*Max-Age=0;.*Secure/);
    expect(await resetStateHeader(test.deps, { step: "email" })).toMatch(
      /^__Host-admin_reset=.*Max-Age=0;.*Secure/,
    );
  });

  it("are believed under each listed secret and made under the first", async () => {
    const [old, fresh] = ["o".repeat(32), "n".repeat(32)];
    const under = async (SESSION_SECRET: string) => {
      const made = await makeDeps({ PUBLIC_URL: "https://book.example.in", SESSION_SECRET });
      made.close();
      return made.deps;
    };
    const [before, during, after] = [
      await under(old),
      await under(`${fresh},${old}`),
      await under(fresh),
    ];
    const [notice, step] = [
      withCookie(pairOf(await flashHeader(before, NOTICE))),
      withCookie(pairOf(await resetStateHeader(before, STEP))),
    ];
    expect(await readFlash(during, notice)).toMatchObject(NOTICE);
    expect(await readResetState(during, step)).toEqual(STEP);
    expect(await readFlash(after, notice)).toBeNull();
    const made = withCookie(pairOf(await flashHeader(during, NOTICE)));
    expect(await readFlash(after, made)).toMatchObject(NOTICE);
    expect(await readFlash(before, made)).toBeNull();
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

describe("the cookie of a browser that has signed in", () => {
  const asha = { id: "a", passwordHash: "$argon2id$one", inactiveSince: null };
  const read = (pair: string) => readDevice(test.deps.env, `other=1; ${pair}`);

  it("is bound to this host and https, out of scripts' reach, and lives long", async () => {
    expect(await deviceHeader(test.deps.env, deviceOf(asha))).toMatch(
      /^__Host-admin_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });

  it("is nothing when it was not made here, or tells the stored hash", async () => {
    const header = await deviceHeader(test.deps.env, deviceOf(asha));
    const forged = btoa(JSON.stringify(deviceOf(asha)));
    const notice = pairOf(await flashHeader(test.deps, NOTICE));
    for (const pair of [
      `__Host-admin_device=${forged}`,
      `__Host-admin_device=${forged}.AAAA`,
      pairOf(header).replace("__Host-", ""),
      notice.replace("admin_notice", "admin_device"),
      "__Host-admin_device=",
    ]) {
      expect([pair, await read(pair)]).toEqual([pair, null]);
    }
    expect(atob(decodeURIComponent(pairOf(header).split(/[=.]/)[1] ?? ""))).not.toContain("argon2");
  });
});
