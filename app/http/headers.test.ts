import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { isCrossSiteWrite } from "./headers.ts";
import { canonicalPath } from "./path.ts";

const PUBLIC = "https://book.example.in";

const refused = (url: string, headers: IncomingMessage["headers"], method = "POST") =>
  isCrossSiteWrite({ method, headers }, canonicalPath(url) ?? "", PUBLIC);

describe("a write from another site", () => {
  it("is known by what the browser says, and a read never is one", () => {
    const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
    expect(refused("/api/appointments", foreign)).toBe(true);
    expect(refused("/api/appointments", { origin: "https://evil.example" })).toBe(true);
    expect(refused("/api/appointments", { origin: "null" })).toBe(true);
    expect(refused("/api/appointments", { origin: PUBLIC })).toBe(false);
    expect(refused("/api/appointments", {})).toBe(false);
    expect(refused("/api/appointments", foreign, "GET")).toBe(false);
    expect(refused("/api/admin/slots", { ...foreign, authorization: "Bearer x" })).toBe(false);
    expect(refused("/api/admin/slots", { ...foreign, authorization: "Basic x" })).toBe(true);
  });

  it("of a neighbour under the same domain is another site's, unless it comes from our own page", () => {
    const neighbour = { "sec-fetch-site": "same-site" };
    expect(refused("/api/appointments", neighbour)).toBe(true);
    expect(refused("/api/appointments", { ...neighbour, origin: "https://x.example.in" })).toBe(
      true,
    );
    expect(refused("/api/appointments", { ...neighbour, origin: PUBLIC })).toBe(false);
    expect(refused("/api/appointments", { "sec-fetch-site": "same-origin" })).toBe(false);
  });

  it("may go to the provider's return and the webhooks alone, in every spelling", () => {
    const foreign = { "sec-fetch-site": "cross-site" };
    for (const [url, isRefused] of [
      ["/payments/callback?booking=x", false],
      ["/payments/callback/", false],
      ["/Payments/%63allback", false],
      ["/webhooks/razorpay", false],
      ["/webhooks/../api/appointments", true],
      ["/webhooks/%2e%2e/api/appointments", true],
      ["/payments/callback/../../admin/account", true],
      ["/payments/callbacks", true],
    ] as const) {
      expect([url, refused(url, foreign)]).toEqual([url, isRefused]);
    }
  });
});
