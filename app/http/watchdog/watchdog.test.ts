/** Which route a slow turn of the event loop is counted for. */
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Deps } from "#app/core/deps.server.ts";
import { startWatchdog, type Watchdog } from "./watchdog.ts";

let routes: string[];
let watchdog: Watchdog;
beforeEach(async () => {
  routes = [];
  const metrics = { slowTurn: (route: string) => routes.push(route) };
  watchdog = startWatchdog({ log: {}, metrics } as unknown as Deps);
  await nextTurns();
  routes.length = 0;
});
afterEach(() => watchdog.stop());

/** Long enough for a beat. */
const nextTurns = () => wait(60);

function block(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function begin(route: string) {
  const startedAt = performance.now();
  watchdog.begun({ requestId: "x", method: "GET", path: "/", startedAt, routeNow: () => route });
}

it("that of the request that began before it, also when another began in the same turn", async () => {
  begin("/slow");
  block(300);
  begin("/quick");
  watchdog.ended();
  watchdog.ended();
  await nextTurns();
  expect(routes).toEqual(["/slow"]);
});

it("none without a request under way", async () => {
  begin("/done");
  watchdog.ended();
  await nextTurns();
  block(300);
  await nextTurns();
  expect(routes).toEqual(["none"]);
});
