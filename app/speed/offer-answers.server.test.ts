import type { IncomingMessage } from "node:http";
import { expect, it, vi } from "vitest";
import { readOfferQuery } from "#app/routes/api/offer-query.server.ts";
import { ASHA, dayAhead } from "#tests/support/bookings.ts";
import { freshDeps } from "#tests/support/hooks.ts";
import { OfferAnswers } from "./offer-answers.server.ts";

const test = freshDeps();

it("knows a question in every spelling, and none that is refused", () => {
  const answers = new OfferAnswers(test.deps, readOfferQuery);
  const ask = (query: Record<string, string>, more = "") => {
    const url = `/api/slots?${new URLSearchParams(query)}${more}`;
    return answers.ask({ method: "GET", url, headers: {} } as IncomingMessage, "/api/slots");
  };
  const date = dayAhead(9);
  const asked = { counselor: ASHA, date, package: "30" };
  answers.keep(ask(asked)!, Buffer.from("kept"));
  for (const question of [
    ask(asked, "&x=1&utm_source=zz"),
    ask({ ...asked, counselor: ` ${ASHA.toUpperCase()} ` }),
    ask({ package: " 30", date: ` ${date}`, counselor: ASHA }),
    ask(asked, "&counselor=zz&package=45"),
  ]) {
    expect(question?.kept?.toString()).toBe("kept");
  }
  expect(ask({ ...asked, package: "45" })?.kept).toBeNull();
  expect(ask({ counselor: ASHA, date })?.kept).toBeNull();
  expect([ask({ ...asked, counselor: "zz" }), ask({ ...asked, date: "zz" })]).toEqual([null, null]);
});

it("reads the file once for a question whose answer is kept", () => {
  const answers = new OfferAnswers(test.deps, () => ({ counselor: ASHA }));
  const ask = () => answers.ask({ method: "GET", headers: {} } as IncomingMessage, "/api/slots")!;
  answers.keep(ask(), Buffer.from("kept"));
  const reads = ["firstRaw", "allRaw", "has"] as const;
  const spies = reads.map((read) => vi.spyOn(test.deps.db, read));
  expect(ask().kept?.toString()).toBe("kept");
  expect(spies.flatMap(({ mock }) => mock.calls)).toHaveLength(1);
});

it("keeps two megabytes of answers with their questions, and goes on after", () => {
  const answers = new OfferAnswers(test.deps, (_, url) => ({ counselor: ASHA, url }));
  const ask = (n: number, length: number) => {
    const url = `/api/slots?n=${n}&made-up=`.padEnd(length, "x");
    const request = { method: "GET", url, headers: {} } as IncomingMessage;
    return answers.ask(request, "/api/slots")!;
  };
  const body = Buffer.alloc(500);
  const keep = (made: number, length: number) => {
    for (let n = 0; n < made; n++) answers.keep(ask(n, length), body);
  };
  const kept = (made: number, length: number) =>
    Array.from({ length: made }, (_, n) => ask(n, length).kept).filter(Boolean).length;
  keep(3_000, 100);
  expect(kept(3_000, 100)).toBe(3_000);
  keep(2_000, 8_000);
  expect(kept(3_000, 100)).toBe(0);
  const long = kept(2_000, 8_000);
  expect(long).toBeGreaterThan(0);
  expect(long).toBeLessThan(260);
});
