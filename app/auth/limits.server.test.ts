import { describe, expect, it } from "vitest";
import type { Env } from "#app/core/env.server.ts";
import { DAY, HOUR, MINUTE } from "#app/model/dates.ts";
import {
  codeUsedUp,
  countCodeTry,
  countResetCall,
  countSignIn,
  isClosed,
  isFlood,
  maySend,
  type Signer,
} from "./limits.server.ts";

/** Counters of its own, and a clock to set. */
function limits(rateLimit = true) {
  const clock = { now: 0 };
  return { clock, deps: { env: { rateLimit } as Env, now: () => clock.now } };
}

const isRefused = (counted: object | null) => counted !== null && "ok" in counted;

/**
 * `points` tries pass, one more does not, for as long as the window lasts; the refusal says the
 * seconds. `count` is given the number of the try and is true for one that is let through.
 */
function expectLimit(
  { clock }: ReturnType<typeof limits>,
  [points, windowMs]: [number, number],
  count: (i: number) => boolean,
): void {
  const start = clock.now;
  for (let i = 0; i < points; i++) expect([i, count(i)]).toEqual([i, true]);
  expect(count(points)).toBe(false);
  clock.now = start + windowMs - 1;
  expect(count(points)).toBe(false);
  clock.now = start + windowMs;
  expect(count(points)).toBe(true);
}

const spread = (i: number) => `198.51.${i}.1`;
const stranger = { emailKey: "owner", device: "" };
const browser = { emailKey: "owner", device: "known device" };

describe("a sign-in", () => {
  it.each<[string, [number, number], (i: number) => Signer]>([
    [
      "of a name from one address",
      [5, 15 * MINUTE],
      () => ({ username: "a", address: "192.0.2.1" }),
    ],
    ["from one address", [30, HOUR], (i) => ({ username: `a${i}`, address: "192.0.2.1" })],
    ["of a name", [50, DAY], (i) => ({ username: "a", address: spread(i) })],
    ["of a known browser", [5, 15 * MINUTE], () => ({ known: "device" })],
  ])("%s is limited to the moment", (_, limit, who) => {
    const made = limits();
    expectLimit(made, limit, (i) => !isRefused(countSignIn(made.deps, who(i))));
  });

  it("of a known browser is limited by the day too", () => {
    const { clock, deps } = limits();
    let passed = 0;
    for (let quarter = 0; quarter < 95; quarter++) {
      for (let i = 0; i < 5; i++) passed += isRefused(countSignIn(deps, { known: "d" })) ? 0 : 1;
      clock.now += 15 * MINUTE;
    }
    expect(passed).toBe(50);
    clock.now = DAY;
    expect(isRefused(countSignIn(deps, { known: "d" }))).toBe(false);
  });

  it("that is given back does not count, and one that is forgiven clears the pair's failures", () => {
    const { deps } = limits();
    const who = { username: "a", address: "192.0.2.1" };
    const count = () => {
      const counted = countSignIn(deps, who);
      return "ok" in counted ? null : counted;
    };
    for (let i = 0; i < 60; i++) count()!.giveBack();
    for (let i = 0; i < 4; i++) count();
    count()!.forgive();
    for (let i = 0; i < 5; i++) expect(count()).not.toBeNull();
    expect(count()).toBeNull();
    // Nine failures of the address are kept.
    for (let i = 0; i < 21; i++) {
      expect(isRefused(countSignIn(deps, { ...who, username: `b${i}` }))).toBe(false);
    }
    expect(isRefused(countSignIn(deps, { ...who, username: "c" }))).toBe(true);
  });

  it("closes a name after fifty tries, and asking whether it did counts for nothing", () => {
    const { deps } = limits();
    for (let i = 0; i < 50; i++) {
      for (const name of ["a", " A "]) expect(isClosed(deps, name)).toBe(false);
      countSignIn(deps, { username: "a", address: spread(i) });
    }
    expect([isClosed(deps, "a"), isClosed(deps, "b")]).toEqual([true, false]);
  });

  it("is not counted with the limits lifted", () => {
    const { deps } = limits(false);
    for (let i = 0; i < 60; i++) {
      const counted = countSignIn(deps, { known: "d" });
      if ("ok" in counted) throw new Error(counted.message);
      if (i === 0) counted.giveBack();
      if (i === 1) counted.forgive();
    }
  });

  it("counts a name as one in every spelling, and another name as another", () => {
    const { deps } = limits();
    const tryAs = (username: string, address = "192.0.2.1") =>
      "ok" in countSignIn(deps, { username, address }) ? "refused" : "counted";
    for (const spelling of ["Nobody", "nobody", " NOBODY ", "nobody\t", "noBody"]) {
      expect(tryAs(spelling)).toBe("counted");
    }
    expect(tryAs("nobody")).toBe("refused");
    expect(tryAs("NoBody ")).toBe("refused");
    expect(tryAs("nobody", "192.0.2.2")).toBe("counted");
    expect(tryAs("somebody")).toBe("counted");
  });
});

