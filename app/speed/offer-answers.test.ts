import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, it } from "vitest";
import { makeDeps, type TestDeps } from "#tests/support/deps.ts";
import { OfferAnswers } from "./offer-answers.ts";

let test: TestDeps;
beforeEach(async () => {
  test = await makeDeps();
});
afterEach(() => test.close());

it("keeps two megabytes of answers with their questions, and goes on after", () => {
  const answers = new OfferAnswers(test.deps);
  const ask = (n: number, length: number) => {
    const url = `/api/slots?n=${n}&made-up=`.padEnd(length, "x");
    const request = { method: "GET", url, headers: {} } as IncomingMessage;
    return answers.ask(request, "/api/slots")!;
  };
  const body = Buffer.alloc(500);
  const kept = (length: number) =>
    Array.from({ length: 10_000 }, (_, n) => ask(n, length).kept).filter(Boolean).length;
  for (let n = 0; n < 3_000; n++) answers.keep(ask(n, 100), body);
  expect(kept(100)).toBe(3_000);
  for (let n = 0; n < 2_000; n++) answers.keep(ask(n, 8_000), body);
  expect(kept(100)).toBe(0);
  expect(kept(8_000)).toBeGreaterThan(0);
  expect(kept(8_000)).toBeLessThan(260);
});
