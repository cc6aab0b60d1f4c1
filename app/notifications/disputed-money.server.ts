/** What a mail about a dispute says of the payment besides. */
import type { Refund } from "#app/model/refund.ts";
import type { DisputedMoney } from "#app/notifications/templates/content.ts";
import type { Db } from "#db/connection.server.ts";
import { findInvoiceOfPayment, sumCredited } from "#db/queries/documents.server.ts";
import { listRefundsOfPayment } from "#db/queries/payments.server.ts";

export function disputedMoney(db: Db, paymentId: string): DisputedMoney {
  const invoice = findInvoiceOfPayment(db, paymentId);
  const refunds = listRefundsOfPayment(db, paymentId).filter(({ counts }) => counts);
  const isGone = ({ state }: Pick<Refund, "state">) => state === "pending" || state === "processed";
  const gone = refunds
    .filter(isGone)
    .map(({ id, providerRefundId, settledAt, acceptedAt, updatedAt, amountPaise }) => ({
      id: providerRefundId ?? id,
      at: settledAt ?? acceptedAt ?? updatedAt,
      amountPaise,
    }));
  const hasInvoice = invoice !== null && sumCredited(db, invoice).totalPaise < invoice.totalPaise;
  const waiting = refunds.filter((refund) => !isGone(refund));
  const waitingPaise = waiting.reduce((sum, { amountPaise }) => sum + amountPaise, 0);
  return { gone, waitingPaise, hasInvoice };
}
