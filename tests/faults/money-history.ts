/** One history of a money world: planned by its seed, played, brought to rest, and looked through. */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { SECOND } from "#app/model/dates.ts";
import { Dice } from "./dice.ts";
import type { Violation } from "./money-facts.ts";
import {
  actOf,
  chooseMove,
  IN_ONE_GO,
  isWaiting,
  MEANWHILE,
  type MoveName,
} from "./money-moves.ts";
import { judge } from "./money-oracle.ts";
import { clearUnpaid, comeToRest } from "./money-rest.ts";
import { checkSent } from "./money-sentences.ts";
import { newStore } from "./money-store.ts";
import { MoneyWorld } from "./money-world.ts";

interface Step {
  /** Null: chosen as it comes, of what there is to do. */
  name: MoveName | null;
  seed: number;
}

export interface Plan {
  seed: number;
  people: number;
  processes: 1 | 2;
  mayRestore: boolean;
  steps: Step[];
}

export interface Played {
  /** With the moves that were made. */
  plan: Plan;
  violations: Violation[];
  trace: string[];
}

/** How most histories begin, so that there is something to happen to. */
const OPENINGS: Record<string, MoveName[]> = {
  paid: ["book", "pay"],
  held: ["book"],
  link: ["bookWithLink", "openOrder"],
  late_link: ["bookWithLink", "openOrder", "waitLong", "pay"],
  cash: ["bookPaid"],
  nothing: [],
};

export function planHistory(seed: number): Plan {
  const dice = new Dice(seed);
  const shares = { paid: 50, held: 20, link: 8, late_link: 7, cash: 7, nothing: 8 };
  const opening = OPENINGS[dice.weighted(shares)]!;
  const length = dice.between(8, 25);
  const processes = dice.often(0.3) ? 2 : 1;
  return {
    seed,
    people: dice.between(1, 3),
    processes,
    mayRestore: processes === 2 || dice.often(0.15),
    steps: Array.from({ length }, (_, i) => ({
      name: opening[i] ?? null,
      seed: dice.between(1, 2 ** 30),
    })),
  };
}

export async function playHistory(template: string, plan: Plan): Promise<Played> {
  const restore = seedChance(plan.seed);
  const world = new MoneyWorld(newStore(template), plan);
  const steps: Step[] = [];
  try {
    for (let number = 1; number <= plan.people; number++) {
      world.people.push({
        number,
        name: `Person ${number}`,
        email: `person.${number}@example.in`,
        phone: `+91984500000${number}`,
        clientAddress: `198.51.100.${number}`,
        token: null,
        prices: new Map(),
      });
    }
    world.onSent = (sent) => checkSent(world, sent);
    world.meanwhileActs = async (process) => {
      const { dice, processes } = world;
      const other = processes.find((one) => one !== process);
      if (other && dice.often(0.4)) return other.work(true);
      const name = dice.pick(MEANWHILE);
      world.note(`meanwhile: ${name}`);
      await actOf(name)(world, dice.pick(processes));
    };
    world.betweenTransactions = (process) => {
      const name = world.dice.pick(IN_ONE_GO);
      const other = world.processes.find((one) => one !== process)!;
      world.note(`${other.name} comes between: ${name}`);
      actOf(name)(world, other).catch((error) => world.faultFound(name, error));
    };
    let before: MoveName | null = null;
    for (const { name: planned, seed } of plan.steps) {
      world.dice = new Dice(seed);
      const name: MoveName = planned ?? chooseMove(world, new Dice(seed + 1), before);
      if (!isWaiting(name)) before = name;
      steps.push({ name, seed });
      world.clock.now += world.dice.between(1, 90) * SECOND;
      await actOf(name)(world, world.dice.pick(world.processes));
      await world.finish();
      if (world.dice.often(0.6)) await world.turn();
    }
    await comeToRest(world);
    judge(world);
    await clearUnpaid(world);
  } catch (error) {
    world.wrong("the history comes to its end", String((error as Error).stack));
  } finally {
    world.close();
    restore();
  }
  const { violations, trace } = world;
  return { plan: { ...plan, steps }, violations, trace };
}

/** With the fewest moves that still break the same rule. */
export async function shrink(template: string, found: Played, rule: string): Promise<Played> {
  let best = found;
  for (let at = best.plan.steps.length - 1; at >= 0; at--) {
    const steps = best.plan.steps.filter((_, i) => i !== at);
    const played = await playHistory(template, { ...best.plan, steps });
    if (played.violations.some((one) => one.rule === rule)) best = played;
  }
  return best;
}

/** Ids and the spread of delays come of the seed, so that a history can be played again. */
function seedChance(seed: number): () => void {
  const crypto = createRequire(import.meta.url)("node:crypto");
  const { randomBytes } = crypto;
  const { random } = Math;
  const dice = new Dice(seed + 5_000_011);
  crypto.randomBytes = (length: number) =>
    Buffer.from(Array.from({ length }, () => dice.between(0, 255)));
  Math.random = () => dice.between(0, 2 ** 30 - 1) / 2 ** 30;
  syncBuiltinESMExports();
  return () => {
    crypto.randomBytes = randomBytes;
    Math.random = random;
    syncBuiltinESMExports();
  };
}
