/** The process: from its start to its first page, its memory, and a restart under load. */
import { setTimeout as sleep } from "node:timers/promises";
import { inRounds, pairRow, pairsOf } from "#scripts/bench/measure.ts";
import { type Row, rowOf } from "#scripts/bench/report.ts";
import { restartUnderLoad } from "#scripts/bench/restart.ts";
import type { AppServer, Bench } from "#scripts/bench/servers.ts";

/** Milliseconds after the first page until the memory is read, and after the load. */
const SETTLE = 2_000;
const REST = 60_000;

/** The platform's proxy tries a refused connection again for 2 s. */
const RESTART_LOAD = { count: 3_000, perSecond: 50, patience: 2_000 };

export async function starts(bench: Bench, database: string): Promise<Row[]> {
  const runs = await inRounds(() => startOnce(bench, database));
  const times = runs.map(({ ms }) => ms);
  const memory = runs.map(({ mb }) => mb);
  return [
    rowOf("process start to first page", "ms", times, 500),
    rowOf("memory idle", "MB", memory),
  ];
}

async function startOnce(bench: Bench, database: string): Promise<{ ms: number; mb: number }> {
  const started = performance.now();
  const app = await bench.startApp(database);
  const response = await fetch(app.origin);
  await response.arrayBuffer();
  const ms = performance.now() - started;
  await sleep(SETTLE);
  const mb = app.memory().now;
  await app.stop();
  return { ms, mb };
}

/** `app`, which has served all other cases, beside a server over `database` that has served nothing. */
export async function memoryAfter(bench: Bench, app: AppServer, database: string): Promise<Row[]> {
  await sleep(REST);
  const { now, most } = app.memory();
  if (Number.isNaN(now)) return [];
  // Not the first start, which makes the first account and examines its password.
  await startOnce(bench, database);
  const { mb } = await startOnce(bench, database);
  // Limits for a machine of 512 MB.
  return [
    rowOf("memory after the run and a minute of rest", "MB", [now], 220),
    pairRow("the same beside idle", "MB", pairsOf([now], [mb]), { atMost: 1.3 }),
    rowOf("memory at its highest", "MB", [most], 400),
  ];
}

export async function restartLosesNothing(bench: Bench, filled: string): Promise<Row[]> {
  const database = bench.copy(filled, "restart.db");
  const { lost, gapMs } = await restartUnderLoad(bench, database, RESTART_LOAD);
  for (const fault of lost.slice(0, 5)) console.log(fault);
  return [
    rowOf("requests of 3,000 lost in a restart", "", [lost.length], 0),
    rowOf("old process' end to first answer, a migration between", "ms", [gapMs], 1_500),
  ];
}
