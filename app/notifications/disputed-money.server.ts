/** What a mail about a dispute says of the payment besides. */
import type { DisputedMoney } from "#app/notifications/templates/content.ts";
import type { Db } from "#db/connection.server.ts";
import { findInvoiceOfPayment, sumCredited } from "#db/queries/documents.server.ts";
import { listRefundsOfPayment } from "#db/queries/payments.server.ts";

export function disputedMoney(db: Db, paymentId: string): DisputedMoney {
  const invoice = findInvoiceOfPayment(db, paymentId);
  const gone = listRefundsOfPayment(db, paymentId)
    .filter(({ state, counts }) => counts && (state === "pending" || state === "processed"))
    .map(({ id, providerRefundId, settledAt, acceptedAt, updatedAt, amountPaise }) => ({
      id: providerRefundId ?? id,
      at: settledAt ?? acceptedAt ?? updatedAt,
      amountPaise,
    }));
  const hasInvoice = invoice !== null && sumCredited(db, invoice).totalPaise < invoice.totalPaise;
  return { gone, hasInvoice };
}
