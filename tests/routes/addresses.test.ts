/** Every address is answered the same, whichever handler knows it (`app/speed/address-handlers.ts`). */
import { describe, expect, it } from "vitest";
import { sharedApp } from "#tests/support/hooks.ts";
import { POLICIES } from "#tests/support/scenes.ts";

const app = sharedApp();

const POLICY_PAGES = POLICIES.map((name) => `/${name}`);
const PAGES = [...POLICY_PAGES, "/find-booking", "/admin"];
const CALLS = ["/health", "/api/slots", "/api/appointments", "/api/admin/appointments"];

async function answerOf(path: string) {
  const response = await fetch(app.origin + path, { redirect: "manual" });
  const text = await response.text();
  return {
    status: response.status,
    type: response.headers.get("content-type"),
    heading: /<h1[^>]*>.*?<\/h1>/s.exec(text)?.[0],
    body: text.startsWith("{") ? text : null,
  };
}

describe("an address", () => {
  // With a slash at its end an address is answered by the handler of all routes.
  it.each([...PAGES, ...CALLS])("%s is answered as the whole app answers it", async (path) => {
    const answer = await answerOf(path);
    expect(answer.status).not.toBe(404);
    expect(answer).toEqual(await answerOf(`${path}/`));
  });

  it.each(POLICY_PAGES)("%s says when it was last updated", async (path) => {
    expect((await app.api(path)).html).toMatch(/>Last updated \d{1,2} [A-Z][a-z]{2} 20\d\d</);
  });

  it.each([...POLICY_PAGES, "/captains/asha", "/nowhere"])("%s sends no scripts", async (path) => {
    const { html } = await app.api(path);
    expect(html).toContain("</html>");
    expect(html).not.toContain("modulepreload");
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")/);
  });

  it.each(["/find-booking", "/admin", "/booking/none", "/"])("%s sends scripts", async (path) => {
    const { html } = await app.api(path);
    expect(html).toContain("__reactRouterRouteModules");
    // Those of the page that is kept wait for the visitor.
    expect(html.includes('modulepreload" href')).toBe(path !== "/");
  });

  it("that does not exist is answered by the whole app", async () => {
    expect((await answerOf("/privacy/of/nobody")).status).toBe(404);
    expect((await answerOf("/api/none")).status).toBe(404);
  });

  it("of the first page tells the browser of no more routes than it needs", async () => {
    const { html } = await app.api("/find-booking");
    const routes = [...html.matchAll(/"id": "routes\/([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(routes)).toEqual(new Set(["public/home/home", "public/booking/find-booking"]));
  });
});

const WRITTEN = [
  "/payments/callback?booking=x",
  "/booking/x/cancel",
  "/admin/logout",
  "/",
  "/none",
];

it.each(WRITTEN)("%s takes no write but POST", async (path) => {
  for (const method of ["PUT", "PATCH", "DELETE"]) {
    const { status, headers } = await fetch(app.origin + path, { method, redirect: "manual" });
    expect([status, headers.get("allow")]).toEqual([405, "GET, HEAD, POST"]);
  }
});

it.each([
  ["/privacy", "GET, HEAD"],
  ["/terms", "GET, HEAD"],
  ...["/", "/admin", "/find-booking", "/booking/x/cancel"].map((path) => [path, "GET, HEAD, POST"]),
])("%s names to other methods those that it takes: %s", async (path, methods) => {
  for (const method of ["OPTIONS", "PUT", "PROPFIND"]) {
    const { status, headers } = await fetch(app.origin + path, { method, redirect: "manual" });
    expect([method, status, headers.get("allow")]).toEqual([method, 405, methods]);
  }
});

it.each([
  ["/api/slots", "GET, HEAD"],
  ["/api/appointments", "POST"],
  ["/robots.txt", "GET, HEAD"],
])("%s names to an unknown method those that it takes: %s", async (path, methods) => {
  const { status, headers } = await app.api(path, { method: "PROPFIND" });
  expect([status, headers.get("allow")]).toEqual([405, methods]);
});

const FILES = ["robots.txt", "sitemap.xml", ".well-known/security.txt", "brand/005bbf.css"];

it.each(["health", "metrics", ...FILES])("/%s refuses another method in words", async (path) => {
  for (const method of ["POST", "PUT", "DELETE"]) {
    const answer = await app.api(`/${path}`, { method });
    expect(answer).toMatchObject({ status: 405, code: "method_not_allowed" });
  }
});
