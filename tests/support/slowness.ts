/** How much slower this machine is than the one on which the limits of the load tests were set. */
import type { OpenDb } from "#db/connection.server.ts";

/** Milliseconds that the work below took there, of the thread's own time. */
const TOOK_MS = 16;
const RUNS = 9;
const HELD_RUNS = 5;
/** Reads no table, so that no index and no query of ours makes it faster or slower. */
const WORK = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
  SELECT sum(length(hex(i * 7))) AS s FROM n`;

/** Of this thread's own time: what else the machine does at the moment is not measured. */
export function medianMs(work: () => unknown): number {
  const times = Array.from({ length: RUNS }, () => {
    const start = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(start);
    return (user + system) / 1000;
  });
  return medianOf(times);
}

interface Held {
  all: number;
  most: number;
}

/**
 * What the work took of this thread's own time, and the longest part of it in which nothing else was
 * let in, in milliseconds; each the median of several runs.
 */
export async function heldMs(work: () => Promise<unknown>): Promise<Held> {
  const runs: Held[] = [];
  while (runs.length < HELD_RUNS) runs.push(await heldOnce(work));
  return {
    all: medianOf(runs.map(({ all }) => all)),
    most: medianOf(runs.map(({ most }) => most)),
  };
}

async function heldOnce(work: () => Promise<unknown>): Promise<Held> {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  const startedAt = spent();
  let [last, most, isOver] = [startedAt, 0, false];
  const look = () => {
    most = Math.max(most, spent() - last);
    last = spent();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  isOver = true;
  return { all: spent() - startedAt, most };
}

function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;
}

/** At least 1: a faster machine has no stricter limits. */
export function slowness(db: OpenDb): number {
  const factor = Math.max(1, medianMs(() => db.firstRaw(WORK)) / TOOK_MS);
  console.log(`limits times ${factor.toFixed(2)}`);
  return factor;
}
