import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HOUR, MINUTE, SECOND } from "#app/model/dates.ts";
import { Counter, type Key, takeEach, takeOne } from "./counters.server.ts";

/** Three levels of so many cells, and the last 4096. */
const bound = (room: number) => 3 * room + 4096;

const passes = (counter: Counter, key: Key, now = 0) => "count" in counter.take(key, now);
const passing = (counter: Counter, key: Key, tries: number, now = 0) =>
  Array.from({ length: tries }).filter(() => passes(counter, key, now)).length;

/** A /64 of its own for each number. */
const ipv6 = (i: number) => `2001:${(i >>> 16).toString(16)}:${(i & 0xffff).toString(16)}:1::1`;
const ipv4 = (i: number) => `${i >>> 24}.${(i >>> 16) & 255}.${(i >>> 8) & 255}.${i & 255}`;

const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc.record({ from: fc.integer({ min: 0, max: 40 }).map((i) => ipv4(0xcb007100 + 37 * i)) }),
  fc.record({ from: fc.integer({ min: 0, max: 40 }).map((i) => ipv6(16 * i)) }),
  fc.record({ from: fc.constantFrom("unknown", "::1", "203.0.113.1"), about: fc.string() }),
  fc.record({ about: fc.constantFrom("", "owner", "nobody", "203.0.113.1") }),
);

describe("a counter", () => {
  it("lets no key have more than its points in a window, whatever comes in which order", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 6 }),
        fc.array(fc.tuple(anyKey, fc.integer({ min: 0, max: 1500 })), { maxLength: 300 }),
        (points, room, tries) => {
          const counter = new Counter({ points, windowMs: 10 * SECOND }, room);
          const windows = new Map<string, { endsAt: number; passed: number }>();
          let now = 0;
          for (const [key, pause] of tries) {
            now += pause;
            const name = JSON.stringify(key);
            let window = windows.get(name);
            const taken = counter.take(key, now);
            if ("msBeforeNext" in taken) {
              expect(taken.msBeforeNext).toBeGreaterThan(0);
              expect(taken.msBeforeNext).toBeLessThanOrEqual(10_000);
              continue;
            }
            if (!window || now >= window.endsAt) window = { endsAt: taken.endsAt, passed: 0 };
            window.passed += 1;
            windows.set(name, window);
            expect(window.passed).toBeLessThanOrEqual(points);
            expect(counter.size).toBeLessThanOrEqual(bound(room));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("keeps its memory and its pace under a flood of keys, and still refuses", () => {
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    const heap = () => {
      collectGarbage();
      return process.memoryUsage().heapUsed;
    };
    const counter = new Counter({ points: 20, windowMs: HOUR });
    const owner: Key = { from: "203.0.113.9", about: "owner" };
    expect(passing(counter, owner, 15)).toBe(15);
    const before = heap();
    const { user } = process.threadCpuUsage();
    const crowd = 100_000;
    let passed = 0;
    for (let i = 0; i < crowd; i++) if (passes(counter, { from: ipv6(i * 29) })) passed += 1;
    const microseconds = (process.threadCpuUsage().user - user) / crowd;
    const grown = heap() - before;
    expect(grown).toBeLessThan(10 * 2 ** 20);
    expect(counter.size).toBeLessThanOrEqual(bound(10_000));
    expect(microseconds).toBeLessThan(200);
    // A key each, then the cells that the crowd's networks share.
    expect(passed).toBeLessThan(crowd / 2);
    // Who was counted before goes on with the own count; who comes late has no more than anybody.
    expect(passing(counter, owner, 15)).toBe(5);
    expect(passing(counter, { from: "198.51.100.4" }, 100)).toBe(20);
  });

  it("lets a crowd fill its own network's cells, and nobody else's", () => {
    const counter = new Counter({ points: 5, windowMs: HOUR }, 100);
    const crowd = (i: number) => `2001:db8:7:${i.toString(16)}::1`;
    let passed = 0;
    for (let i = 0; i < 20_000; i++) passed += passing(counter, { from: crowd(i) }, 5);
    // A hundred with a count of their own, the others in the eight cells of their /48.
    expect(passed).toBe(100 * 5 + 8 * 5);
    expect(passing(counter, { from: "2001:db8:8:1::1" }, 9)).toBe(5);
    expect(passing(counter, { from: "203.0.113.9", about: "owner" }, 9)).toBe(5);
    expect(passing(counter, { about: "owner" }, 9)).toBe(5);
  });

  it("has room again when the window is over, and stays with nothing of the crowd", () => {
    const counter = new Counter({ points: 5, windowMs: MINUTE }, 100);
    for (let i = 0; i < 10_000; i++) passes(counter, { from: ipv4(i * 997) });
    expect(passing(counter, { from: "203.0.113.9" }, 9, 60_000)).toBe(5);
    expect(counter.size).toBe(1);
  });

  it("is not kept closed by a clock that was set back", () => {
    const counter = new Counter({ points: 5, windowMs: MINUTE });
    const key = { about: "owner" };
    expect(passing(counter, key, 9, 1e12)).toBe(5);
    expect(passing(counter, key, 9, 1e9)).toBe(5);
  });

  it("forgets what is given back", () => {
    const counter = new Counter({ points: 1, windowMs: MINUTE });
    const key = { from: "203.0.113.9", about: "owner" };
    const first = takeEach([[counter, key]], 0, "no");
    const take = (rateLimit = true) =>
      takeOne({ env: { rateLimit }, now: () => 0 }, counter, key, "no");
    expect(take()).toMatchObject({ code: "rate_limited", retryAfter: 60 });
    expect(take(false)).toBeNull();
    if ("ok" in first) throw new Error(first.message);
    first.giveBack();
    expect(take()).toBeNull();
    counter.forget(key);
    expect(take()).toBeNull();
  });
});

it("a try that one of several counters refuses is counted by none", () => {
  const wide = new Counter({ points: 2, windowMs: MINUTE });
  const narrow = new Counter({ points: 1, windowMs: MINUTE });
  const key = { about: "owner" };
  const both = () =>
    takeEach(
      [
        [wide, key],
        [narrow, key],
      ] as const,
      0,
      "no",
    );
  expect("ok" in both()).toBe(false);
  expect("ok" in both()).toBe(true);
  expect(passing(wide, key, 5)).toBe(1);
});
