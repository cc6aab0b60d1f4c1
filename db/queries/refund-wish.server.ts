import { newId } from "#app/model/ids.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import type { RefundReason } from "#app/model/statuses.ts";
import type { Db } from "#db/connection.server.ts";
import { insertRefund, listRefundsOfPayment } from "./payments.server.ts";

export interface RefundWish {
  paymentId: string;
  appointmentId: string | null;
  /** Paise. */
  amountPaise: number;
  reason: RefundReason;
  /** In staff's words; the customer reads them. */
  note?: string | undefined;
}

/**
 * Records that money is to go back, inside the transaction of the cause; the refund queue sends it.
 * What came in outside the provider waits for a person. For each reason of the program's own there
 * is one wish a payment: a second one is the first. Answers its id, or null if nothing is left; the
 * schema refuses more than is left.
 */
export function wantRefund(tx: Db, wish: RefundWish, now: number): string | null {
  const { paymentId, appointmentId, amountPaise, reason, note = null } = wish;
  const known = listRefundsOfPayment(tx, paymentId).find(
    (row) => row.origin === "us" && row.reason === reason && reason !== "by_staff",
  );
  if (known) return known.id;
  if (amountPaise <= 0) return null;
  const id = newId();
  const isOffline = isOfflinePayment(paymentId);
  insertRefund(tx, {
    ...{ id, paymentId, appointmentId, amountPaise, reason, note },
    state: isOffline ? "needs_person" : "wanted",
    origin: "us",
    receipt: isOffline ? null : id,
    nextTryAt: isOffline ? null : now,
    createdAt: now,
    updatedAt: now,
  });
  return id;
}
