import { afterEach, describe, expect, it, vi } from "vitest";
import { instantOf } from "#app/model/dates.ts";
import { ownTimeOf, ownZoneName } from "./own-time.tsx";

function visitFrom(zone: string) {
  vi.stubEnv("TZ", zone);
}
afterEach(() => vi.unstubAllEnvs());

describe("ownTimeOf", () => {
  it("says nothing where the clock is India's", () => {
    visitFrom("Asia/Kolkata");
    expect(ownTimeOf(instantOf("2026-11-21", "10:00"))).toBeNull();
    visitFrom("Asia/Colombo");
    expect(ownTimeOf(instantOf("2026-11-21", "10:00"))).toBeNull();
  });

  it("names the visitor's time, and the day where it is another one", () => {
    visitFrom("Asia/Dubai");
    expect(ownTimeOf(instantOf("2026-11-21", "10:00"))).toBe("8:30 AM");
    expect(ownZoneName()).toBe("Dubai");
    visitFrom("America/New_York");
    expect(ownTimeOf(instantOf("2026-11-21", "09:00"))).toBe("10:30 PM, day before");
    visitFrom("Pacific/Auckland");
    expect(ownTimeOf(instantOf("2026-11-21", "20:00"))).toBe("3:30 AM, next day");
  });
});
