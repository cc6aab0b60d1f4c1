/** Signing in, and that strangers cannot close it, or the reset, for a browser that has signed in before. */
import { beforeEach, describe, expect, it } from "vitest";
import { ADMIN } from "#tests/helpers/environment.ts";
import { addAccount, adminOf, PASSWORD, sessionCookie, signIn } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";
import { quickPasswords } from "#tests/support/quick-threads.ts";
import { codeMailedBy } from "#tests/support/reset-codes.ts";

quickPasswords();
const app = sharedApp({
  now: () => now,
  env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: "x-client-address" },
});
let now = Date.now();
/** Every test has a day of its own. */
beforeEach(() => {
  now += 24 * 3_600_000 + 1;
});

const OWNER = "203.0.113.7";
const { username, password, email } = ADMIN;

interface Browser {
  address?: string;
  cookie?: string | undefined;
}

const headersOf = ({ address = OWNER, cookie }: Browser) => ({
  "X-Client-Address": address,
  ...(cookie ? { Cookie: cookie } : {}),
});

const call = (path: string, browser: Browser, json: object) =>
  app.api(`/api/admin/${path}`, { json, headers: headersOf(browser) });
const login = (browser: Browser, changes: object = {}) =>
  call("login", browser, { username, password, ...changes });

let addresses = 0;
/** A client address that has tried nothing yet. */
const fresh = () => `198.51.0.${++addresses}`;

const wrong = { password: "not-it" };

describe("POST /api/admin/login", () => {
  it("answers a token and the username", async () => {
    const answer = await signIn(app, { username: "ADMIN" });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      admin: { username: "admin", role: "owner" },
    });
  });

  it("refuses the sixth try for a name from one address, also a right one", async () => {
    for (const name of [username, "nobody-at-all"]) {
      const ip = fresh();
      for (let i = 0; i < 5; i++) {
        expect((await login({ address: ip }, { ...wrong, username: name })).status).toBe(401);
      }
      const sixth = await login({ address: ip }, { ...ADMIN, username: name });
      expect([sixth.status, sixth.code]).toEqual([429, "rate_limited"]);
      expect(Number(sixth.headers.get("Retry-After"))).toBeGreaterThan(800);
      // Another address, and another name from this one, are not concerned.
      expect((await login({ address: fresh() }, { ...wrong, username: name })).status).toBe(401);
      expect((await login({ address: ip }, { ...wrong, username: "other" })).status).toBe(401);
    }
  });

  it("counts tries made at once", async () => {
    const ip = fresh();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => login({ address: ip }, wrong)),
    );
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(5);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(15);
  });

  it("ends the session that the browser held, by call and by form", async () => {
    const held = async (by: { token: string } | { headers: { Cookie: string } }) =>
      (await app.api("/api/admin/session", { method: "POST", ...by })).status;
    const sign = async (cookie: string) => {
      const form = await app.api("/admin?index", {
        form: { username, password },
        headers: { Cookie: cookie },
      });
      return /admin_session=[^;]+/.exec(form.headers.getSetCookie().join())![0];
    };
    const { data } = await login({ address: fresh() });
    const second = await sign(sessionCookie(data.token));
    const byCookie = { headers: { Cookie: second } };
    expect([await held(data), await held(byCookie)]).toEqual([401, 200]);
    const third = await app.api("/api/admin/login", { json: ADMIN, ...byCookie });
    expect([await held(byCookie), await held(third.data)]).toEqual([401, 200]);
  });

  it("leads to the page asked for, by the form that a visitor of it is shown", async () => {
    const asked = await app.api("/admin/documents?month=2026-10");
    const { text } = await app.api(asked.to!);
    expect(text).toContain("Sign in to manage appointments");
    expect(text).toMatch(/href="\/"[^>]*>Book Session</);
    const next = /<input[^>]*name="next"[^>]*value="([^"]*)"/.exec(text)![1]!;
    const entered = await app.api("/admin?index", { form: { username, password, next } });
    expect(entered.to).toBe("/admin/documents?month=2026-10");
    const page = await app.api(entered.to!, { headers: { Cookie: entered.cookie } });
    expect(page.text).toContain("Login Successful");
  });

  it("writes who signed in, and failed tries without the name that nobody has", async () => {
    const { data } = await signIn(app);
    const logs = await app.api("/api/admin/activity-logs?pageSize=200", { token: data.token });
    expect(logs.data.logs[0]).toMatchObject({
      at: expect.stringMatching(/Z$/),
      actor: "admin",
      action: "login",
      target: null,
      before: null,
      after: { address: "127.0.0.1" },
    });
    expect(logs.text).toContain('"login_failed"');
    expect(logs.text).not.toContain("nobody-at-all");
    expect(logs.data.page).toMatchObject({ number: 1, size: 200 });
  });
});