describe("the reset flow", () => {
  const client = { address: "192.0.2.1", device: null };
  const device = { id: "device", adminId: "asha", proof: "proof" };

  it("is called sixty times a minute from one address, and by one known browser", () => {
    for (const who of [client, { ...client, device }]) {
      const made = limits();
      expectLimit(made, [60, MINUTE], () => countResetCall(made.deps, who) === null);
    }
    const { deps } = limits();
    for (let i = 0; i < 60; i++) countResetCall(deps, client);
    expect(countResetCall(deps, client)).toMatchObject({ code: "rate_limited", retryAfter: 60 });
    expect(countResetCall(deps, { ...client, device })).toBeNull();
    expect(countResetCall(deps, { ...client, address: "198.51.100.1" })).toBeNull();
  });

  it.each([
    ["strangers", stranger],
    ["a known browser", browser],
  ])("has its limits for a code of %s", (_, code) => {
    const asked = limits();
    expectLimit(asked, [10, HOUR], () => !isFlood(asked.deps, code));
    const sent = limits();
    expectLimit(sent, [3, HOUR], () => maySend(sent.deps, code));
    const tries = limits();
    const address = "192.0.2.1";
    expectLimit(tries, [5, 10 * MINUTE], () => {
      return !isRefused(countCodeTry(tries.deps, code, { address, sentAt: 0 }));
    });
    const wrong = limits();
    expectLimit(wrong, [50, DAY], (i) => {
      return !isRefused(countCodeTry(wrong.deps, code, { address, sentAt: i }));
    });
  });

  it("sends ten codes a day", () => {
    const { clock, deps } = limits();
    let sent = 0;
    for (let hour = 0; hour < 23; hour++) {
      for (let i = 0; i < 4; i++) sent += maySend(deps, stranger) ? 1 : 0;
      clock.now += HOUR;
    }
    expect(sent).toBe(10);
    clock.now = DAY;
    expect(maySend(deps, stranger)).toBe(true);
  });

  it("counts strangers' tries by their address, a known browser's wherever it is", () => {
    const tries = (code: typeof stranger) => {
      const { deps } = limits();
      const passed = Array.from({ length: 8 }, (_, i) =>
        countCodeTry(deps, code, { address: spread(i), sentAt: 0 }),
      );
      return passed.filter((counted) => !isRefused(counted)).length;
    };
    expect([tries(stranger), tries(browser)]).toEqual([8, 5]);
  });

  it("counts no try that is given back, and none of the code that the day's limit refused", () => {
    const { clock, deps } = limits();
    const count = (sentAt: number) =>
      countCodeTry(deps, stranger, { address: "192.0.2.1", sentAt });
    for (let i = 0; i < 60; i++) {
      const counted = count(0);
      if ("ok" in counted) throw new Error(counted.message);
      counted.giveBack();
    }
    for (let i = 0; i < 50; i++) expect(isRefused(count(i))).toBe(false);
    // Ten times, of which each would have counted for the code.
    clock.now = DAY - 1;
    for (let i = 0; i < 10; i++) expect(isRefused(count(99))).toBe(true);
    clock.now = DAY;
    for (let i = 0; i < 5; i++) expect(isRefused(count(99))).toBe(false);
    expect(isRefused(count(99))).toBe(true);
  });

  it("counts the tries of a code with the limits lifted, and nothing else", () => {
    const made = limits(false);
    const { deps } = made;
    expectLimit(made, [5, 10 * MINUTE], () => {
      return !isRefused(countCodeTry(deps, stranger, { address: "192.0.2.1", sentAt: 0 }));
    });
    for (let i = 0; i < 70; i++) {
      expect(countResetCall(deps, client)).toBeNull();
      expect(isFlood(deps, stranger)).toBe(false);
      expect(maySend(deps, stranger)).toBe(true);
      expect(isRefused(countCodeTry(deps, stranger, { address: "x", sentAt: i }))).toBe(false);
    }
  });

  it("refuses a code that is used up for as long as it lives, a second at least", () => {
    const waits = [600_000, 1_500, 1_000, 1].map((ms) => codeUsedUp(ms).retryAfter);
    expect(waits).toEqual([600, 1.5, 1, 1]);
  });

  it("takes no room from a browser that has signed in before, however many ask", () => {
    const { deps } = limits();
    const ask = (emailKey: string, device = "") => maySend(deps, { emailKey, device });
    for (let i = 0; i < 120_000; i++) ask(`made up ${i}`);
    const late = Array.from({ length: 20 }, (_, i) => ask(`late ${i}`));
    expect(late).not.toContain(true);
    expect(ask("owner", "known device")).toBe(true);
  });
});
