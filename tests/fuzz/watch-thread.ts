/**
 * A client on a thread of its own: asks for `/health` every 20 ms, one request at a time, and reads
 * the server's memory. Its clock runs on while the thread of the tests is at work.
 */
import { readFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { type Breach, clock, type WatchOptions } from "./watch.ts";

const { port, pid, localAddress, board, limitMs } = workerData as WatchOptions;
const seen = new Float64Array(board);
const EVERY_MS = 20;
/** A server that says nothing for so long is asked anew. */
const SILENCE_MS = 60_000;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/**
 * Milliseconds that a thread has run, and that it was ready to run while the machine ran others; 0
 * where nobody counts.
 */
function timesOf(thread: string): { ran: number; waited: number } {
  try {
    const [ran, waited] = readFileSync(`${thread}/schedstat`, "utf8").split(" ");
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
  } catch {
    return { ran: 0, waited: 0 };
  }
}

function residentBytes(): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function times(): { busy: number; waited: number } {
  const server = timesOf(`/proc/${pid}/task/${pid}`);
  const own = timesOf("/proc/thread-self");
  return { busy: server.ran, waited: server.waited + own.waited };
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

async function look(): Promise<void> {
  const at = clock();
  const before = times();
  seen[0] = at;
  let status = await ask(false);
  // A kept connection may have been closed at that very moment.
  if (status === "ECONNRESET" || status === "cut") status = await ask(true);
  const whole = clock() - at;
  const after = times();
  const ms = Math.max(0, whole - (after.waited - before.waited));
  seen[0] = 0;
  seen[1] = Math.max(seen[1]!, whole);
  seen[2] = Math.max(seen[2]!, ms);
  seen[3] = seen[3]! + 1;
  seen[4] = residentBytes();
  const breach: Breach = { at, whole, ms, busy: after.busy - before.busy, status };
  if (ms > limitMs || status !== "200") parentPort!.postMessage(breach);
}

for (;;) {
  const startedAt = performance.now();
  await look();
  const rest = EVERY_MS - (performance.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, rest)));
}
