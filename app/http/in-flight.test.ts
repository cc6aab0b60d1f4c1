/** Who gives way when one client has too much under way. */
import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InFlight } from "./in-flight.ts";

const MIB = 2 ** 20;

beforeEach(() => {
  vi.useFakeTimers();
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

let inFlight: InFlight;
beforeEach(() => {
  inFlight = new InFlight({ rateLimit: true });
});

/** `refusal` is the code that ended the reading, `slow` if it was the pace. */
function ask(key: string, state: "reading" | "working" | "answering" = "working") {
  const answer = new Answer();
  const place = inFlight.take(key, answer as unknown as ServerResponse);
  const asked = { answer, place, refusal: "" };
  if (state === "answering") answer.headersSent = true;
  if (state === "reading") {
    place.beginReading((refused) => {
      asked.refusal = refused?.code ?? "slow";
      place.endReading();
    });
  }
  return asked;
}

const fill = (key: string, state: "reading" | "working" | "answering", count = 300) =>
  Array.from({ length: count }, () => ask(key, state));

describe("of one client", () => {
  it("300 requests are under way at once, and another client's one more", () => {
    const all = fill("a", "working");
    expect(all.some(({ place }) => place.isOneTooMany)).toBe(false);
    vi.advanceTimersByTime(60_000);
    expect(ask("a").place.isOneTooMany).toBe(true);
    expect(ask("b").place.isOneTooMany).toBe(false);
    for (const { answer } of all) answer.emit("close");
    expect(ask("a").place.isOneTooMany).toBe(false);
  });

  it("the oldest whose body is awaited gives way to another", () => {
    ask("a", "working");
    const [first, second] = fill("a", "reading", 299);
    expect(ask("a").place.isOneTooMany).toBe(false);
    expect([first?.refusal, second?.refusal]).toEqual(["slow", ""]);
  });

  it("the oldest whose answer is not fetched gives way after 10 s", () => {
    ask("a", "working");
    const [first, second] = fill("a", "answering", 299);
    vi.advanceTimersByTime(9_999);
    expect(ask("a").place.isOneTooMany).toBe(true);
    vi.advanceTimersByTime(2);
    expect(ask("a").place.isOneTooMany).toBe(false);
    expect([first?.answer.destroyed, second?.answer.destroyed]).toEqual([true, false]);
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
  inFlight = new InFlight({ rateLimit: false });
  fill("a", "working");
  expect(ask("a").place.isOneTooMany).toBe(false);
  const [first, second] = [ask("a", "reading"), ask("a", "reading")];
  first.place.hold(40 * MIB);
  expect(first.refusal).toBe("");
  second.place.hold(10 * MIB);
  expect([first.refusal, second.refusal]).toEqual(["unavailable", ""]);
});
