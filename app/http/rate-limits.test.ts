import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { parseEnv } from "#app/lib/env.server.ts";
import { countRequest, LIMITS } from "./rate-limits.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** Bytes of the heap that are in use. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

const freshEnv = (rateLimit = "on") => parseEnv({ RATE_LIMIT: rateLimit }).env;

/** How many of `tries` requests pass. */
async function passing(
  env: ReturnType<typeof freshEnv>,
  method: string,
  path: string,
  tries: number,
  address: (i: number) => string = () => "203.0.113.9",
): Promise<number> {
  let passed = 0;
  for (let i = 0; i < tries; i++) {
    if (!(await countRequest(env, { method, path, address: address(i) }))) passed += 1;
  }
  return passed;
}

describe("limits by address", () => {
  it("let 60 requests a minute pass everywhere, but where an address or a mail could be guessed", async () => {
    const guessing = new Set(["changes", "findBooking"]);
    for (const [name, { points, duration }] of Object.entries(LIMITS)) {
      expect(duration).toBe(60);
      expect(points, name).toBeGreaterThanOrEqual(guessing.has(name) ? 20 : 60);
    }
  });

  it("stop what asks more, with the seconds to wait", async () => {
    const env = freshEnv();
    expect(await passing(env, "POST", "/api/appointments", 100)).toBe(LIMITS.booking.points);
    const refusal = await countRequest(env, {
      method: "POST",
      path: "/",
      address: "203.0.113.9",
    });
    expect(refusal).toMatchObject({ code: "rate_limited" });
    expect(refusal?.retryAfter).toBeGreaterThan(0);
    expect(refusal?.retryAfter).toBeLessThanOrEqual(60);
    // Reading goes on, and so does everybody else.
    expect(await passing(env, "GET", "/api/slots", 1000)).toBe(LIMITS.slots.points);
    expect(await passing(env, "POST", "/", 1, () => "203.0.113.10")).toBe(1);
  });

  it("count the form and the call of a booking together, and any other write too", async () => {
    const env = freshEnv();
    expect(await passing(env, "POST", "/", 30)).toBe(30);
    expect(await passing(env, "POST", "/api/appointments", 60)).toBe(30);
    expect(await passing(env, "PUT", "/nothing", 500)).toBe(LIMITS.writes.points - 90);
  });

  it("count an IPv6 client by its network of 64 bits", async () => {
    const env = freshEnv();
    const ownNetwork = (i: number) => `2001:db8:1:2::${i.toString(16)}`;
    expect(await passing(env, "POST", "/find-booking", 60, ownNetwork)).toBe(20);
    const networks = (i: number) => `2001:db8:1:${i.toString(16)}::1`;
    expect(await passing(env, "POST", "/find-booking", 60, networks)).toBe(59);
  });

  it("never count webhooks and the health check", async () => {
    const env = freshEnv();
    expect(await passing(env, "POST", "/webhooks/razorpay", 2000)).toBe(2000);
    expect(await passing(env, "POST", "/webhooks/whatsapp", 2000)).toBe(2000);
    expect(await passing(env, "GET", "/health", 2000)).toBe(2000);
  });

  it("are lifted by RATE_LIMIT=off", async () => {
    expect(await passing(freshEnv("off"), "POST", "/api/appointments", 2000)).toBe(2000);
  });

  it("hold a bounded number of addresses, and still stop the one that asks too much", async () => {
    const env = freshEnv();
    expect(await passing(env, "POST", "/find-booking", 30)).toBe(20);
    const many = (i: number) =>
      `2001:db8:${(i >> 16).toString(16)}:${(i & 0xffff).toString(16)}::1`;
    const before = heapInUse();
    expect(await passing(env, "POST", "/find-booking", 100_000, many)).toBe(100_000);
    const grown = heapInUse() - before;
    expect(grown).toBeLessThan(30 * 2 ** 20);
    expect(await passing(env, "POST", "/find-booking", 30)).toBe(0);
  });
});
