/** The headers of every kind of answer, as production sends them behind https. */
import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { COUNSELORS } from "#app/catalogue.ts";
import { book } from "#tests/support/admin.ts";
import { bookingBody, dayAhead } from "#tests/support/bookings.ts";
import { sharedApp } from "#tests/support/hooks.ts";

const PUBLIC = "https://book.example.in";
const app = sharedApp({
  env: { PUBLIC_URL: PUBLIC, SAMPLE_DOCUMENTS: "1", RATE_LIMIT: undefined },
});
let bookingId: string;
beforeAll(async () => {
  bookingId = (await book(app, { date: dayAhead(7) })).id;
});

const ask = (path: string, init: RequestInit = {}) =>
  fetch(app.origin + path, { redirect: "manual", ...init });

/** One of every kind: page, private page, call, file, document, refusal, error. */
async function everyKind(): Promise<[name: string, response: Response][]> {
  const html = await (await ask("/")).text();
  const asset = /\/assets\/[^"]+\.js/.exec(html)?.[0] ?? "";
  const paths = [
    "/",
    "/?index",
    "/privacy",
    `/booking/${bookingId}`,
    `/booking/${bookingId}/calendar.ics`,
    `/BOOKING/${bookingId}`,
    `/api/invoice/${bookingId}`,
    "/api/slots",
    "/api/nothing",
    "/admin",
    "/admin/account",
    "/api/admin/appointments",
    "/find-booking",
    "/health",
    "/metrics",
    "/robots.txt",
    "/favicon.svg",
    asset,
    "/nothing",
    "/%ff",
    "/_root.data",
  ];
  const form = { body: new URLSearchParams({ intent: "book" }), method: "POST" };
  const foreign = { ...form, headers: { Origin: "https://evil.example" } };
  const asked: [string, Promise<Response>][] = [
    ...paths.map((path): [string, Promise<Response>] => [path, ask(path)]),
    ["the form", ask("/?index", form)],
    ["another site's form", ask("/?index", foreign)],
    ["PROPFIND", ask("/", { method: "PROPFIND" })],
  ];
  return Promise.all(
    asked.map(async ([name, answer]): Promise<[string, Response]> => [name, await answer]),
  );
}

describe("headers", () => {
  it("of safety stand on every answer", async () => {
    for (const [name, response] of await everyKind()) {
      const value = (header: string) => response.headers.get(header) ?? "";
      expect(value("x-content-type-options"), name).toBe("nosniff");
      expect(value("referrer-policy"), name).toBe("strict-origin-when-cross-origin");
      expect(value("strict-transport-security"), name).toBe("max-age=31536000; includeSubDomains");
      expect(value("cross-origin-opener-policy"), name).toBe("same-origin-allow-popups");
      expect(value("permissions-policy"), name).toMatch(/camera=\(\).*payment=\(self "/);
      expect(value("x-request-id"), name).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.headers.has("x-powered-by"), name).toBe(false);
      expect(response.headers.has("server"), name).toBe(false);
      const policy = value("content-security-policy");
      expect(policy, name).toContain("frame-ancestors 'none'");
      expect(policy, name).toContain("base-uri 'none'");
      expect(policy, name).toContain("object-src 'none'");
      const own = value("content-type").startsWith("text/html") ? "(self|none)" : "none";
      expect(policy, name).toMatch(new RegExp(`default-src '${own}'`));
      expect(policy, name).not.toMatch(/unsafe-inline|unsafe-eval/);
      if (response.status < 300 || response.status >= 400) {
        expect(value("content-type"), name).not.toBe("");
      }
    }
  });

  it("of a text say that its encoding is the client's choice", async () => {
    for (const path of ["/privacy", "/api/slots", "/nothing"]) {
      for (const method of ["GET", "HEAD"]) {
        const { headers } = await ask(path, { method });
        expect(headers.get("vary"), `${method} ${path}`).toBe("Accept-Encoding");
      }
    }
  });

  it("keep what is about a person out of every cache and index", async () => {
    const personal = /^\/(booking|api|admin|find-booking|calendar)(\/|$)/i;
    for (const [name, response] of await everyKind()) {
      const cache = response.headers.get("cache-control");
      if (personal.test(name) || name === "the form") {
        expect(cache, name).toBe("private, no-store");
      }
      if (personal.test(name)) {
        expect(response.headers.get("x-robots-tag"), name).toBe("noindex");
        expect(response.headers.get("cross-origin-resource-policy"), name).toBe("same-origin");
      }
    }
    const home = await ask("/");
    expect(home.headers.get("cache-control")).toBe("no-cache");
    const own = await ask("/", { headers: { Cookie: "last_booking=x" } });
    expect(own.headers.get("cache-control")).toBe("private, no-store");
  });

  it("allow a page its own inline scripts alone, by its nonce, and a kept one by their hashes", async () => {
    for (const path of ["/", "/?x", "/find-booking", `/booking/${bookingId}`, "/admin"]) {
      const response = await ask(path);
      const policy = response.headers.get("content-security-policy") ?? "";
      const html = await response.text();
      const scripts = policy.match(/script-src ([^;]*)/)?.[1] ?? "";
      expect(scripts, path).toContain("'self'");
      expect(scripts, path).not.toContain("unsafe");
      expect(html, path).not.toMatch(/ on[a-z]+="/);
      expect(html, path).not.toMatch(/<style|style="/);
      const inline = [
        ...html.matchAll(
          /<script(?![^>]*\s(?:src|type="application)[=/])([^>]*)>(.+?)<\/script>/gs,
        ),
      ];
      expect(inline.length, path).toBeGreaterThan(1);
      if (path.startsWith("/?") || path === "/") {
        const hashes = inline.map(
          ([, , code = ""]) => `'sha256-${createHash("sha256").update(code).digest("base64")}'`,
        );
        expect(new Set(scripts.match(/'sha256-[^']+'/g)), path).toEqual(new Set(hashes));
        // What many are sent is no secret.
        expect(html, path).not.toContain("nonce");
        expect(policy, path).not.toContain("nonce");
      } else {
        const nonce = /'nonce-([\w-]{22})'/.exec(scripts)?.[1];
        expect(nonce, path).toBeDefined();
        for (const [, attributes] of inline) expect(attributes).toContain(`nonce="${nonce}"`);
        expect(scripts, path).not.toContain("sha256");
      }
      expect(policy).toContain("upgrade-insecure-requests");
    }
  });

  it("have another nonce for every rendering", async () => {
    const nonces = [];
    for (let i = 0; i < 3; i++) {
      const policy = (await ask("/privacy")).headers.get("content-security-policy") ?? "";
      nonces.push(/'nonce-([^']+)'/.exec(policy)?.[1]);
    }
    expect(new Set(nonces).size).toBe(3);
  });

  it("let the payment provider in where one pays, and nowhere else", async () => {
    const provider = new URL(app.sandbox.origin).host;
    for (const [path, pays] of [
      ["/", true],
      [`/booking/${bookingId}`, true],
      ["/privacy", false],
      ["/admin", false],
      ["/find-booking", false],
    ] as const) {
      const policy = (await ask(path)).headers.get("content-security-policy") ?? "";
      expect(policy.includes(provider), path).toBe(pays);
    }
  });

  it("mark every cookie as out of scripts' reach and bound to https", async () => {
    const booked = await app.api("/api/appointments", { json: bookingBody({ date: dayAhead(8) }) });
    const login = await app.api("/api/admin/login", {
      json: { username: app.env.ADMIN_USERNAME, password: app.env.ADMIN_PASSWORD },
    });
    const session = await app.api("/api/admin/session", {
      method: "POST",
      token: login.data.token,
    });
    const cookies = [booked, session].flatMap((answer) => answer.headers.getSetCookie());
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-/);
      expect(cookie).toMatch(/; HttpOnly/i);
      expect(cookie).toMatch(/; Secure/i);
      expect(cookie).toMatch(/; SameSite=Lax/i);
      expect(cookie).toMatch(/; Path=\//i);
    }
  });
});

describe("the files for machines", () => {
  it("tell crawlers what is public, with the public address", async () => {
    const robots = await (await ask("/robots.txt")).text();
    for (const path of ["/admin", "/api/", "/booking/"]) {
      expect(robots).toContain(`Disallow: ${path}`);
    }
    expect(robots).toContain(`Sitemap: ${PUBLIC}/sitemap.xml`);
    const sitemap = await ask("/sitemap.xml");
    expect(sitemap.headers.get("content-type")).toContain("application/xml");
    const xml = await sitemap.text();
    const locations = [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => url!);
    expect(locations).toContain(`${PUBLIC}/`);
    for (const location of locations) {
      expect((await ask(location.slice(PUBLIC.length))).status, location).toBe(200);
    }
    expect(xml).not.toContain("booking/");
  });

  it("tell finders of faults where to write to", async () => {
    const response = await ask("/.well-known/security.txt");
    expect(response.headers.get("content-type")).toContain("text/plain");
    const text = await response.text();
    expect(text).toContain("Contact: mailto:");
    const expires = Date.parse(/Expires: (\S+)/.exec(text)?.[1] ?? "");
    expect(expires - Date.now()).toBeGreaterThan(90 * 86_400_000);
    expect(expires - Date.now()).toBeLessThan(366 * 86_400_000);
  });

  it("give nothing away that is not public", async () => {
    const html = await (await ask("/")).text();
    for (const counselor of COUNSELORS) {
      expect(html).not.toContain(counselor.email);
      if (counselor.meeting.kind === "link") expect(html).not.toContain(counselor.meeting.url);
    }
    for (const path of [
      "/.env",
      "/package.json",
      "/.git/config",
      "/data/bookings.db",
      "/assets/",
    ]) {
      expect((await ask(path)).status, path).toBe(404);
    }
    for (const path of ["/assets/..%2f..%2fpackage.json", "/..%2f..%2fpackage.json"]) {
      expect(await (await ask(path)).text(), path).not.toContain("dependencies");
    }
    const asset = /\/assets\/[^"]+\.js/.exec(html)?.[0] ?? "";
    expect(await (await ask(asset)).text()).not.toContain("sourceMappingURL");
    expect((await ask(`${asset}.map`)).status).toBe(404);
  });
});
