/** From the start of the process to its first page, and what it holds in memory. */
import { setTimeout as sleep } from "node:timers/promises";
import { spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";

/** Milliseconds after the first page until the memory is read. */
const SETTLE = 2_000;

export async function starts(setting: Setting, database: string): Promise<Row[]> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < setting.effort.rounds; round++) {
    const started = performance.now();
    const app = await setting.startApp(database);
    const response = await fetch(app.origin);
    await response.arrayBuffer();
    times.push(performance.now() - started);
    await sleep(SETTLE);
    memory.push(app.memory()?.now ?? Number.NaN);
    await app.stop();
  }
  return [stated("process start to first page", "ms", times), stated("memory idle", "MB", memory)];
}

/** `app` has served every other case. */
export function memoryAfter(app: AppServer): Row[] {
  const memory = app.memory();
  if (!memory) return [];
  return [
    stated("memory after the run", "MB", [memory.now]),
    stated("memory at its highest", "MB", [memory.most]),
  ];
}

function stated(name: string, unit: string, values: number[]): Row {
  return { case: name, unit, ours: spreadOf(values), floor: null, ratio: null, mustReach: null };
}
