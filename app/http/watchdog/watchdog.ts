/** Watches the event loop: counts slow turns, and ends the process if it hangs. */
import { Worker } from "node:worker_threads";
import type { Deps } from "#app/core/deps.server.ts";
import { threadFile } from "#app/core/threads.server.ts";
import {
  BEAT,
  IN_FLIGHT,
  newSharedMemory,
  TEXT_LENGTH,
  type ThreadData,
  viewsOf,
} from "./shared.ts";

const BEAT_MS = 20;
const SLOW_TURN_MS = 200;
/** Small: the thread's heap holds a few numbers. */
const THREAD_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

export interface WatchdogOptions {
  turnMs?: number;
  /** Turns of the watchdog's thread without a beat after which it ends the process. */
  turns?: number;
}

export interface Begun {
  requestId: string;
  method: string;
  path: string;
  /** By `performance.now()`. */
  startedAt: number;
  /** The route's pattern as known by now. */
  routeNow: () => string;
}

export type Watchdog = ReturnType<typeof startWatchdog>;

/** Starts the thread; neither it nor the beat keeps the process alive. */
export function startWatchdog(
  { log, metrics }: Pick<Deps, "log" | "metrics">,
  { turnMs = 1_000, turns = 15 }: WatchdogOptions = {},
) {
  const memory = newSharedMemory();
  const { counts, begunAt, text } = viewsOf(memory);
  let lastBegun: Begun | null = null;
  let lookedAt = performance.now();
  let inFlight = 0;

  function look(now: number): void {
    if (now - lookedAt > BEAT_MS + SLOW_TURN_MS) metrics.slowTurn(lastBegun?.routeNow() ?? "none");
    lookedAt = now;
  }

  const beat = () => void Atomics.add(counts, BEAT, 1);

  const timer = setInterval(() => {
    beat();
    look(performance.now());
    if (inFlight === 0) lastBegun = null;
  }, BEAT_MS);
  timer.unref();

  const workerData: ThreadData = { memory, turnMs, turns, timeOrigin: performance.timeOrigin };
  const thread = new Worker(threadFile(import.meta.url, "watchdog-thread", "./thread.ts"), {
    workerData,
    resourceLimits: THREAD_LIMITS,
  });
  thread.unref();
  thread.on("error", (error) => log.error({ err: error }, "the watchdog's thread ended"));

  return {
    begun(request: Begun) {
      beat();
      // If this turn is slow so far, the previous request made it so.
      look(request.startedAt);
      lastBegun = request;
      inFlight += 1;
      counts[IN_FLIGHT] = inFlight;
      begunAt[0] = request.startedAt;
      const { requestId, method, path } = request;
      counts[TEXT_LENGTH] = text.write(`${requestId} ${method} ${path}`, "latin1");
    },
    ended() {
      inFlight -= 1;
      counts[IN_FLIGHT] = inFlight;
    },
    /** Shows that work goes on during a long turn, which several requests or tasks can share. */
    beat,
    async stop() {
      clearInterval(timer);
      await thread.terminate();
    },
  };
}
