/**
 * Random histories under random faults and kills. `npm run test:faults -- --histories N` runs as many
 * as asked for; `--seed S` alone repeats the round of a seed: the same plan of histories, switches and
 * kills, though the machine interleaves them anew.
 */
import { writeSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { type RoundResult, runRound } from "./round.ts";

const MOST_A_ROUND = 20;
/** A kill for so many histories. */
const A_KILL = 5;
/** Each has a server, a file and a sandbox of its own. */
const ROUNDS_AT_ONCE = 2;

const firstSeed = Number(process.env.FAULT_SEED ?? 1);
const replay = process.env.FAULT_SEED !== undefined && process.env.FAULT_HISTORIES === undefined;
const wanted = replay ? MOST_A_ROUND : Number(process.env.FAULT_HISTORIES ?? 10);
const size = Math.min(wanted, MOST_A_ROUND);
const rounds = Math.ceil(wanted / size);
const seeds = Array.from({ length: rounds }, (_, i) => firstSeed + i);

const total: Record<string, number> = {};
let done = 0;
let free = ROUNDS_AT_ONCE;
const waiting: (() => void)[] = [];

async function whenFree<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((go) => waiting.push(go));
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else free += 1;
  }
}

it.concurrent.each(seeds)(`seed %i: ${size} histories`, async (seed) => {
  const result = await whenFree(() => runRound(seed, size, Math.ceil(size / A_KILL)));
  done += 1;
  for (const [name, count] of Object.entries(result.figures)) {
    total[name] = (total[name] ?? 0) + count;
  }
  const counts = Object.entries(total).map(([name, count]) => `${count} ${name}`);
  print(`round ${done} of ${rounds} (seed ${seed}): ${counts.join(", ")}\n`);
  if (result.violations.length > 0) throw new Error(report(result));
});

afterAll(() => {
  expect(total.histories).toBeGreaterThanOrEqual(wanted);
  expect(total.kills).toBeGreaterThanOrEqual((wanted * 30) / 200);
});

/** Every violation, the trace of the first of each rule, and how to see it again. */
function report(result: RoundResult): string {
  const lines = [`replay: npm run test:faults -- --histories ${size} --seed ${result.seed}`];
  const traced = new Set<string>();
  for (const violation of result.violations) {
    lines.push(`✗ ${violation.rule}: ${violation.what}`);
    if (traced.has(violation.rule)) continue;
    traced.add(violation.rule);
    lines.push(...result.traceOf(violation).map((line) => `    ${line}`));
  }
  return lines.join("\n");
}

/** Past the test runner, which would keep it until the end of a long run. */
function print(text: string): void {
  writeSync(1, text);
}
