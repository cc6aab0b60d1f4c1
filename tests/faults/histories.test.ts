/**
 * Random histories under random faults and kills. `npm run test:faults -- --histories N` runs as many
 * as asked for; `--seed S` alone repeats the round of a seed: the same faults, kills and actions, though
 * the machine interleaves them anew. vitest.config.ts says how many rounds run at once.
 */
import { writeSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { LONGEST_ROUND_MS, runRound } from "./round.ts";

const MOST_A_ROUND = 20;
/** A kill for so many histories. */
const A_KILL = 5;

const firstSeed = Number(process.env.FAULT_SEED ?? 1);
const replay = process.env.FAULT_SEED !== undefined && process.env.FAULT_HISTORIES === undefined;
const wanted = replay ? MOST_A_ROUND : Number(process.env.FAULT_HISTORIES ?? 10);
const size = Math.min(wanted, MOST_A_ROUND);
const seeds = Array.from({ length: Math.ceil(wanted / size) }, (_, i) => firstSeed + i);

const total: Record<string, number> = {};

it.concurrent.each(seeds)(
  `seed %i: ${size} histories`,
  async (seed) => {
    const { figures, report } = await runRound(seed, size, Math.ceil(size / A_KILL));
    for (const [name, count] of Object.entries(figures)) total[name] = (total[name] ?? 0) + count;
    const counts = Object.entries(total).map(([name, count]) => `${count} ${name}`);
    // Past the test runner, which would keep it until the end of a long run.
    writeSync(1, `seed ${seed}, ${report.length} lines of report; so far ${counts.join(", ")}\n`);
    const replayed = `replay: npm run test:faults -- --histories ${size} --seed ${seed}`;
    if (report.length > 0) throw new Error([replayed, ...report].join("\n"));
  },
  LONGEST_ROUND_MS + 10_000,
);

afterAll(() => {
  expect(total.histories).toBeGreaterThanOrEqual(wanted);
  expect(total.kills).toBeGreaterThanOrEqual((wanted * 30) / 200);
});
