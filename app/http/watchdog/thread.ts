/**
 * Ends the process when its event loop hangs. It counts turns of its own timer instead of time: after
 * a suspension or a change of the clock, at most one turn lacks a beat.
 */
import { write } from "node:fs";
import { workerData } from "node:worker_threads";
import { BEAT, IN_FLIGHT, TEXT_LENGTH, type ThreadData, viewsOf } from "./shared.ts";

/** Longest wait for the last log line: an unread standard output may be why the event loop hangs. */
const WRITE_MS = 1_000;

const { memory, turnMs, turns, timeOrigin } = workerData as ThreadData;
const { counts, begunAt, text } = viewsOf(memory);

let lastBeat = -1;
let turnsWithout = 0;

const timer = setInterval(() => {
  const beat = Atomics.load(counts, BEAT);
  turnsWithout = beat === lastBeat ? turnsWithout + 1 : 0;
  lastBeat = beat;
  if (turnsWithout >= turns) endProcess();
}, turnMs);

function endProcess(): void {
  clearInterval(timer);
  // Loses nothing: what was acknowledged is on the disk.
  const end = () => process.kill(process.pid, "SIGKILL");
  setTimeout(end, WRITE_MS);
  write(1, `${JSON.stringify(lastWords())}\n`, end);
}

function lastWords() {
  const [requestId, method, path] = text.toString("latin1", 0, counts[TEXT_LENGTH]).split(" ");
  const sinceBegun = performance.timeOrigin + performance.now() - timeOrigin - begunAt[0]!;
  return {
    level: 60,
    time: new Date().toISOString(),
    seconds: (turnsWithout * turnMs) / 1000,
    inFlight: counts[IN_FLIGHT],
    ...(path ? { lastBegun: { requestId, method, path, msAgo: Math.round(sinceBegun) } } : {}),
    msg: "the event loop hangs: ending the process",
  };
}
