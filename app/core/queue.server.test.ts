/** What becomes of a queue's rows, over a table of tasks whose work the test decides. */
import Database from "better-sqlite3";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type OpenDb, openDb } from "#db/connection.server.ts";
import { listFailures } from "#db/queries/health.server.ts";
import { sharedDeps } from "#tests/support/hooks.ts";
import { writeFailures } from "./failures.server.ts";
import { type Queue, runQueue } from "./queue.server.ts";
import { OutsideError, ProviderError } from "./services.ts";

interface Task {
  id: string;
  attempts: number;
  next: number | null;
  error: string | null;
}

const world = sharedDeps();
let worked: string[];
beforeAll(() => {
  const columns = "id TEXT PRIMARY KEY, attempts INT DEFAULT 0, next INT, error TEXT";
  world.deps.db.runRaw(`CREATE TABLE task (${columns})`);
});
beforeEach(() => {
  world.clock.now = 1_000_000;
  worked = [];
  failures();
  for (const table of ["task", "failure"]) world.deps.db.runRaw(`DELETE FROM ${table}`);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const add = (...ids: string[]) => {
  for (const id of ids) world.deps.db.runRaw("INSERT INTO task (id, next) VALUES (?, 1)", [id]);
};
const stored = (id: string) => {
  const [task] = world.deps.db.allRaw<Task>("SELECT * FROM task WHERE id = ?", [id]);
  const { attempts, next, error } = task!;
  return { attempts, wait: next === null ? null : next - world.clock.now, error };
};
const DONE = { attempts: 0, wait: null, error: null };
const failures = () => {
  writeFailures(world.deps);
  return listFailures(world.deps.db, 0).map(({ area, kind, count }) => `${area} ${kind} ${count}`);
};
const LEASE = 8_000;

/** Each row is leased by its next try; `work` is done unless it throws. */
function queue(
  work: (task: Task, signal: AbortSignal) => unknown = () => {},
  changes: Partial<Queue<Task>> = {},
  db: OpenDb = world.deps.db,
): Queue<Task> {
  return {
    name: "tasks",
    keyOf: ({ id }) => id,
    attemptsOf: ({ attempts }) => attempts,
    backoff: { first: 1_000, longest: 60_000, factor: 2, spread: 0 },
    leaseMs: LEASE,
    take: ({ now, limit, leaseUntil }) =>
      db.allRaw<Task>(
        `UPDATE task SET next = ? WHERE id IN
           (SELECT id FROM task WHERE next <= ? ORDER BY next, id LIMIT ?) RETURNING *`,
        [leaseUntil, now, limit],
      ),
    async work(task, signal) {
      worked.push(task.id);
      await work(task, signal);
      db.runRaw("UPDATE task SET next = NULL WHERE id = ?", [task.id]);
    },
    putOff(tx, { id }, { attempts, nextTryAt, lastError }) {
      const values = [attempts, nextTryAt, lastError, id];
      tx.runRaw("UPDATE task SET attempts = ?, next = ?, error = ? WHERE id = ?", values);
    },
    ...changes,
  };
}

const throwing =
  (error: unknown, of = "a") =>
  (task: Task) => {
    if (task.id === of) throw error;
  };

describe("a row whose work throws", () => {
  it("is put off alone: the others are done, and a bug is counted without its words", async () => {
    add("a", "b", "c");
    const bug = queue(throwing(new TypeError("of somebody@example.in")));
    expect(await runQueue(world.deps, bug)).toBe(2);
    expect(worked).toEqual(["a", "b", "c"]);
    const error = "Could not be worked on: TypeError";
    expect(stored("a")).toEqual({ attempts: 1, wait: 1_000, error });
    expect([stored("b"), stored("c")]).toEqual([DONE, DONE]);
    expect(failures()).toEqual(["queue: tasks TypeError 1"]);
    expect(await runQueue(world.deps, bug)).toBe(0);
    world.clock.now += 1_000;
    expect(await runQueue(world.deps, bug)).toBe(0);
    expect(stored("a")).toEqual({ attempts: 2, wait: 2_000, error });
    expect(failures()).toEqual(["queue: tasks TypeError 2"]);
  });

  it.each(["rejected", "unknown", "busy", "balance"] as const)(
    "for the provider's %s does not end the run, and is no bug",
    async (fault) => {
      add("a", "b");
      const refused = queue(throwing(new ProviderError(fault, 400, "no")));
      expect(await runQueue(world.deps, refused)).toBe(1);
      expect(stored("a")).toEqual({ attempts: 1, wait: 1_000, error: `${fault}: no` });
      expect(failures()).toEqual([]);
    },
  );

  it.each(["down", "rate", "config"] as const)(
    "for the provider's %s ends the run and counts as a try, so the next run begins with others",
    async (fault) => {
      add("a", "b");
      const down = queue(throwing(new ProviderError(fault, 500, "no")));
      expect(await runQueue(world.deps, down)).toBe(0);
      expect(stored("a")).toEqual({ attempts: 1, wait: 1_000, error: `${fault}: no` });
      expect(stored("b").wait).toBeLessThan(0);
      expect(await runQueue(world.deps, down)).toBe(1);
      expect(worked).toEqual(["a", "b"]);
    },
  );

  it("for another server's answer writes its code alone to the log", async () => {
    add("a");
    const warned = vi.spyOn(world.deps.log, "warn");
    await runQueue(world.deps, queue(throwing(new OutsideError("SMTP 550", "for a@b.in"))));
    expect(JSON.stringify(warned.mock.calls)).not.toContain("a@b.in");
    const line = { queue: "tasks", attempts: 1, givenUp: false, code: "SMTP 550" };
    expect(warned).toHaveBeenCalledWith(line, expect.any(String));
    expect(failures()).toEqual([]);
    add("b");
    const alerted = vi.spyOn(world.deps.log, "error");
    const grave = new OutsideError("SMTP 535", "x", true);
    await runQueue(world.deps, queue(throwing(grave, "b"), { about: ({ id }) => ({ task: id }) }));
    expect(alerted).toHaveBeenCalledWith(
      { ...line, task: "b", code: "SMTP 535" },
      expect.any(String),
    );
    expect(warned).toHaveBeenCalledTimes(1);
  });

  it("is given up where its queue says so, by what failed", async () => {
    add("a");
    const twice = queue(throwing(new ProviderError("rejected", 400, "no")), {
      givesUp: (task, { attempts, fault }) =>
        task.attempts === 1 && attempts === 2 && fault === "rejected",
    });
    await runQueue(world.deps, twice);
    expect(stored("a").wait).toBe(1_000);
    world.clock.now += 1_000;
    await runQueue(world.deps, twice);
    expect(stored("a")).toEqual({ attempts: 2, wait: null, error: "rejected: no" });
  });

  it("and cannot be put off either comes back with its lease; the others are done", async () => {
    add("a", "b");
    const stuck = queue(throwing(new Error("x")), {
      putOff(tx) {
        tx.runRaw("UPDATE task SET error = 'half'");
        throw new RangeError("y");
      },
    });
    expect(await runQueue(world.deps, stuck)).toBe(1);
    expect(stored("a")).toEqual({ attempts: 0, wait: LEASE, error: null });
    expect(failures().sort()).toEqual(["queue: tasks Error 1", "queue: tasks RangeError 1"]);
  });
});

describe("a database that cannot be used", () => {
  const full = () => new Database.SqliteError("database or disk is full", "SQLITE_FULL");

  it("ends the run by its error, and is no try of the row", async () => {
    add("a", "b");
    await expect(runQueue(world.deps, queue(throwing(full())))).rejects.toThrow("full");
    expect(worked).toEqual(["a"]);
    expect(stored("a")).toEqual({ attempts: 0, wait: LEASE, error: null });
    expect(failures()).toEqual([]);
  });

  it("ends it once what else is in hand is done", async () => {
    add("a", "b");
    const work = async ({ id }: Task) => {
      if (id === "a") throw full();
      await new Promise((done) => setTimeout(done, 30));
    };
    await expect(runQueue(world.deps, queue(work, { atOnce: 2 }))).rejects.toThrow("full");
    expect(stored("b")).toEqual(DONE);
  });
});

describe("a run", () => {
  it("takes one row after the other, so none that was settled meanwhile", async () => {
    add("a", "b", "c");
    const work = ({ id }: Task) => {
      if (id === "a") world.deps.db.runRaw("UPDATE task SET next = NULL WHERE id = 'b'");
    };
    expect(await runQueue(world.deps, queue(work))).toBe(2);
    expect(worked).toEqual(["a", "c"]);
  });

  it("takes no more rows than it may, and none once it is stopped", async () => {
    add("a", "b", "c");
    expect(await runQueue(world.deps, queue(), AbortSignal.abort())).toBe(0);
    const two = queue(undefined, { most: 2 });
    expect([await runQueue(world.deps, two), await runQueue(world.deps, two)]).toEqual([2, 1]);
    add("d", "e");
    const stop = new AbortController();
    expect(
      await runQueue(
        world.deps,
        queue(() => stop.abort()),
        stop.signal,
      ),
    ).toBe(1);
  });

  it("shares no row with another process, and takes up that of a killed one", async () => {
    add("a", "b");
    const other = openDb(world.deps.db.path);
    const mine = queue(async ({ id }) => {
      if (id === "a") await runQueue({ ...world.deps, db: other }, queue(undefined, {}, other));
    });
    expect(await runQueue(world.deps, mine)).toBe(1);
    expect(worked).toEqual(["a", "b"]);
    add("c");
    const killed = queue();
    killed.take({
      now: world.clock.now,
      limit: 1,
      leaseUntil: world.clock.now + LEASE,
      except: [],
    });
    world.clock.now += LEASE - 1;
    expect(await runQueue({ ...world.deps, db: other }, queue(undefined, {}, other))).toBe(0);
    world.clock.now += 1;
    expect(await runQueue({ ...world.deps, db: other }, queue(undefined, {}, other))).toBe(1);
    other.close();
  });

  it("of several at once goes on beside a slow row, and looks for new ones", async () => {
    vi.useFakeTimers({ now: 0 });
    add("slow", "a", "b");
    const inHand = new Map<string, Promise<void>>();
    const work = ({ id }: Task) =>
      new Promise((done) => setTimeout(done, id === "slow" ? 900 : 10));
    const running = runQueue(world.deps, queue(work, { atOnce: 2, inHand }));
    await vi.advanceTimersByTimeAsync(1);
    expect([worked, [...inHand.keys()]]).toEqual([
      ["a", "b"],
      ["a", "b"],
    ]);
    await vi.advanceTimersByTimeAsync(100);
    add("new");
    await vi.advanceTimersByTimeAsync(250);
    expect(worked).toEqual(["a", "b", "slow", "new"]);
    await vi.advanceTimersByTimeAsync(600);
    expect(await running).toBe(4);
    expect(inHand.size).toBe(0);
  });

  it("renews the lease of what lasts, and ends what has lost it", async () => {
    vi.useFakeTimers({ now: 0 });
    add("slow");
    const leases: number[] = [];
    const ended = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 60_000));
    const running = runQueue(
      world.deps,
      queue(
        (_, signal) =>
          Promise.race([ended, new Promise((done) => signal.addEventListener("abort", done))]),
        {
          renew: (_, leaseUntil) => {
            leases.push(leaseUntil - world.clock.now);
            if (leases.length === 2) throw new Error("busy");
            return leases.length < 4;
          },
        },
      ),
    );
    ended.catch(() => {});
    await vi.advanceTimersByTimeAsync(LEASE);
    expect(await running).toBe(1);
    expect(leases).toEqual([LEASE, LEASE, LEASE, LEASE]);
  });

  it("that is stopped gives what is in hand five seconds", async () => {
    vi.useFakeTimers({ now: 0 });
    add("slow");
    const stop = new AbortController();
    let isEnded = false;
    const work = (_: Task, signal: AbortSignal) =>
      new Promise<void>((done) =>
        signal.addEventListener("abort", () => {
          isEnded = true;
          done();
        }),
      );
    const running = runQueue(world.deps, queue(work), stop.signal);
    await vi.advanceTimersByTimeAsync(10);
    stop.abort();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(isEnded).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect([isEnded, await running, vi.getTimerCount()]).toEqual([true, 1, 0]);
  });
});
