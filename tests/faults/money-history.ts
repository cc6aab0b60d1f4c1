/** One history of a money world: planned by its seed, played move by move, brought to rest, and looked through. */
import { createRequire, syncBuiltinESMExports } from "node:module";
import { SECOND } from "#app/model/dates.ts";
import { Dice } from "./dice.ts";
import type { Violation } from "./money-facts.ts";
import { judge } from "./money-oracle.ts";
import { desk, isPaidRow, type Move, refundRows, rowsOf, unmatchedIds } from "./money-picks.ts";
import { newStore } from "./money-process.ts";
import { checkSent } from "./money-sentences.ts";
import * as staff from "./money-staff.ts";
import * as copies from "./money-time.ts";
import * as time from "./money-time.ts";
import { clearUnpaid, comeToRest } from "./money-time.ts";
import * as visitors from "./money-visitors.ts";
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

type Need = "booking" | "unpaid" | "live" | "order" | "money" | "refund" | "alive" | "dispute";

interface Kind {
  weight: number;
  needs?: Need | "unmatched" | "copy" | "file";
  next?: readonly string[];
  /**
   * Others may do it while a call of a process is under way; or, since it is done in one go without a
   * call, between two transactions of another process.
   */
  during?: "call" | "transaction" | "both";
}

const ACTS = { ...visitors, ...staff, ...desk, ...copies, ...time };

const TABLE = {
  book: { weight: 10, during: "call", next: ["pay", "openOrder", "changePrice", "book"] },
  submitTwice: { weight: 1 },
  openOrder: { weight: 4, during: "call", needs: "unpaid", next: ["pay", "book"] },
  pay: {
    weight: 9,
    during: "call",
    needs: "order",
    next: ["verify", "cancel", "refundInDashboard", "openDispute"],
  },
  verify: { weight: 5, during: "call", needs: "money" },
  cancelOwn: { weight: 3, during: "call", needs: "booking", next: ["pay", "erase", "remove"] },
  moveOwn: { weight: 2.5, during: "call", needs: "booking" },
  bookWithLink: { weight: 3, next: ["openOrder", "openOrder", "correct", "waitDays"] },
  bookPaid: { weight: 2, next: ["cancel", "giveBackPart"] },
  markPaid: { weight: 2, during: "both", needs: "unpaid", next: ["pay"] },
  move: { weight: 3, during: "both", needs: "booking" },
  handOver: { weight: 2, during: "transaction", needs: "live" },
  cancel: {
    weight: 5,
    during: "both",
    needs: "live",
    next: ["pay", "erase", "remove", "refundInDashboard", "endRefund"],
  },
  giveBackPart: {
    weight: 4,
    during: "both",
    needs: "live",
    next: ["refundInDashboard", "endRefund", "cancel"],
  },
  correct: { weight: 2.5, during: "transaction", needs: "booking" },
  remove: { weight: 1.5, during: "both", needs: "booking", next: ["pay", "endRefund"] },
  erase: { weight: 1.5, during: "both", needs: "booking", next: ["pay", "endRefund"] },
  changePrice: { weight: 3, next: ["book", "book", "pay"] },
  changeMeeting: { weight: 0.7, needs: "live" },
  retry: { weight: 3, during: "call", needs: "refund", next: ["endRefund"] },
  settle: { weight: 3, during: "call", needs: "refund" },
  unmatched: { weight: 8, needs: "unmatched" },
  refundInDashboard: {
    weight: 5,
    during: "call",
    needs: "money",
    next: ["cancel", "giveBackPart", "endRefund", "endRefund"],
  },
  endRefund: { weight: 5, during: "call", needs: "alive", next: ["retry", "settle", "cancel"] },
  openDispute: { weight: 2.5, needs: "money", next: ["moveDispute", "moveDispute", "cancel"] },
  moveDispute: { weight: 8, needs: "dispute", next: ["moveDispute"] },
  providerDown: { weight: 1 },
  balanceLow: { weight: 1, next: ["cancel", "giveBackPart"] },
  mailDown: { weight: 0.8 },
  changeKeys: { weight: 0.4, needs: "order" },
  backUp: { weight: 3, needs: "file", next: ["pay", "cancel", "book", "restore"] },
  restore: { weight: 4, needs: "copy" },
  waitSeconds: { weight: 5 },
  waitMinutes: { weight: 13 },
  waitHours: { weight: 8 },
  waitDays: { weight: 4 },
  waitLong: { weight: 1 },
  waitWeeks: { weight: 0.8 },
} satisfies Partial<Record<keyof typeof ACTS, Kind>>;

export type MoveName = keyof typeof TABLE;

const KINDS: Record<MoveName, Kind> = TABLE;
/** What others may do during a call, or between two transactions. */
const during = (what: Kind["during"]) =>
  (Object.keys(KINDS) as MoveName[]).filter((name) => [what, "both"].includes(KINDS[name].during));
const MEANWHILE = during("call");
const IN_ONE_GO = during("transaction");
/** How much more often a move that follows is chosen. */
const FOLLOWS = 4;

function actOf(name: MoveName): Move {
  return ACTS[name];
}

/** Chooses among the moves that are possible now. `before`: the last move that was no waiting. */
function chooseMove(world: MoneyWorld, dice: Dice, before: MoveName | null): MoveName {
  const there = whatIsThere(world);
  const next = before === null ? [] : (KINDS[before].next ?? []);
  const weights = Object.entries(KINDS).map(([name, { weight, needs }]) => {
    const fits = needs === undefined || there[needs];
    return [name, fits ? weight * (next.includes(name) ? FOLLOWS : 1) : 0];
  });
  return dice.weighted(Object.fromEntries(weights) as Record<MoveName, number>);
}

function isWaiting(name: MoveName): boolean {
  return name.startsWith("wait");
}

function whatIsThere(world: MoneyWorld): Record<NonNullable<Kind["needs"]>, boolean> {
  const { books } = world;
  const rows = rowsOf(world);
  return {
    booking: rows.some(({ status }) => status !== "cancelled"),
    unpaid: rows.some(({ status }) => status === "pending_payment"),
    live: rows.some(isPaidRow),
    order: books.orders.length > 0,
    money: books.payments.some((payment) => books.owedOf(payment) >= 100),
    refund: refundRows(world).some(({ state }) => state === "failed" || state === "needs_person"),
    alive: books.refunds.some(({ status, by }) => status !== "failed" && by !== "bank"),
    dispute: books.disputes.some(({ status }) => status !== "lost"),
    unmatched: unmatchedIds(world).length > 0,
    file: world.mayRestore && world.restoredAt === null,
    copy: world.copies.length > 0 && world.restoredAt === null,
  };
}