/** What a browser would send again. */
const deviceOf = ({ headers }: { headers: Headers }) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith("admin_device="))
    ?.split(";")[0];

const statuses = async (tries: number, attempt: (i: number) => Promise<{ status: number }>) => {
  const all: number[] = [];
  for (let i = 0; i < tries; i++) all.push((await attempt(i)).status);
  return all;
};

/** The rows of mails to the business address. */
const alerts = () =>
  app.db.allRaw("SELECT 1 FROM message WHERE cause LIKE 'owner_alert:sign_in_closed:%'").length;

describe("a browser that has signed in before", () => {
  it("has a cookie of it by call and by form, which signing out leaves", async () => {
    const called = await login({});
    expect(called.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^admin_device=[^;]+; Max-Age=34560000; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const posted = await app.api("/admin?index", {
      form: { username, password },
      headers: headersOf({}),
    });
    expect(posted.status).toBe(303);
    expect(deviceOf(posted)).toBeDefined();
    const out = await app.api("/api/admin/logout", {
      method: "POST",
      token: called.data.token,
      headers: { Cookie: deviceOf(called)! },
    });
    expect(out.headers.getSetCookie().join()).not.toContain("admin_device");
    expect(deviceOf(await login({}, { password: "wrong" }))).toBeUndefined();
  });

  it("signs in while strangers lock the account, and the owner is notified once", async () => {
    const cookie = deviceOf(await login({}));
    const strangers = await statuses(51, (i) =>
      login({ address: `198.51.100.${i}` }, { password: "wrong" }),
    );
    expect(strangers.slice(0, 50).every((status) => status === 401)).toBe(true);
    expect(strangers[50]).toBe(429);
    // Nobody new gets in, the owner from another browser neither.
    expect((await login({ address: "192.0.2.1" })).status).toBe(429);
    // From wherever they come, the own address and a stranger's closed one.
    expect((await login({ cookie })).status).toBe(200);
    expect((await login({ cookie, address: "198.51.100.1" })).status).toBe(200);
    expect(alerts()).toBe(1);
  });

  it("is a stranger to other accounts, when forged, and after a new password", async () => {
    await addAccount(app.db);
    const own = deviceOf(await login({}))!;
    const ashas = deviceOf(await login({}, { username: "asha", password: PASSWORD }))!;
    const forged = own.replace(/=./, (start) => (start === "=e" ? "=f" : "=e"));
    const closed = async (cookie: string) => (await login({ cookie, address })).status;
    const address = "198.51.102.1";
    const close = () => statuses(5, () => login({ address }, { password: "wrong" }));
    await close();
    expect(await closed(own)).toBe(200);
    expect(await closed(ashas)).toBe(429);
    expect(await closed(forged)).toBe(429);
    // The same password set anew is a new one.
    const { token } = await adminOf(app);
    const changed = await app.api("/admin/account", {
      form: {
        intent: "password",
        currentPassword: password,
        newPassword: password,
        confirmPassword: password,
      },
      headers: headersOf({ cookie: `${sessionCookie(token)}; ${own}` }),
    });
    expect(changed.status).toBe(303);
    await close();
    expect(await closed(own)).toBe(429);
    // The browser that set it is known at once.
    expect(await closed(deviceOf(changed)!)).toBe(200);
  });

  it("has a code and counts of its own", async () => {
    const tryCode = (from: Browser, otp: string) => call("verify-otp", from, { email, otp });
    const newCode = (from: Browser) =>
      codeMailedBy(app, async () => {
        expect((await call("forgot-password", from, { email })).status).toBe(200);
      });
    const known = { cookie: deviceOf(await login({})) };
    const own = await newCode(known);
    // A stranger's wrong tries are none of its own, from the same address neither.
    expect(await statuses(6, () => tryCode({}, own))).toEqual([...Array(5).fill(401), 429]);
    expect((await tryCode(known, own)).status).toBe(200);
    const reset = { email, otp: own, newPassword: "another-runway-0918" };
    const done = await call("reset-password", known, reset);
    expect([done.status, done.data]).toEqual([200, {}]);
    expect(deviceOf(done)).toBeDefined();
  });
});
