/** Whose turn it is, and who gives way when one client has too much under way. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { betweenSlices, elsewhere } from "#app/core/work-queue.server.ts";
import { Admission, type Place } from "./admission.ts";

const MIB = 2 ** 20;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

class Answer extends EventEmitter {
  headersSent = false;
  destroyed = false;
  destroy() {
    this.destroyed = true;
    this.emit("close");
  }
}

let admission: Admission;
beforeEach(() => {
  admission = new Admission({ rateLimit: true });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));
const turns = async (count: number) => {
  for (let i = 0; i < count; i++) await settled();
};

/** `refusal` is the code that ended the reading, `slow` if it was the pace, `entry` if none began. */
function ask(key: string, state: "reading" | "waiting" | "answering" = "waiting") {
  const answer = new Answer();
  const entered = admission.enter(key, answer as unknown as ServerResponse);
  if (!entered.ok) return { answer, place: null as unknown as Place, refusal: "entry" };
  const place = entered.value;
  const asked = { answer, place, refusal: "" };
  if (state === "answering") answer.headersSent = true;
  if (state === "reading") {
    place.endReading = (refused) => {
      asked.refusal = refused?.code ?? "slow";
      place.endReading = null;
      place.hold(0);
    };
  }
  return asked;
}

/** Work that ends when told to; `begun` names it as it begins. */
function manualWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string, job?: () => Promise<unknown>) => {
    const [key = ""] = name.split(" ");
    const { place, answer, refusal } = ask(key);
    const done = place?.work(() => {
      begun.push(name);
      return job ? job() : new Promise<void>((end) => ends.set(name, end));
    });
    done?.catch(() => {});
    return { place, answer, done, refusal };
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await turns(3);
  };
  return { begun, work, end };
}

const fill = (key: string, state: "reading" | "waiting" | "answering", count = 300) =>
  Array.from({ length: count }, () => ask(key, state));

describe("the turns", () => {
  it("go round the clients, whatever waits of one of them", async () => {
    const { begun, work, end } = manualWork();
    for (let i = 0; i < 9; i++) work(`a ${i}`);
    await turns(10);
    for (const name of ["b 0", "b 1", "c 0"]) work(name);
    for (const name of ["a 0", "a 1", "a 2", "a 3"]) await end(name);
    expect(begun.slice(4)).toEqual(["a 4", "b 0", "c 0", "a 5"]);
  });

  it("are taken one in each turn of the event loop, so that others are served in between", async () => {
    const { begun, work } = manualWork();
    for (let i = 0; i < 50; i++) work(`a ${i}`, async () => {});
    await turns(5);
    expect(begun.length).toBeLessThan(10);
    work("b 0", async () => {});
    await turns(3);
    expect(begun).toContain("b 0");
    await turns(60);
    expect(begun).toHaveLength(51);
  });

  it("wait while requests arrive, one in each turn of the event loop, but not for ever", async () => {
    const { begun, work } = manualWork();
    for (let i = 0; i < 50; i++) {
      if (i === 15) expect(begun).toEqual(["0"]);
      work(`${i}`, async () => {});
      await settled();
    }
    expect(begun).toHaveLength(3);
    await turns(60);
    expect(begun).toHaveLength(50);
  });

  it("are not taken by a request that waits elsewhere; its client's four are, but for the provider", async () => {
    const { begun, work } = manualWork();
    const ever = new Promise<void>(() => {});
    for (let i = 0; i < 5; i++) work(`a ${i}`, () => elsewhere(ever));
    for (let i = 0; i < 5; i++) work(`b ${i}`, () => elsewhere(ever, true));
    work("c 0");
    await turns(20);
    expect(begun.filter((name) => name.startsWith("a"))).toHaveLength(4);
    expect(begun.filter((name) => name.startsWith("b"))).toHaveLength(5);
    expect(begun).toContain("c 0");
  });

  it("come again between slices, and begin no more of that client meanwhile", async () => {
    const { begun, work } = manualWork();
    let slices = 0;
    const long = async () => {
      for (let i = 0; i < 40; i++) {
        await betweenSlices();
        slices += 1;
      }
    };
    for (let i = 0; i < 5; i++) work(`a ${i}`, long);
    await turns(8);
    const before = slices;
    work("b 0", async () => {});
    await turns(4);
    expect(begun).toEqual(["a 0", "a 1", "a 2", "a 3", "b 0"]);
    expect(slices - before).toBeLessThan(5);
    await turns(300);
    expect([slices, begun.at(-1)]).toEqual([200, "a 4"]);
  });

  it("are kept until a long answer is sent", async () => {
    const { begun, work } = manualWork();
    const long = [0, 1, 2, 3].map((i) => {
      const one = work(`a ${i}`, async () => one.place.sendsMuch());
      return one;
    });
    await turns(10);
    work("a 4");
    work("b 0");
    await turns(10);
    expect(begun.slice(4)).toEqual(["b 0"]);
    long[1]!.answer.emit("close");
    await turns(3);
    expect(begun.at(-1)).toBe("a 4");
  });

  it("are not kept by a long answer that nobody is there to fetch", async () => {
    const { begun, work } = manualWork();
    for (let i = 0; i < 4; i++) {
      const one = work(`a ${i}`, async () => {
        one.answer.emit("close");
        one.place.sendsMuch();
      });
    }
    work("a 4");
    await turns(10);
    expect(begun.at(-1)).toBe("a 4");
  });

  it("are left by a client that hangs up: what waits never begins, what runs is notified", async () => {
    const { begun, work, end } = manualWork();
    const all = [0, 1, 2, 3, 4, 5].map((i) => work(`a ${i}`));
    await turns(10);
    all[4]!.answer.emit("close");
    expect(await all[4]!.done).toMatchObject({ ok: false });
    all[0]!.answer.emit("close");
    expect(all.map(({ place }) => place.signal.aborted)).toEqual([
      ...[true, false, false, false, true, false],
    ]);
    await end("a 1");
    expect(begun.slice(4)).toEqual(["a 5"]);
  });
});

