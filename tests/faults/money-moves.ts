/** Every move of a money history: how often it is made, what it needs, and what often follows it. */
import type { Dice } from "./dice.ts";
import { desk, refundRows, unmatchedIds } from "./money-desk.ts";
import { isPaidRow, type Move, rowsOf } from "./money-picks.ts";
import * as copies from "./money-restore.ts";
import * as staff from "./money-staff.ts";
import * as time from "./money-time.ts";
import * as visitors from "./money-visitors.ts";
import type { MoneyWorld } from "./money-world.ts";

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
export const MEANWHILE = during("call");
export const IN_ONE_GO = during("transaction");
/** How much more often a move that follows is chosen. */
const FOLLOWS = 4;

export function actOf(name: MoveName): Move {
  return ACTS[name];
}

/** Chooses among the moves that are possible now. `before`: the last move that was no waiting. */
export function chooseMove(world: MoneyWorld, dice: Dice, before: MoveName | null): MoveName {
  const there = whatIsThere(world);
  const next = before === null ? [] : (KINDS[before].next ?? []);
  const weights = Object.entries(KINDS).map(([name, { weight, needs }]) => {
    const fits = needs === undefined || there[needs];
    return [name, fits ? weight * (next.includes(name) ? FOLLOWS : 1) : 0];
  });
  return dice.weighted(Object.fromEntries(weights) as Record<MoveName, number>);
}

export function isWaiting(name: MoveName): boolean {
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
