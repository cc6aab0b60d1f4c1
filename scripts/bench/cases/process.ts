/** From the start of the process to its first page, and what it holds in memory. */
import { setTimeout as sleep } from "node:timers/promises";
import { pairsOf, spreadOf } from "#scripts/bench/pairs.ts";
import type { Row } from "#scripts/bench/report.ts";
import type { AppServer, Setting } from "#scripts/bench/setting.ts";

/** Milliseconds after the first page until the memory is read, and after the load. */
const SETTLE = 2_000;
const REST = 60_000;

/** What a machine of 512 MB leaves room beside. */
const MOST_AFTER_MB = 220;
const MOST_EVER_MB = 400;
const MOST_BESIDE_IDLE = 1.3;

export async function starts(setting: Setting, database: string): Promise<Row[]> {
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < setting.effort.rounds; round++) {
    const { ms, mb } = await startOnce(setting, database);
    times.push(ms);
    memory.push(mb);
  }
  return [
    { ...stated("process start to first page", "ms", times), mustReach: { atMost: 500 } },
    stated("memory idle", "MB", memory),
  ];
}

async function startOnce(setting: Setting, database: string): Promise<{ ms: number; mb: number }> {
  const started = performance.now();
  const app = await setting.startApp(database);
  const response = await fetch(app.origin);
  await response.arrayBuffer();
  const ms = performance.now() - started;
  await sleep(SETTLE);
  const mb = app.memory()?.now ?? Number.NaN;
  await app.stop();
  return { ms, mb };
}

/** `app` has served every other case; of `database` a server that has served nothing is started. */
export async function memoryAfter(
  setting: Setting,
  app: AppServer,
  database: string,
): Promise<Row[]> {
  await sleep(REST);
  const memory = app.memory();
  if (!memory) return [];
  // The first start makes the first account, and examines its password.
  await startOnce(setting, database);
  const { mb } = await startOnce(setting, database);
  const row = stated("memory after the run and a minute of rest", "MB", [memory.now]);
  const beside = { ...pairsOf([memory.now], [mb]), mustReach: { atMost: MOST_BESIDE_IDLE } };
  return [
    { ...row, mustReach: { atMost: MOST_AFTER_MB } },
    { ...row, ...beside, case: "the same beside idle" },
    {
      ...stated("memory at its highest", "MB", [memory.most]),
      mustReach: { atMost: MOST_EVER_MB },
    },
  ];
}

function stated(name: string, unit: string, values: number[]): Row {
  return { case: name, unit, ours: spreadOf(values), floor: null, ratio: null, mustReach: null };
}