describe("of one client", () => {
  it("four requests at work and 300 waiting are taken, and one of another client", () => {
    const { work } = manualWork();
    const all = Array.from({ length: 304 }, (_, i) => work(`a ${i}`));
    expect(all.some(({ refusal }) => refusal)).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(ask("a").refusal).toBe("entry");
    expect(ask("b").refusal).toBe("");
    for (const { answer } of all) answer.emit("close");
    expect(ask("a").refusal).toBe("");
  });

  it("no request is taken or counted whose client is gone already", () => {
    for (let i = 0; i < 304; i++) {
      const answer = new Answer();
      answer.destroy();
      expect(admission.enter("a", answer as unknown as ServerResponse).ok).toBe(false);
    }
    expect(ask("a").refusal).toBe("");
  });

  it("the oldest whose body is awaited gives way to another", () => {
    ask("a", "waiting");
    const [first, second] = fill("a", "reading", 303);
    expect(ask("a").refusal).toBe("");
    expect([first?.refusal, second?.refusal]).toEqual(["slow", ""]);
  });

  it("the oldest whose answer is not fetched gives way after 10 s", () => {
    ask("a", "waiting");
    const [first, second] = fill("a", "answering", 303);
    vi.advanceTimersByTime(9_999);
    expect(ask("a").refusal).toBe("entry");
    vi.advanceTimersByTime(2);
    expect(ask("a").refusal).toBe("");
    expect([first?.answer.destroyed, second?.answer.destroyed]).toEqual([true, false]);
  });

  it("bodies that were read hold their bytes until they are worked on, and may give way", async () => {
    const { work } = manualWork();
    const all = [0, 1, 2, 3, 4, 5].map((i) => {
      const { place } = ask("a", "reading");
      place.hold(1.25 * MIB);
      place.endReading = null;
      return place.work(() => new Promise(() => {})).then(({ ok }) => (ok ? i : `${i} refused`));
    });
    await turns(10);
    work("a");
    const more = ask("a", "reading");
    more.place.hold(5 * MIB);
    expect(more.refusal).toBe("");
    more.place.hold(6 * MIB);
    expect(more.refusal).toBe("unavailable");
    expect(await Promise.race([...all, settled().then(() => "none ends")])).toBe("none ends");
    const less = ask("a", "reading");
    less.place.hold(1 * MIB);
    const last = ask("a", "reading");
    last.place.hold(5 * MIB);
    expect([less.refusal, last.refusal]).toEqual(["", "unavailable"]);
  });

  it("bodies hold 8 MiB, and the largest gives way", () => {
    const small = ask("a", "reading");
    const large = ask("a", "reading");
    const other = ask("b", "reading");
    other.place.hold(5 * MIB);
    small.place.hold(2 * MIB);
    large.place.hold(5 * MIB);
    expect([small.refusal, large.refusal]).toEqual(["", ""]);
    small.place.hold(4 * MIB);
    expect([small.refusal, large.refusal, other.refusal]).toEqual(["", "unavailable", ""]);
  });
});

it("what stands apart makes no start wait", async () => {
  const { begun, work } = manualWork();
  for (let i = 0; i < 10; i++) work(`${i}`, async () => {});
  for (let i = 0; i < 12; i++) {
    admission.enter("hook", new Answer() as unknown as ServerResponse, true);
    await settled();
  }
  expect(begun).toHaveLength(10);
});

it("what stands apart waits for nobody, and its body holds nothing once it is worked on", async () => {
  const { work } = manualWork();
  for (let i = 0; i < 4; i++) work(`a ${i}`);
  await turns(10);
  const begun = Array.from({ length: 6 }, (_, i) => {
    const entered = admission.enter("hook", new Answer() as unknown as ServerResponse, true);
    if (!entered.ok) throw new Error(entered.message);
    entered.value.hold(3 * MIB);
    return entered.value.work(async () => i);
  });
  expect(await Promise.all(begun)).toEqual(
    [0, 1, 2, 3, 4, 5].map((value) => ({ ok: true, value })),
  );
});

it("all bodies hold 48 MiB, and who has most gives way", () => {
  const most = ask("most", "reading");
  most.place.hold(8 * MIB);
  const others = Array.from({ length: 10 }, (_, i) => ask(`other ${i}`, "reading"));
  for (const { place } of others) place.hold(4 * MIB);
  expect(most.refusal).toBe("");
  const late = ask("late", "reading");
  late.place.hold(2000);
  expect(most.refusal).toBe("unavailable");
  expect([late, ...others].map(({ refusal }) => refusal).join("")).toBe("");
});

it("without limits only the bytes of all are bounded", () => {
  admission = new Admission({ rateLimit: false });
  fill("a", "waiting", 500);
  expect(ask("a").refusal).toBe("");
  const [first, second] = [ask("a", "reading"), ask("a", "reading")];
  first.place.hold(40 * MIB);
  expect(first.refusal).toBe("");
  second.place.hold(10 * MIB);
  expect([first.refusal, second.refusal]).toEqual(["unavailable", ""]);
});
