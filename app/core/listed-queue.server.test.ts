import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listFailures } from "#db/queries/health.server.ts";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { writeFailures } from "./failures.server.ts";
import { listedQueue, runQueue } from "./queue.server.ts";

let world: TestDeps;
let due: string[];
let worked: string[];
let broken: string[];
/** What ceases to be due with the first work. */
let moved: string | null;
beforeEach(async () => {
  world = await makeDeps();
  [due, worked, broken, moved] = [[], [], [], null];
});
afterEach(() => world.close());

function run(staysDue = false): Promise<number> {
  const queue = listedQueue(world.deps, {
    name: "list",
    list: (_, which) => {
      if ("only" in which) return due.filter((id) => id === which.only);
      return due.filter((id) => !which.except.includes(id)).slice(0, which.limit);
    },
    work(_, id) {
      worked.push(id);
      due = due.filter((other) => other !== moved);
      if (broken.includes(id)) throw new RangeError(id);
      if (!staysDue) due = due.filter((other) => other !== id);
    },
  });
  return runQueue(world.deps, queue);
}

describe("a queue over a list", () => {
  it("leaves the row that fails to the next run; the others are done", async () => {
    [due, broken] = [["a", "b", "c"], ["b"]];
    expect([await run(), await run()]).toEqual([2, 0]);
    expect(worked).toEqual(["a", "b", "c", "b"]);
    writeFailures(world.deps);
    expect(listFailures(world.deps.db, 0)).toMatchObject([
      { area: "queue: list", kind: "RangeError", count: 2 },
    ]);
    broken = [];
    expect([await run(), await run()]).toEqual([1, 0]);
  });

  it("is not held up by more broken rows than one look takes", async () => {
    due = Array.from({ length: 250 }, (_, i) => `${i}`);
    broken = due.slice(0, 240);
    expect(await run()).toBe(10);
  });

  it("leaves alone what is not due any more when its turn comes", async () => {
    due = ["a", "b"];
    moved = "b";
    expect(await run()).toBe(2);
    expect([worked, due]).toEqual([["a"], []]);
  });

  it("takes a row once in a run, though it stays due", async () => {
    due = ["a", "b"];
    expect(await run(true)).toBe(2);
    expect(worked).toEqual(["a", "b"]);
  });
});
