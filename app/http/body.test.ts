/** How slowly a body may come, on a clock of the test's own. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Failure, Outcome } from "#app/model/outcome.ts";
import { Admission, type Place } from "./admission.ts";
import { discardRest, readBody } from "./body.ts";

const KIB = 1024;
const LIMIT = 3 * KIB * KIB;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const anyResponse = () => Object.assign(new PassThrough(), { headersSent: false });

function begin() {
  const request = Object.assign(new PassThrough(), { headers: { "transfer-encoding": "chunked" } });
  const response = anyResponse() as unknown as ServerResponse;
  const entered = new Admission({ rateLimit: true }).enter("192.0.2.1", response);
  const place = (entered as { value: Place }).value;
  let read: Outcome<Buffer> | undefined;
  void readBody(request as unknown as IncomingMessage, LIMIT, place).then((body) => {
    read = body;
  });
  return { request, outcome: () => read && (read.ok ? read.value.length : (read as Failure).code) };
}

/** Writes `bytes` in each of `windows` windows of 10 s, then ends if `ends`. */
async function send({ bytes, windows, ends }: { bytes: number; windows: number; ends: boolean }) {
  const { request, outcome } = begin();
  let seconds = 0;
  for (let i = 0; i < windows && outcome() === undefined; i++) {
    await vi.advanceTimersByTimeAsync(5_000);
    request.write(Buffer.alloc(bytes));
    await vi.advanceTimersByTimeAsync(5_001);
    seconds += 10;
  }
  if (ends) request.end();
  await vi.advanceTimersByTimeAsync(1);
  return [outcome(), seconds];
}

describe("a body", () => {
  it("may take as long as it brings 4 KiB in every 10 s, up to two minutes", async () => {
    expect(await send({ bytes: 4 * KIB, windows: 11, ends: true })).toEqual([44 * KIB, 110]);
    expect(await send({ bytes: 4 * KIB - 1, windows: 11, ends: true })).toEqual([
      "request_timeout",
      10,
    ]);
    expect(await send({ bytes: 100 * KIB, windows: 20, ends: false })).toEqual([
      "request_timeout",
      120,
    ]);
  });

  it("that is short may take its 10 s", async () => {
    const { request, outcome } = begin();
    for (let i = 0; i < 9; i++) {
      request.write("x");
      await vi.advanceTimersByTimeAsync(1_000);
    }
    request.end("x");
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome()).toBe(10);
  });

  it("whose client goes away is over at once", async () => {
    const { request, outcome } = begin();
    request.destroy();
    await vi.advanceTimersByTimeAsync(1);
    expect(outcome()).toBe("request_timeout");
    expect(vi.getTimerCount()).toBe(0);
  });
});

it("the rest of a refused body is waited for while it comes, at most 10 s", async () => {
  for (const [pauses, seconds] of [
    [[500, 900, 5_000], 3],
    [Array(100).fill(500), 10],
  ] as const) {
    const request = new PassThrough();
    const startedAt = Date.now();
    let doneAt = 0;
    discardRest(request as unknown as IncomingMessage, () => {
      doneAt = Date.now();
    });
    for (const ms of pauses) {
      request.write("x");
      await vi.advanceTimersByTimeAsync(ms);
    }
    expect(Math.floor((doneAt - startedAt) / 1000)).toBe(seconds);
  }
});
