import { expect, it } from "vitest";
import { inTurn, QueueFull, WorkQueue } from "./work-queue.server.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when told to; `begun` names it as it begins. */
function manualWork(queue: WorkQueue) {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<string>>();
  const signals = new Map<string, AbortSignal>();
  const ask = (name: string, { key, signal }: { key?: string; signal?: AbortSignal } = {}) => {
    const [owner = ""] = name.split(" ");
    const begin = (left: AbortSignal) => {
      begun.push(name);
      signals.set(name, left);
      const end = Promise.withResolvers<string>();
      ends.set(name, end);
      return end.promise;
    };
    const result = queue.run({ owner, begin, ...(key && { key }) }, signal);
    result.catch(() => {});
    return result;
  };
  const end = async (name: string) => {
    ends.get(name)!.resolve(`${name} done`);
    await settled();
  };
  return { begun, signals, ask, end };
}

it("makes nobody wait for more than one piece of each owner that asks again once answered", async () => {
  const { begun, ask, end } = manualWork(new WorkQueue({ mostWaiting: 100, mostOfOwner: 100 }));
  for (const name of ["asha 0", "asha 1", "asha 2", "rohan 0", "meera 0"]) ask(name);
  for (let i = 0; i < 8; i++) {
    const [owner, piece] = begun.at(-1)!.split(" ");
    await end(begun.at(-1)!);
    if (owner !== "asha") ask(`${owner} ${Number(piece) + 1}`);
  }
  expect(begun).toEqual(
    [0, 1, 2].flatMap((piece) => [`asha ${piece}`, `rohan ${piece}`, `meera ${piece}`]),
  );
});

it("begins each owner's next piece though new owners keep asking, several at once", async () => {
  const queue = new WorkQueue({ atOnce: 2, atOnceOf: () => 1, mostWaiting: 100, mostOfOwner: 100 });
  const { begun, ask, end } = manualWork(queue);
  for (const name of ["asha 0", "asha 1", "rohan 0", "guest0 0"]) ask(name);
  for (let i = 1; i < 6; i++) {
    ask(`guest${i} 0`);
    await end(begun.at(-2)!);
  }
  expect(begun.indexOf("asha 1")).toBeGreaterThan(0);
  expect(begun.indexOf("asha 1")).toBeLessThan(5);
});

it("joins a repeat to what waits or runs under its key, and to nothing that has ended", async () => {
  const { begun, ask, end } = manualWork(new WorkQueue({ mostWaiting: 2, mostOfOwner: 2 }));
  const both = [ask("asha 0", { key: "a" }), ask("asha 1", { key: "a" })];
  const later = [ask("asha 2", { key: "b" }), ask("rohan 3", { key: "b" })];
  await end("asha 0");
  await end("asha 2");
  expect(await Promise.all([...both, ...later])).toEqual([
    ...["asha 0 done", "asha 0 done"],
    ...["asha 2 done", "asha 2 done"],
  ]);
  ask("asha 4", { key: "a" });
  expect(begun).toEqual(["asha 0", "asha 2", "asha 4"]);
});

it("refuses beyond its length, of one owner and of all", async () => {
  const { ask, begun } = manualWork(new WorkQueue({ mostWaiting: 3, mostOfOwner: 2 }));
  for (const name of ["asha 0", "asha 1", "asha 2"]) ask(name);
  await expect(ask("asha 3")).rejects.toBeInstanceOf(QueueFull);
  ask("rohan 0");
  await expect(ask("rohan 1")).rejects.toBeInstanceOf(QueueFull);
  expect(begun).toEqual(["asha 0"]);
});

it("ends with its caller: what waits never begins, what runs is notified", async () => {
  const queue = new WorkQueue({ mostWaiting: 1, mostOfOwner: 1 });
  const { begun, signals, ask, end } = manualWork(queue);
  const [runs, waits, other] = [1, 2, 3].map(() => new AbortController());
  const running = ask("asha 0", { signal: runs!.signal });
  const waiting = ask("asha 1", { key: "a", signal: waits!.signal });
  const joined = ask("asha 2", { key: "a", signal: other!.signal });
  waits!.abort();
  await expect(waiting).rejects.toThrow();
  // One more has no room while somebody waits for that one.
  await expect(ask("asha 3")).rejects.toBeInstanceOf(QueueFull);
  other!.abort();
  await expect(joined).rejects.toThrow();
  ask("asha 4");
  expect(signals.get("asha 0")!.aborted).toBe(false);
  runs!.abort();
  await expect(running).rejects.toThrow();
  expect(signals.get("asha 0")!.aborted).toBe(true);
  await end("asha 0");
  expect(begun).toEqual(["asha 0", "asha 4"]);
});

it("is left by a request that has hung up before or while it waits, and takes no place meanwhile", async () => {
  const queue = new WorkQueue({ mostWaiting: 5, mostOfOwner: 5 });
  const { begun, ask, end } = manualWork(queue);
  const gone = new AbortController();
  const places: string[] = [];
  const turn = {
    signal: gone.signal,
    pause: () => {
      places.push("given up");
      return () => void places.push("taken again");
    },
    again: async () => {},
  };
  const first = inTurn(turn, () => ask("asha 0"));
  const second = inTurn(turn, () => ask("asha 1"));
  await end("asha 0");
  expect(await first).toBe("asha 0 done");
  expect(places).toEqual(["given up", "given up", "taken again"]);
  gone.abort();
  await expect(second).rejects.toThrow();
  await expect(inTurn(turn, () => ask("asha 2"))).rejects.toThrow();
  expect(begun).toEqual(["asha 0", "asha 1"]);
});

it("works side by side as far as it is allowed, of one owner too", async () => {
  const atOnceOf = (owner: string) => (owner === "files" ? 1 : 2);
  const queue = new WorkQueue({ atOnce: 2, atOnceOf, mostWaiting: 9, mostOfOwner: 9 });
  const { begun, ask, end } = manualWork(queue);
  for (const name of ["files 0", "files 1", "documents 0", "documents 1"]) ask(name);
  expect(begun).toEqual(["files 0", "documents 0"]);
  await end("documents 0");
  expect(begun.at(-1)).toBe("documents 1");
  await end("files 0");
  expect(begun.at(-1)).toBe("files 1");
  const late = ask("files 2");
  void queue.close();
  await expect(late).rejects.toBeInstanceOf(QueueFull);
});
