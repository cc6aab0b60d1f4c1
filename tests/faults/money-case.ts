/** What a money world at rest is judged by: its money beside the rows of the file. */
import type { Selectable } from "kysely";
import type { PaymentTable } from "#db/money-tables.ts";
import { type RefundRow, refundRows } from "./money-desk.ts";
import type { BookedPayment } from "./money-entries.ts";
import type { MoneyWorld } from "./money-world.ts";

type PaymentRow = Selectable<PaymentTable>;

/** A payment as it stands in the world: what came in, what went back and what the bank took. */
export interface Money {
  paymentId: string;
  amountPaise: number;
  backPaise: number;
  takenPaise: number;
  keptPaise: number;
}

export interface Case {
  world: MoneyWorld;
  money: Map<string, Money>;
  payments: PaymentRow[];
  refunds: RefundRow[];
}

export function caseOf(world: MoneyWorld): Case {
  const payments = world.db.allRaw<PaymentRow>("SELECT * FROM payment");
  return { world, money: moneyOf(world), payments, refunds: refundRows(world) };
}

/** Nobody can know of money on an order that the provider refuses to show. */
export function isForeign(world: MoneyWorld, paymentId: string): boolean {
  const payment = world.books.payments.find((one) => one.paymentId === paymentId);
  return payment !== undefined && world.books.order(payment.orderId).isForeign;
}

/** Nor of what a person did, where the file was restored since. */
export function isBeyond(world: MoneyWorld, paymentId: string): boolean {
  const isByHand =
    world.received.has(paymentId) || world.handedBack.some((one) => one.paymentId === paymentId);
  return isForeign(world, paymentId) || (world.restoredAt !== null && isByHand);
}

function moneyOf(world: MoneyWorld): Map<string, Money> {
  const { books, handedBack, received } = world;
  const money = new Map<string, Money>();
  const add = (paymentId: string, amountPaise: number, sentBack: number) => {
    const byHand = handedBack.filter((one) => one.paymentId === paymentId);
    const backPaise = sentBack + byHand.reduce((sum, one) => sum + one.amountPaise, 0);
    const takenPaise = books.takenOf(paymentId);
    const keptPaise = amountPaise - backPaise - takenPaise;
    money.set(paymentId, { paymentId, amountPaise, backPaise, takenPaise, keptPaise });
  };
  const isMoney = ({ capturedAt, orderId }: BookedPayment) =>
    capturedAt !== null && !books.order(orderId).isForeign;
  for (const payment of books.payments.filter(isMoney)) {
    add(payment.paymentId, payment.amountPaise, payment.refundedPaise);
  }
  for (const [paymentId, amountPaise] of received) add(paymentId, amountPaise, 0);
  return money;
}
