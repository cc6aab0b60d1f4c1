import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE, SECOND } from "#app/model/dates.ts";
import { openDb } from "#db/connection.server.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { writeFailures } from "./failures.server.ts";
import { listedQueue, runQueue } from "./queue.server.ts";

const world = freshDeps();
let due: string[];
let worked: string[];
let broken: string[];
/** What ceases to be due with the first work. */
let moved: string | null;
beforeEach(() => {
  [due, worked, broken, moved] = [[], [], [], null];
});

function run(deps = world.deps, name = "list", staysDue = false): Promise<number> {
  const queue = listedQueue(deps, {
    name,
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
  return runQueue(deps, queue);
}
const triedAfter = async (ms: number) => {
  world.clock.now += ms;
  worked = [];
  await run();
  return worked;
};

describe("a queue over a list", () => {
  it("puts off the row that fails, and longer each time; the others are done", async () => {
    [due, broken] = [["a", "b", "c"], ["b"]];
    expect(await run()).toBe(2);
    expect(worked).toEqual(["a", "b", "c"]);
    expect(await triedAfter(30 * SECOND - 1)).toEqual([]);
    expect(await triedAfter(1)).toEqual(["b"]);
    expect(await triedAfter(MINUTE - 1)).toEqual([]);
    expect(await triedAfter(1)).toEqual(["b"]);
    writeFailures(world.deps);
    expect(listFailures(world.deps.db, 0)).toMatchObject([
      { area: "queue: list", kind: "RangeError", count: 3 },
    ]);
  });

  it("forgets the tries of what is done", async () => {
    [due, broken] = [["a"], ["a"]];
    await run();
    broken = [];
    expect(await triedAfter(30 * SECOND)).toEqual(["a"]);
    [due, broken] = [["a"], ["a"]];
    expect(await triedAfter(0)).toEqual(["a"]);
    expect(await triedAfter(30 * SECOND)).toEqual(["a"]);
  });

  it("is not held up by more broken rows than one look takes", async () => {
    due = Array.from({ length: 250 }, (_, i) => `${i}`);
    broken = due.slice(0, 240);
    expect(await run()).toBe(10);
    due.push("new");
    expect(await triedAfter(0)).toEqual(["new"]);
  });

  it("leaves alone what is not due any more when its turn comes", async () => {
    due = ["a", "b"];
    moved = "b";
    expect(await run()).toBe(2);
    expect([worked, due]).toEqual([["a"], []]);
  });

  it("takes a row once in a run, though it stays due", async () => {
    due = ["a", "b"];
    expect(await run(world.deps, "list", true)).toBe(2);
    expect(worked).toEqual(["a", "b"]);
  });

  it("keeps a thousand rows in mind, each queue and each file its own", async () => {
    due = Array.from({ length: 1001 }, (_, i) => `${i}`);
    broken = due;
    await run();
    expect(await triedAfter(0)).toEqual(["1000"]);
    [due, worked] = [["5"], []];
    await run(world.deps, "another list");
    const other = openDb(world.deps.db.path);
    await run({ ...world.deps, db: other });
    other.close();
    expect(worked).toEqual(["5", "5"]);
  });

  it("has room again for what fails later than the longest wait", async () => {
    due = Array.from({ length: 1000 }, (_, i) => `${i}`);
    broken = [...due, "new"];
    await run();
    due = ["new"];
    expect(await triedAfter(15 * MINUTE + 30 * SECOND + 1)).toEqual(["new"]);
    expect(await triedAfter(0)).toEqual([]);
  });

  it("waits for nothing longer than it ever puts off, where the clock goes back", async () => {
    [due, broken] = [["a"], ["a"]];
    await run();
    expect(await triedAfter(-15 * MINUTE + 30 * SECOND)).toEqual([]);
    expect(await triedAfter(-1)).toEqual(["a"]);
  });
});
