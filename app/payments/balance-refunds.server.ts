/** Keeps the refunds of a payment true to one another and to what the provider says of it. */
import type { ProviderPayment, ProviderRefund } from "#app/core/services.ts";
import { newId } from "#app/model/ids.ts";
import { leftOf } from "#app/model/refund.ts";
import type { Db } from "#db/connection.server.ts";
import {
  deleteRefund,
  findPayment,
  insertRefund,
  listRefundsOfPayment,
  updateRefund,
} from "#db/queries/payments.server.ts";
import { oweAgain, supersedeRefund } from "#db/queries/refunds.server.ts";

/**
 * What went back another way is no longer owed by the refund of ours that it stands in for; what no
 * longer stands in for it, because it failed or the bank gave it back, is owed again.
 */
export function balanceRefunds(tx: Db, paymentId: string, now: number): void {
  const payment = findPayment(tx, paymentId);
  if (!payment || payment.capturedAt === null) return;
  let refunds = listRefundsOfPayment(tx, paymentId);
  let over = -leftOf(payment, refunds);
  for (const refund of refunds.toReversed()) {
    if (over <= 0) break;
    const { state, way, settledAt } = refund;
    const isOwed = state === "wanted" || state === "sent" || state === "needs_person";
    if (way === "dashboard" || settledAt !== null || !(isOwed || state === "failed")) continue;
    supersedeRefund(tx, refund, over, now);
    over -= refund.amountPaise;
  }
  refunds = listRefundsOfPayment(tx, paymentId);
  let owed = leftOf(payment, refunds);
  for (const refund of refunds.toReversed()) {
    if (owed <= 0) break;
    if (refund.state !== "superseded") continue;
    oweAgain(tx, refund, owed, now);
    owed -= refund.amountPaise;
  }
}

/**
 * What the provider counts as gone back beyond the refunds that it lists stands in one row. One that
 * failed explains its sum too: the provider may count it for a while.
 */
export function keepUnlisted(
  tx: Db,
  { paymentId, refundedPaise }: ProviderPayment,
  listed: readonly ProviderRefund[],
  now: number,
): void {
  const payment = findPayment(tx, paymentId);
  if (!payment || payment.capturedAt === null) return;
  const listedPaise = listed.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  const amountPaise = refundedPaise - listedPaise;
  const known = listRefundsOfPayment(tx, paymentId).find(
    (one) => one.way === "dashboard" && one.providerRefundId === null,
  );
  if (amountPaise <= 0) {
    if (known) deleteRefund(tx, known.id);
  } else if (known) updateRefund(tx, known.id, { amountPaise, updatedAt: now });
  else {
    const { appointmentId } = payment;
    insertRefund(tx, {
      ...{ id: newId(), paymentId, appointmentId, amountPaise, state: "pending" },
      ...{ way: "dashboard", reason: "dashboard", createdAt: now, updatedAt: now },
    });
  }
}
