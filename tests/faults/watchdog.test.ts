/** A server whose event loop hangs is ended, so that it is started again; a late one goes on. */
import { once } from "node:events";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "#scripts/process/ports.ts";
import { preparedDb } from "#tests/helpers/app.ts";
import { testEnvironment } from "#tests/helpers/environment.ts";
import { type ServerProcess, startServerProcess } from "#tests/helpers/server-process.ts";
import { eventually } from "#tests/support/eventually.ts";
import { scratchFolder, sharedSandbox } from "#tests/support/hooks.ts";

/** What the server is told to do. */
interface Message {
  blockMs?: number;
  busyMs?: number;
  flood?: boolean;
  close?: boolean;
}

const METRICS_TOKEN = "a-token-of-tests";
/** Of ten turns. The machine may be busy with other tests: a shorter one would hit by chance. */
const WATCHDOG_MS = 3_000;
const BOOKING = "abcdefghijkmnpqrstuvwxyz23";

const folder = scratchFolder();
const sandbox = sharedSandbox();
let server: ServerProcess;

async function startServer() {
  const port = await freePort();
  const env = testEnvironment(port, join(folder, `${port}.db`), sandbox);
  const own = { ...env, METRICS_TOKEN, WATCHDOG_MS: String(WATCHDOG_MS) };
  (await preparedDb(own)).close();
  server = await startServerProcess(own, "tests/support/blockable-server.ts");
}
afterEach(() => server.stop());

async function send(message: Message) {
  const blocking = once(server.child, "message");
  server.child.send(message);
  await blocking;
}

const isWell = async () => (await fetch(`${server.origin}/health`)).status === 200;

async function slowTurns(): Promise<string[]> {
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const text = await (await fetch(`${server.origin}/metrics`, { headers })).text();
  return text.split("\n").filter((line) => line.startsWith("event_loop_slow_turns_total"));
}

/** A request that the server has begun to read and that does not end. */
async function beginRequest(path: string) {
  const headers = { Expect: "100-continue", "Content-Length": 10 };
  const sent = request(server.origin + path, { method: "POST", headers });
  sent.on("error", () => {});
  await once(sent, "continue");
  return sent;
}

describe("an event loop that hangs", () => {
  it("ends the process at once, with a line that says what was begun last", async () => {
    await startServer();
    await beginRequest(`/booking/${BOOKING}/cancel`);
    const exit = once(server.child, "close");
    await send({ blockMs: 60_000 });
    const blockedAt = performance.now();
    expect(await exit).toEqual([null, "SIGKILL"]);
    expect(performance.now() - blockedAt).toBeGreaterThan(WATCHDOG_MS * 0.8);
    expect(performance.now() - blockedAt).toBeLessThan(20_000);
    const line = JSON.parse(server.output().trim().split("\n").at(-1)!);
    expect(line).toEqual({
      level: 60,
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      seconds: WATCHDOG_MS / 1000,
      inFlight: 1,
      lastBegun: {
        requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        method: "POST",
        path: "/booking/:id/cancel",
        msAgo: expect.any(Number),
      },
      msg: "the event loop hangs: ending the process",
    });
    expect(line.lastBegun.msAgo).toBeGreaterThan(WATCHDOG_MS * 0.8);
    expect(line.lastBegun.msAgo).toBeLessThan(20_000);
    expect(server.output()).not.toContain(BOOKING);
  });

  it("ends the process also when it hangs because nobody takes what it writes", async () => {
    await startServer();
    server.child.stdout?.removeAllListeners("data").pause();
    const exit = once(server.child, "exit");
    await send({ flood: true });
    expect(await exit).toEqual([null, "SIGKILL"]);
  });
});

describe("an event loop that is late", () => {
  it("goes on, whether busy or suspended, is counted, and keeps no process alive", async () => {
    await startServer();
    const sent = await beginRequest("/webhooks/razorpay");
    await send({ busyMs: WATCHDOG_MS / 3 });
    expect(await isWell()).toBe(true);
    sent.destroy();
    await eventually(async () => {
      // A busy machine may make a second turn slow.
      const counted = /^event_loop_slow_turns_total\{route="other"\} [1-9]\d*$/;
      expect(await slowTurns()).toContainEqual(expect.stringMatching(counted));
    });
    server.child.kill("SIGSTOP");
    // A suspended process does not notice that time has passed.
    await wait(WATCHDOG_MS * 1.5);
    server.child.kill("SIGCONT");
    expect(await isWell()).toBe(true);
    await wait(WATCHDOG_MS / 2);
    expect(await isWell()).toBe(true);
    expect(server.output()).not.toContain("hangs");
    const exit = once(server.child, "exit");
    await send({ close: true });
    expect(await exit).toEqual([0, null]);
  });
});
