/**
 * Random histories of money in a world with a clock of its own, thousands in minutes. As for
 * histories.test.ts, `npm run test:faults -- --histories N` plays as many as asked for, and `--seed S`
 * plays that one again, with its whole trace.
 */
import { rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { type Played, planHistory, playHistory, shrink } from "./money-history.ts";
import { makeTemplate } from "./money-process.ts";

const firstSeed = Number(process.env.FAULT_SEED ?? 1);
const isReplay = process.env.FAULT_SEED !== undefined && process.env.FAULT_HISTORIES === undefined;
const wanted = isReplay ? 1 : Number(process.env.FAULT_HISTORIES ?? 20);
/** So many broken rules are shown with the shortest history that breaks them. */
const MOST_TRACED = 4;
/** How often a long run says how far it is. */
const SAID_EACH = 250;

it(`${wanted} histories of money, from seed ${firstSeed}`, async () => {
  const template = await makeTemplate();
  /** The first history that breaks each rule. */
  const broken = new Map<string, Played>();
  try {
    for (let number = 1; number <= wanted; number++) {
      const played = await playHistory(template, planHistory(firstSeed + number - 1));
      if (isReplay) print(played.trace.join("\n"));
      for (const { rule } of played.violations) {
        if (broken.has(rule)) continue;
        broken.set(rule, played);
        print(`money: --seed ${played.plan.seed} breaks: ${rule}`);
      }
      if (number % SAID_EACH === 0)
        print(`money: ${number} histories, ${broken.size} rules broken`);
    }
    const report: string[] = [];
    for (const [rule, first] of [...broken].slice(0, MOST_TRACED)) {
      const { trace } = await shrink(template, first, rule);
      report.push(`✗ ${rule}: npm run test:faults -- --seed ${first.plan.seed}`, ...trace);
    }
    expect(report.join("\n    ")).toBe("");
  } finally {
    rmSync(dirname(template), { recursive: true });
  }
});

/** Past the test runner, which would keep it until the end of a long run. */
function print(text: string): void {
  writeSync(1, `${text}\n`);
}
