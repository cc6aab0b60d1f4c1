import { describe, expect, it } from "vitest";
import { parseEnv } from "#app/core/env.server.ts";
import { countRequest, isExempt, LIMITS } from "./rate-limits.ts";

const freshEnv = (rateLimit = "on") => parseEnv({ RATE_LIMIT: rateLimit }).env;

/** How many of `tries` requests pass. */
function passing(
  env: ReturnType<typeof freshEnv>,
  method: string,
  path: string,
  tries: number,
  address: (i: number) => string = () => "203.0.113.9",
  now = Date.now,
): number {
  let passed = 0;
  for (let i = 0; i < tries; i++) {
    if (!countRequest({ env, now }, { method, path, address: address(i) })) passed += 1;
  }
  return passed;
}

describe("limits by address", () => {
  it("let 60 requests a minute pass everywhere", () => {
    for (const [name, { points, windowMs }] of Object.entries(LIMITS)) {
      expect(windowMs).toBe(60_000);
      expect(points, name).toBeGreaterThanOrEqual(60);
    }
  });

  it("stop what asks more, with the seconds to wait", () => {
    const env = freshEnv();
    expect(passing(env, "POST", "/api/appointments", 100)).toBe(LIMITS.booking.points);
    const asked = { method: "POST", path: "/", address: "203.0.113.9" };
    const refusal = countRequest({ env, now: Date.now }, asked);
    expect(refusal).toMatchObject({ code: "rate_limited" });
    expect(refusal?.retryAfter).toBeGreaterThan(0);
    expect(refusal?.retryAfter).toBeLessThanOrEqual(60);
    // Reading goes on, and so does everybody else.
    expect(passing(env, "GET", "/api/slots", 1000)).toBe(LIMITS.slots.points);
    expect(passing(env, "POST", "/", 1, () => "203.0.113.10")).toBe(1);
  });

  it("count what only looks like a webhook or the health check", () => {
    const env = freshEnv();
    const most = (method: string, path: string) => passing(env, method, path, 700);
    const apart = ["GET /health", "GET /webhooks/whatsapp", "POST /webhooks/whatsapp"];
    for (const asked of [...apart, "POST /webhooks/razorpay"]) {
      const [method = "", path = ""] = asked.split(" ");
      expect(most(method, path), asked).toBe(700);
    }
    expect(most("POST", "/webhooks/other")).toBe(LIMITS.writes.points);
    expect(most("GET", "/webhooks/razorpay")).toBe(LIMITS.reads.points);
    expect(most("GET", "/health/x")).toBe(0);
    expect(isExempt({ method: "POST", path: "/webhooks/whatsapp" })).toBe(true);
    expect(isExempt({ method: "POST", path: "/webhooks/whatsapp/x" })).toBe(false);
    expect(isExempt({ method: "DELETE", path: "/webhooks/whatsapp" })).toBe(false);
    expect(isExempt({ method: "POST", path: "/health" })).toBe(false);
  });

  it("count by the clock that is given", () => {
    const env = freshEnv();
    let now = 1_000_000;
    const pass = () => passing(env, "POST", "/", 100, undefined, () => now);
    expect([pass(), pass()]).toEqual([60, 0]);
    now += 60_000;
    expect(pass()).toBe(60);
  });

  it("count the form and the call of a booking together, and any other write too", () => {
    const env = freshEnv();
    expect(passing(env, "POST", "/", 30)).toBe(30);
    expect(passing(env, "POST", "/api/appointments", 60)).toBe(30);
    expect(passing(env, "PUT", "/nothing", 500)).toBe(LIMITS.writes.points - 90);
  });

  it("count an IPv6 client by its network of 64 bits", () => {
    const env = freshEnv();
    const ownNetwork = (i: number) => `2001:db8:1:2::${i.toString(16)}`;
    expect(passing(env, "POST", "/find-booking", 99, ownNetwork)).toBe(60);
    const networks = (i: number) => `2001:db8:1:${i.toString(16)}::1`;
    expect(passing(env, "POST", "/find-booking", 60, networks)).toBe(59);
  });

  it("are lifted by RATE_LIMIT=off", () => {
    expect(passing(freshEnv("off"), "POST", "/api/appointments", 2000)).toBe(2000);
  });
});
