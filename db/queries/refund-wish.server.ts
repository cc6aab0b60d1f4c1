import { newId } from "#app/model/ids.ts";
import type { Db } from "#db/connection.server.ts";
import { insertRefund, listRefundsOfPayment } from "./payments.server.ts";

export interface RefundWish {
  paymentId: string;
  appointmentId: string | null;
  /** Paise. */
  amountPaise: number;
  reason: "late" | "second" | "wrong_amount" | "cancelled" | "unmatched";
}

/**
 * Records that money is to go back, inside the transaction of the cause; the refund queue sends it.
 * One wish a payment: a second one is the first. Answers its id, or null if nothing is left.
 */
export function wantRefund(tx: Db, wish: RefundWish, now: number): string | null {
  const known = listRefundsOfPayment(tx, wish.paymentId).find((row) => row.origin === "us");
  if (known) return known.id;
  if (wish.amountPaise <= 0) return null;
  const id = newId();
  insertRefund(tx, {
    id,
    paymentId: wish.paymentId,
    appointmentId: wish.appointmentId,
    amountPaise: wish.amountPaise,
    state: "wanted",
    origin: "us",
    reason: wish.reason,
    nextTryAt: now,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}
