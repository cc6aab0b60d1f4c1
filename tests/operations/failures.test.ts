/** Errors nobody expected: grouped, bounded, without a word that may name somebody. */
import { describe, expect, it } from "vitest";
import { FAILURE_AGE, noteFailure, writeFailures } from "#app/core/failures.server.ts";
import { sweep } from "#app/jobs/retention.server.ts";
import { DAY } from "#app/model/dates.ts";
import { type Failure, listFailures } from "#db/queries/health.server.ts";
import { freshDeps } from "#tests/support/hooks.ts";

const test = freshDeps();

const note = (error: unknown, area = "GET /booking/:id", requestId?: string) =>
  noteFailure(test.deps, error, { area, ...(requestId ? { requestId } : {}) });
const all = (): Failure[] => listFailures(test.deps.db, 0);

class LostParcel extends Error {
  override name = "LostParcel";
}

function unpack(message: string): Error {
  return Object.assign(new LostParcel(message), { code: "PARCEL_LOST" });
}

describe("what fails inside", () => {
  it("is one row by where and what it is, with the newest request's id", () => {
    const first = test.clock.now;
    for (let n = 1; n <= 3; n++) {
      note(unpack(`no parcel ${n}`), "GET /booking/:id", `request-${n}`);
      writeFailures(test.deps);
      test.clock.now += 1_000;
    }
    note(unpack("no parcel"), "POST /");
    note(new TypeError("x is not a function"));
    writeFailures(test.deps);
    expect(all()).toHaveLength(3);
    const [row] = all().filter(({ count }) => count === 3);
    expect(row).toMatchObject({
      area: "GET /booking/:id",
      kind: "LostParcel PARCEL_LOST",
      requestId: "request-3",
      firstAt: first,
      lastAt: first + 2_000,
    });
    expect(row!.place).toMatch(/^unpack tests\/operations\/failures\.test\.ts:\d+ ← /);
  });

  it("keeps nothing of an error's words, wherever they stand", () => {
    const words = "priya@visitors.example +919876512345 k3v9m2xq7t4hn8wpz5c6y2rdab";
    const fake = `${words}\n    at priya (${process.cwd()}/priya.ts:1:2)\n    at x (file:///priya:1:1)`;
    note(unpack(words));
    note(unpack(fake));
    note(Object.assign(new Error(words), { name: words, code: words }));
    const changed = new Error("before");
    changed.message = "priya, after";
    note(changed);
    note(words);
    note({ message: words, stack: fake });
    writeFailures(test.deps);
    expect(all().length).toBeGreaterThan(3);
    expect(JSON.stringify(all())).not.toMatch(/priya|98765|k3v9/i);
  });

  it("takes anything that can be thrown, and never throws", () => {
    const hostile = new Proxy(new Error("x"), {
      get() {
        throw new Error("do not touch");
      },
    });
    for (const thrown of [null, undefined, 1, Symbol("s"), hostile, new Error("")]) {
      expect(() => note(thrown)).not.toThrow();
    }
    const noClock = () => {
      throw new Error("no clock");
    };
    expect(() =>
      noteFailure({ ...test.deps, now: noClock }, new Error("x"), { area: "a" }),
    ).not.toThrow();
  });

  it("in a storm is one write, of a bounded number of rows", () => {
    const before = test.deps.db.driver.prepare("SELECT total_changes() AS n");
    for (let n = 0; n < 2_000; n++) note(unpack(`${n}`));
    expect(all()).toEqual([]);
    const { n } = before.get() as { n: number };
    writeFailures(test.deps);
    writeFailures(test.deps);
    expect((before.get() as { n: number }).n - n).toBe(1);
    expect(all()).toMatchObject([{ count: 2_000 }]);
    for (let round = 0; round < 10; round++) {
      for (let area = 0; area < 200; area++) note(unpack("x"), `GET /${round}/${area}`);
      test.clock.now += 1;
      writeFailures(test.deps);
    }
    expect(all()).toHaveLength(100);
    expect(all()[0]!.area).toMatch(/^GET \/9\//);
    const longest = all().map((row) => JSON.stringify(row).length);
    expect(Math.max(...longest)).toBeLessThan(1_000);
  });

  it("stays noted while it cannot be written, and goes by schedule a week after the last time", async () => {
    note(unpack("x"));
    test.deps.db.driver.pragma("query_only = ON");
    expect(() => writeFailures(test.deps)).toThrow();
    test.deps.db.driver.pragma("query_only = OFF");
    writeFailures(test.deps);
    test.clock.now += FAILURE_AGE - DAY;
    await sweep(test.deps);
    expect(all()).toMatchObject([{ count: 1 }]);
    test.clock.now += DAY + 1;
    await sweep(test.deps);
    expect(all()).toEqual([]);
  });
});
