import { describe, expect, it } from "vitest";
import { PATHS } from "#tests/fuzz/fuzz-targets.ts";
import { book, signIn, UNKNOWN_ID } from "#tests/support/admin.ts";
import { dayAhead } from "#tests/support/bookings.ts";
import { sharedAdmin, sharedApp } from "#tests/support/hooks.ts";

const app = sharedApp();
const admin = sharedAdmin(app);

/** Every path of the map, parameters filled with an id that nothing has. */
const paths = PATHS.map((path) => path.replace(/:\w+/g, UNKNOWN_ID));

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
/** Signing in and out and the reset are for people without a session. */
const OPEN_CALLS = new Set(
  ["login", "logout", "forgot-password", "verify-otp", "reset-password"].map(
    (name) => `/api/admin/${name}`,
  ),
);
const OPEN_PAGES = new Set([
  ...["/admin", "/admin/reset-password", "/admin/logout"],
  `/admin/invitation/${UNKNOWN_ID}`,
  // A former address leads to the one that is behind the gate.
  "/admin/calendar/nothing",
]);
const DEAD_TOKEN = "A".repeat(43);

describe("without a live session", () => {
  const calls = paths.filter((path) => path.startsWith("/api/admin") && !OPEN_CALLS.has(path));

  it("knows the admin calls of the map", () => {
    expect(calls.length).toBeGreaterThan(10);
  });

  it.each(calls)("%s answers nothing but 401, whatever the method", async (path) => {
    const headers = { Authorization: `Bearer ${DEAD_TOKEN}` };
    const asked: RequestInit[] = METHODS.map((method) => ({ method }));
    for (const init of [...asked, { method: "POST", headers }]) {
      const { method } = init;
      const answer = await fetch(app.origin + path, init);
      expect([method, answer.status]).toEqual([method, 401]);
      const body = await answer.text();
      if (method === "HEAD") expect(body).toBe("");
      else expect(JSON.parse(body)).toMatchObject({ status: "error", code: "unauthenticated" });
    }
  });

  const pages = paths.filter((path) => /^\/admin(\/|$)/.test(path) && !OPEN_PAGES.has(path));

  it.each(pages)("%s leads to the sign-in", async (path) => {
    for (const [url, status] of [
      [path, 302],
      [`${path}.data`, 202],
    ] as const) {
      const answer = await app.api(url);
      expect([url, answer.status]).toEqual([url, status]);
      // A page's data names the place in its text.
      const to = answer.to ?? /"(\/admin[^"]*)"/.exec(answer.text)?.[1];
      expect(to).toMatch(/^\/admin(\?next=|$)/);
      expect(answer.text).not.toContain("Logout");
    }
    const posted = await app.api(path, { form: { intent: "anything" } });
    // A form that was not read is nowhere to come back to.
    expect(posted.led).toEqual([302, "/admin"]);
  });

  it.each([
    ["page", "/admin/appointments", 302],
    ["call", "/api/admin/appointments", 401],
  ])("the %s of a booking answers as that of an unknown id", async (_, path, status) => {
    const { id } = await book(app, { date: dayAhead(status === 302 ? 10 : 11) });
    const answerOf = async (one: string) => {
      const { led, text } = await app.api(`${path}/${one}`);
      return JSON.stringify([led, text]).replaceAll(one, "an id");
    };
    const answer = await answerOf(id);
    expect(answer).toBe(await answerOf(UNKNOWN_ID));
    expect(JSON.parse(answer)[0][0]).toBe(status);
  });
});

describe("with a session", () => {
  it("every page has the log-out, and passwords that nobody reads over a shoulder", async () => {
    const { id } = await book(app, { date: dayAhead(9) });
    const headers = { Accept: "text/html" };
    const shown: string[] = [];
    for (const path of paths.filter((one) => /^\/admin(\/|$)/.test(one))) {
      const answer = await admin.page(path.replace(UNKNOWN_ID, id), { headers });
      if (!/^text\/html/.test(answer.headers.get("Content-Type") ?? "")) continue;
      if (answer.status !== 200) continue;
      shown.push(path);
      expect(answer.text, path).toMatch(
        /<form action="\/admin\/logout" method="post">.*?Logout<\/button>/s,
      );
      for (const [input] of answer.text.matchAll(/<input[^>]*name="[^"]*password[^"]*"[^>]*>/gi)) {
        expect(input).toContain('type="password"');
        expect(input).toMatch(/autoComplete="(current|new)-password"/i);
      }
    }
    expect(shown).toContain("/admin/account");
    expect(shown.length).toBeGreaterThan(8);
  });

  it("names the methods a call has, and calls that do not exist", async () => {
    const wrong = await admin("/export", { method: "POST" });
    expect([wrong.status, wrong.code]).toEqual([405, "method_not_allowed"]);
    expect(wrong.headers.get("Allow")).toBe("GET, HEAD");
    const asked = await admin("/appointments/anything", { method: "OPTIONS" });
    expect([asked.status, asked.headers.get("Allow")]).toEqual([204, "GET, HEAD, PATCH, DELETE"]);
    expect(await admin("/nothing")).toMatchObject({ status: 404, code: "not_found" });
  });

  it("takes the cookie as well as the bearer, and the cookie only from this site", async () => {
    const given = await admin("/session", { method: "POST" });
    expect(given.data).toEqual({ admin: { username: "admin", role: "owner" } });
    const cookie = given.headers.get("Set-Cookie") ?? "";
    expect(cookie).toMatch(/Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/);
    const headers = { Cookie: cookie.split(";")[0]! };
    expect((await app.api("/api/admin/appointments", { headers })).status).toBe(200);
    const dead = { ...headers, Authorization: `Bearer ${DEAD_TOKEN}` };
    expect((await app.api("/api/admin/appointments", { headers: dead })).status).toBe(200);
    const foreign = await app.api("/api/admin/slots", {
      json: {},
      headers: { ...headers, Origin: "https://elsewhere.example" },
    });
    expect([foreign.status, foreign.code]).toEqual([403, "cross_site"]);
  });

  it("ends with the log-out, for bearer and cookie", async () => {
    const { data } = await signIn(app);
    const token: string = data.token;
    expect((await app.api("/api/admin/appointments", { token })).status).toBe(200);
    const out = await app.api("/api/admin/logout", { method: "POST", token });
    expect([out.status, out.data]).toEqual([200, {}]);
    expect(out.headers.get("Set-Cookie")).toContain("Max-Age=0");
    expect((await app.api("/api/admin/appointments", { token })).status).toBe(401);
    expect((await app.api("/api/admin/logout", { method: "POST", token })).status).toBe(200);
  });

  it("tells the browser on every way out to forget what it stored, but no cookie of ours", async () => {
    const { token }: { token: string } = (await signIn(app)).data;
    const outs = [
      await app.api("/admin/logout", { form: { token } }),
      await app.api("/admin/logout.data", { form: { token } }),
      await app.api("/api/admin/logout", { method: "POST", token }),
    ];
    expect(outs.map(({ status }) => status)).toEqual([303, 202, 200]);
    for (const { headers } of outs) {
      expect(headers.get("Clear-Site-Data")).toBe('"storage"');
      expect(headers.get("Set-Cookie")).toContain("admin_session=; ");
    }
    const dead = await app.api("/api/admin/appointments", { token });
    expect([dead.status, dead.headers.get("Clear-Site-Data")]).toEqual([401, null]);
  });

  it("keeps no token in the file", async () => {
    const files = app.db.allRaw("SELECT * FROM admin_session");
    expect(JSON.stringify(files)).not.toContain(admin.token);
  });
});
