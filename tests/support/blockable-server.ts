/**
 * The built server in a process that takes orders: `{ blockMs }` blocks its event loop for so long,
 * `{ busyMs }` keeps it busy, `{ flood: true }` writes to standard output until nobody takes it,
 * `{ close: true }` closes the server. Its watchdog waits `WATCHDOG_MS`, in ten turns.
 */
import { writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Order {
  blockMs?: number;
  busyMs?: number;
  flood?: boolean;
  close?: boolean;
}

const BUILT = join(import.meta.dirname, "../../build/server/index.js");
const { start } = await import(pathToFileURL(BUILT).href);
const turnMs = Number(process.env.WATCHDOG_MS) / 10;
const { origin, close } = await start({ watchdog: { turnMs, turns: 10 } });

process.on("message", async ({ blockMs = 0, busyMs = 0, flood, close: isToClose }: Order) => {
  process.send?.("begun");
  sleep(blockMs);
  const until = performance.now() + busyMs;
  while (performance.now() < until);
  while (flood) writeWhatFits();
  if (isToClose) {
    await close();
    process.channel?.unref();
  }
});

function writeWhatFits() {
  try {
    writeSync(1, "x".repeat(10_000));
  } catch {
    // The pipe is full. The log, too, tries again until its line is taken.
    sleep(10);
  }
}

/** The thread does nothing else, and leaves the processor to other tests. */
function sleep(ms: number) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

process.send?.({ origin });
