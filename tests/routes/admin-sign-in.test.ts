import { TOTP } from "otpauth";
import { beforeAll, describe, expect, it } from "vitest";
import { createAdmin } from "#app/auth/manage-admins.server.ts";
import { ADMIN } from "#tests/helpers/environment.ts";
import { adminOf, sessionCookie, signIn, turnOnTotp } from "#tests/support/admin.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp({
  env: { RATE_LIMIT: "on", TRUSTED_PROXY_HEADER: "x-client-address" },
});
beforeAll(async () => {
  await adminOf(app);
});

let address = 0;
/** A client address that has tried nothing yet. */
const fresh = () => {
  address += 1;
  return `198.51.${address >> 8}.${address & 255}`;
};

const from = (ip: string, credentials: object) =>
  app.api("/api/admin/login", { json: credentials, headers: { "X-Client-Address": ip } });

const wrong = { username: ADMIN.username, password: "not-it" };

describe("POST /api/admin/login", () => {
  it("answers a token and the username", async () => {
    const answer = await signIn(app, { username: "ADMIN" });
    expect(answer.httpStatus).toBe(200);
    expect(answer.data).toEqual({
      token: expect.stringMatching(/^[\w-]{43}$/),
      admin: { username: "admin", role: "owner" },
    });
  });

  it("names missing and overlong fields in the seed's words", async () => {
    const answer = await from(fresh(), { username: " " });
    expect([answer.httpStatus, answer.code]).toEqual([400, "validation_failed"]);
    expect(answer.errors).toEqual({
      username: ["Username is required"],
      password: ["Password is required"],
    });
    expect(answer.message).toBe("Username is required");
    const long = await from(fresh(), { ...wrong, username: "a".repeat(101) });
    expect(long.errors).toEqual({ username: ["Username is too long"] });
    const text = await app.api("/api/admin/login", { body: "{", headers: JSON_TYPE });
    expect([text.httpStatus, text.code]).toEqual([400, "malformed_json"]);
    const form = await app.api("/api/admin/login", {
      body: "username=admin",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect([form.httpStatus, form.code]).toEqual([415, "unsupported_media_type"]);
  });

  it("answers a wrong password and an unknown name the same", async () => {
    const known = await from(fresh(), wrong);
    const unknown = await from(fresh(), { ...wrong, username: "nobody" });
    expect([known.httpStatus, known.code]).toEqual([401, "invalid_credentials"]);
    expect(unknown.text).toBe(known.text);
  });

  it("refuses the sixth try for a name from one address, also a right one", async () => {
    for (const username of [ADMIN.username, "nobody-at-all"]) {
      const ip = fresh();
      for (let i = 0; i < 5; i++) {
        expect((await from(ip, { ...wrong, username })).httpStatus).toBe(401);
      }
      const sixth = await from(ip, { ...ADMIN, username });
      expect([sixth.httpStatus, sixth.code]).toEqual([429, "rate_limited"]);
      expect(Number(sixth.headers.get("Retry-After"))).toBeGreaterThan(800);
      // Another address, and another name from this one, are not concerned.
      expect((await from(fresh(), { ...wrong, username })).httpStatus).toBe(401);
      expect((await from(ip, { ...wrong, username: "other" })).httpStatus).toBe(401);
    }
  });

  it("counts tries made at once", async () => {
    const ip = fresh();
    const answers = await Promise.all(Array.from({ length: 20 }, () => from(ip, wrong)));
    expect(answers.filter((answer) => answer.httpStatus === 401)).toHaveLength(5);
    expect(answers.filter((answer) => answer.httpStatus === 429)).toHaveLength(15);
  });

  it("ends the session that the browser held, by call and by form", async () => {
    const { username, password } = ADMIN;
    const held = async (by: { token: string } | { headers: { Cookie: string } }) =>
      (await app.api("/api/admin/session", { method: "POST", ...by })).httpStatus;
    const sign = async (cookie: string) => {
      const form = await app.api("/admin?index", {
        form: { username, password },
        headers: { Cookie: cookie },
      });
      return /admin_session=[^;]+/.exec(form.headers.getSetCookie().join())![0];
    };
    const { data } = await from(fresh(), ADMIN);
    const second = await sign(sessionCookie(data.token));
    const byCookie = { headers: { Cookie: second } };
    expect([await held(data), await held(byCookie)]).toEqual([401, 200]);
    const third = await app.api("/api/admin/login", {
      json: ADMIN,
      ...byCookie,
    });
    expect([await held(byCookie), await held(third.data)]).toEqual([401, 200]);
  });

  it("leads to the page asked for, by the form that a visitor of it is shown", async () => {
    const asked = await app.api("/admin/documents?month=2026-10");
    const { text } = await app.api(asked.headers.get("location")!);
    expect(text).toContain("Sign in to manage appointments");
    expect(text).toMatch(/href="\/"[^>]*>Book Session</);
    const next = /<input[^>]*name="next"[^>]*value="([^"]*)"/.exec(text)![1]!;
    const { username, password } = ADMIN;
    const entered = await app.api("/admin?index", { form: { username, password, next } });
    const { headers } = entered;
    expect(headers.get("location")).toBe("/admin/documents?month=2026-10");
    const Cookie = headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    const page = await app.api(headers.get("location")!, { headers: { Cookie } });
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
    const failed = await app.api("/api/admin/activity-logs?q=login_failed", { token: data.token });
    expect(failed.data.logs.map((log: { actor: string }) => log.actor)).toContain("unknown");
    expect(failed.text).not.toContain("nobody-at-all");
    expect(failed.data.page).toMatchObject({ number: 1, size: 50 });
  });
});

describe("the second factor", () => {
  const password = "second-factor-0917";
  const secret = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP";
  const code = (step = 0) =>
    TOTP.generate({ secret: secretOf(), timestamp: Date.now() + step * 30_000 });
  const secretOf = () => new TOTP({ secret }).secret;

  beforeAll(async () => {
    const person = { username: "careful", email: "careful@captains.example", password };
    await createAdmin({ db: app.db, now: Date.now }, person);
    turnOnTotp(app.db, app.env.SESSION_SECRET, { username: "careful", secret });
  });

  const careful = (totp?: string, ip = fresh()) =>
    from(ip, { username: "careful", password, ...(totp ? { totp } : {}) });

  it("takes a code once", async () => {
    const now = code();
    expect((await careful(now)).httpStatus).toBe(200);
    const again = await careful(now);
    expect([again.httpStatus, again.errors?.totp?.length]).toEqual([401, 1]);
    expect((await careful("000000")).httpStatus).toBe(401);
  });
});

const JSON_TYPE = { "Content-Type": "application/json" };
