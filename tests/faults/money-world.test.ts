/**
 * Random histories of money in a world with a clock of its own, thousands in minutes. As for
 * histories.test.ts, `npm run test:faults -- --histories N` plays as many as asked for, and `--seed S`
 * plays that one again, with its whole trace.
 */
import { writeSync } from "node:fs";
import { expect, it } from "vitest";
import { type Played, planHistory, playHistory, shrink } from "./money-history.ts";
import { openStores } from "./money-store.ts";

const firstSeed = Number(process.env.FAULT_SEED ?? 1);
const isReplay = process.env.FAULT_SEED !== undefined && process.env.FAULT_HISTORIES === undefined;
const wanted = isReplay ? 1 : Number(process.env.FAULT_HISTORIES ?? 20);
/** So many broken rules are shown with the shortest history that breaks them. */
const MOST_TRACED = 4;
/** How often a long run says how far it is. */
const SAID_EACH = 250;

interface Broken {
  histories: number;
  /** The number of the first history that broke it. */
  after: number;
  first: Played;
}

it(`${wanted} histories of money, from seed ${firstSeed}`, async () => {
  const stores = await openStores();
  const counts: Record<string, number> = {};
  const broken = new Map<string, Broken>();
  try {
    for (let number = 1; number <= wanted; number++) {
      const played = await playHistory(stores, planHistory(firstSeed + number - 1));
      for (const [name, count] of Object.entries(played.counts)) {
        counts[name] = (counts[name] ?? 0) + count;
      }
      for (const rule of new Set(played.violations.map((one) => one.rule))) {
        const known = broken.get(rule);
        if (known) {
          known.histories += 1;
          continue;
        }
        broken.set(rule, { histories: 1, after: number, first: played });
        if (wanted > SAID_EACH) print(`money: --seed ${played.plan.seed} breaks: ${rule}`);
      }
      if (number % SAID_EACH === 0)
        print(`money: ${number} histories, ${broken.size} rules broken`);
    }
    if (wanted > SAID_EACH) print(tableOf(counts));
    if (isReplay) print((await playHistory(stores, planHistory(firstSeed))).trace.join("\n"));
    const report: string[] = [];
    for (const [rule, { histories, after, first }] of broken) {
      report.push(`✗ ${rule}: ${histories} histories, first after ${after}`);
      if (report.length > MOST_TRACED) continue;
      const small = await shrink(stores, first, rule);
      report.push(`  npm run test:faults -- --seed ${first.plan.seed}`);
      report.push(...small.trace.map((line) => `    ${line}`));
    }
    expect(report.join("\n")).toBe("");
  } finally {
    stores.close();
  }
});

/** Past the test runner, which would keep it until the end of a long run. */
function print(text: string): void {
  writeSync(1, `${text}\n`);
}

/** What was done, met and answered, and how often. */
function tableOf(counts: Record<string, number>): string {
  return Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, count]) => `  ${name.padEnd(44)}${String(count).padStart(8)}`)
    .join("\n");
}
