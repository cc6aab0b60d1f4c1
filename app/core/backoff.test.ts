import { describe, expect, it } from "vitest";
import { BACKOFF, delay, GIVE_UP_AFTER } from "./backoff.ts";

describe("the time of the next try", () => {
  const inSeconds = (settings: Parameters<typeof delay>[1], tries: number) =>
    Array.from({ length: tries }, (_, i) => delay(i + 1, settings) / 1000);

  it.each([
    ["message", BACKOFF.message, [3, 12, 48, 192, 768, 900, 900]],
    ["channel", BACKOFF.channel, [1.5, 6, 24, 60, 60]],
    ["refund", BACKOFF.refund, [2, 4, 8, 16, 32, 64]],
    ["event", BACKOFF.providerEvent, [1, 2, 4, 8, 16]],
    ["order", { ...BACKOFF.order, first: 60_000 }, [60, 120, 240]],
  ])("of a %s grows", (_, settings, seconds) => {
    expect(inSeconds(settings, seconds.length)).toEqual(seconds);
    expect(delay(40, settings)).toBe(settings.longest);
  });

  it("is spread each way", () => {
    expect(delay(2, BACKOFF.refund, 0)).toBe(3_000);
    expect(delay(2, BACKOFF.refund, 0.999999)).toBe(5_000);
    expect(delay(2, BACKOFF.channel, 0)).toBe(6_000);
  });

  it("of a message lasts about three days in all", () => {
    const waits = inSeconds(BACKOFF.message, GIVE_UP_AFTER - 1);
    const days = waits.reduce((sum, wait) => sum + wait, 0) / 86_400;
    expect(days).toBeGreaterThan(2.9);
    expect(days).toBeLessThan(3.1);
  });
});
