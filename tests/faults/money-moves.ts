/** Every move of a money history: how often it is made, what it needs, and what often follows it. */
import type { Dice } from "./dice.ts";
import {
  endRefund,
  moveDispute,
  openDispute,
  refundInDashboard,
  refundRows,
  retry,
  settle,
  unmatched,
  unmatchedIds,
} from "./money-desk.ts";
import { isPaidRow, type Move, rowsOf } from "./money-picks.ts";
import { backUp, restore } from "./money-restore.ts";
import * as staff from "./money-staff.ts";
import {
  balanceLow,
  changeKeys,
  mailDown,
  providerDown,
  waitDays,
  waitHours,
  waitLong,
  waitMinutes,
  waitSeconds,
  waitWeeks,
} from "./money-time.ts";
import { book, cancelOwn, moveOwn, openOrder, pay, submitTwice, verify } from "./money-visitors.ts";
import type { MoneyWorld } from "./money-world.ts";

type Need = "booking" | "unpaid" | "live" | "order" | "money" | "refund" | "alive" | "dispute";

interface Kind {
  act: Move;
  weight: number;
  needs?: Need | "unmatched" | "copy" | "file";
  next?: readonly string[];
}

const TABLE = {
  book: { act: book, weight: 10, next: ["pay", "openOrder", "changePrice", "book"] },
  submitTwice: { act: submitTwice, weight: 1 },
  openOrder: { act: openOrder, weight: 4, needs: "unpaid", next: ["pay", "book"] },
  pay: {
    ...{ act: pay, weight: 9, needs: "order" },
    next: ["verify", "cancel", "refundInDashboard", "openDispute"],
  },
  verify: { act: verify, weight: 5, needs: "money" },
  cancelOwn: { act: cancelOwn, weight: 3, needs: "booking", next: ["pay", "erase", "remove"] },
  moveOwn: { act: moveOwn, weight: 2.5, needs: "booking" },
  bookWithLink: {
    ...{ act: staff.bookWithLink, weight: 3 },
    next: ["openOrder", "openOrder", "correct", "waitDays"],
  },
  bookPaid: { act: staff.bookPaid, weight: 2, next: ["cancel", "giveBackPart"] },
  markPaid: { act: staff.markPaid, weight: 2, needs: "unpaid", next: ["pay"] },
  move: { act: staff.move, weight: 3, needs: "booking" },
  handOver: { act: staff.handOver, weight: 2, needs: "live" },
  cancel: {
    ...{ act: staff.cancel, weight: 5, needs: "live" },
    next: ["pay", "erase", "remove", "refundInDashboard", "endRefund"],
  },
  giveBackPart: {
    ...{ act: staff.giveBackPart, weight: 4, needs: "live" },
    next: ["refundInDashboard", "endRefund", "cancel"],
  },
  correct: { act: staff.correct, weight: 2.5, needs: "booking" },
  remove: { act: staff.remove, weight: 1.5, needs: "booking", next: ["pay", "endRefund"] },
  erase: { act: staff.erase, weight: 1.5, needs: "booking", next: ["pay", "endRefund"] },
  changePrice: { act: staff.changePrice, weight: 3, next: ["book", "book", "pay"] },
  changeMeeting: { act: staff.changeMeeting, weight: 0.7, needs: "live" },
  retry: { act: retry, weight: 3, needs: "refund", next: ["endRefund"] },
  settle: { act: settle, weight: 3, needs: "refund" },
  unmatched: { act: unmatched, weight: 8, needs: "unmatched" },
  refundInDashboard: {
    ...{ act: refundInDashboard, weight: 5, needs: "money" },
    next: ["cancel", "giveBackPart", "endRefund", "endRefund"],
  },
  endRefund: { act: endRefund, weight: 5, needs: "alive", next: ["retry", "settle", "cancel"] },
  openDispute: {
    ...{ act: openDispute, weight: 2.5, needs: "money" },
    next: ["moveDispute", "moveDispute", "cancel"],
  },
  moveDispute: { act: moveDispute, weight: 8, needs: "dispute", next: ["moveDispute"] },
  providerDown: { act: providerDown, weight: 1 },
  balanceLow: { act: balanceLow, weight: 1, next: ["cancel", "giveBackPart"] },
  mailDown: { act: mailDown, weight: 0.8 },
  changeKeys: { act: changeKeys, weight: 0.4, needs: "order" },
  backUp: { act: backUp, weight: 3, needs: "file", next: ["pay", "cancel", "book", "restore"] },
  restore: { act: restore, weight: 4, needs: "copy" },
  waitSeconds: { act: waitSeconds, weight: 5 },
  waitMinutes: { act: waitMinutes, weight: 13 },
  waitHours: { act: waitHours, weight: 8 },
  waitDays: { act: waitDays, weight: 4 },
  waitLong: { act: waitLong, weight: 1 },
  waitWeeks: { act: waitWeeks, weight: 0.8 },
} satisfies Record<string, Kind>;

export type MoveName = keyof typeof TABLE;

const KINDS: Record<MoveName, Kind> = TABLE;
/** How much more often a move that follows is chosen. */
const FOLLOWS = 4;

export function actOf(name: MoveName): Move {
  return KINDS[name].act;
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
    file: world.store.folder !== null && world.restoredAt === null,
    copy: world.copies.length > 0 && world.restoredAt === null,
  };
}

/** What others do while a call is under way. */
export const MEANWHILE: readonly MoveName[] = [
  "book",
  "openOrder",
  "pay",
  "verify",
  "cancelOwn",
  "moveOwn",
  "markPaid",
  "move",
  "cancel",
  "giveBackPart",
  "remove",
  "erase",
  "retry",
  "settle",
  "refundInDashboard",
  "endRefund",
];

/** Done in one go, without a call: they may stand between two transactions of another process. */
export const IN_ONE_GO: readonly MoveName[] = [
  "markPaid",
  "move",
  "handOver",
  "cancel",
  "giveBackPart",
  "correct",
  "remove",
  "erase",
];
