/**
 * A client on a thread of its own: asks for `/health` every 20 ms, one request at a time, and reads
 * the server's memory. Its clock runs on while the thread of the tests is at work.
 */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type Breach, clock, type WatchOptions } from "./watch.ts";

const { port, pid, localAddress, board } = workerData as WatchOptions;
const seen = new Float64Array(board);
const EVERY_MS = 20;
const SLOW_MS = 500;
/** A server that says nothing for so long is asked anew. */
const SILENCE_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** Nothing where the system does not count. */
function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Milliseconds that the server's first thread worked, and that it or this one waited for others. */
function times(): { busy: number; waited: number } {
  const [server, own] = [`/proc/${pid}/task/${pid}`, "/proc/thread-self"].map((thread) => {
    const [ran = 0, waited = 0] = read(`${thread}/schedstat`).split(" ").map(Number);
    return { ran, waited };
  });
  return { busy: server!.ran / 1e6, waited: (server!.waited + own!.waited) / 1e6 };
}

/** The status, or what happened to the connection. */
function ask(fresh: boolean): Promise<string> {
  return new Promise((resolve) => {
    const options = { port, host: "127.0.0.1", path: "/health", agent: fresh ? false : agent };
    const request = get({ ...options, ...(localAddress ? { localAddress } : {}) }, (reply) => {
      reply.resume();
      reply.on("end", () => resolve(String(reply.statusCode)));
      reply.on("error", () => resolve("cut"));
    });
    request.setTimeout(SILENCE_MS, () => request.destroy());
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

for (;;) {
  const from = clock();
  const before = times();
  seen[0] = from;
  let status = await ask(false);
  // A kept connection may have been closed at that very moment.
  if (status === "ECONNRESET" || status === "cut") status = await ask(true);
  const until = clock();
  const after = times();
  const ms = Math.max(0, until - from - (after.waited - before.waited));
  const busy = after.busy - before.busy;
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0;
  // The first is 0 while no question is open.
  seen.set([0, Math.max(seen[1]!, ms), seen[2]! + 1, Number(kib) * 1024]);
  const say = (what: string) => parentPort!.postMessage({ what, from, until } satisfies Breach);
  // Else it waited for the machine's disk. Where nobody counts, it is taken for at work.
  const isAtWork = busy === 0 || busy >= ms / 2;
  if (status !== "200") say(`/health: ${status}`);
  else if (ms > SLOW_MS && isAtWork) say(`/health late by ${Math.round(ms)} ms`);
  await pause(Math.max(0, from + EVERY_MS - clock()));
}
