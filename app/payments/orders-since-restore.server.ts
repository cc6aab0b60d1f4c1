/** After a restore: what was paid since the backup is looked up, so that no rupee is forgotten. */
import type { Deps } from "#app/core/deps.server.ts";
import { ProviderError, type ProviderOrder } from "#app/core/payment-provider.ts";
import { inTransaction } from "#db/connection.server.ts";
import { readSetting, writeSetting } from "#db/queries/documents.server.ts";
import { findOrder, findOrderByReceipt, updateOrder } from "#db/queries/payments.server.ts";
import { READ_ORDERS_SINCE_SETTING } from "#db/restore.server.ts";
import { applyPayment } from "./apply-payment.server.ts";

/**
 * Reads the provider's orders made since the restored backup, once. Money for an order that no
 * appointment knows comes to stand in the unmatched list. Answers the number of orders read.
 */
export async function readOrdersSinceRestore(deps: Deps, signal?: AbortSignal): Promise<number> {
  const since = Number(readSetting(deps.db, READ_ORDERS_SINCE_SETTING) ?? "");
  if (!since) return 0;
  let read = 0;
  try {
    for (const order of await deps.provider.listOrders(since, deps.now() + 60_000)) {
      if (signal?.aborted) return read;
      if (order.status !== "created") await readOrder(deps, order);
      read += 1;
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.log.warn({ fault: error.fault }, "orders since the restore not read yet");
    return read;
  }
  writeSetting(deps.db, READ_ORDERS_SINCE_SETTING, "");
  deps.log.info({ orders: read }, "orders since the restore read");
  return read;
}

async function readOrder(deps: Deps, order: ProviderOrder): Promise<void> {
  const payments = await deps.provider.listPayments(order.orderId);
  inTransaction(deps.db, (tx) => {
    const written = order.receipt ? findOrderByReceipt(tx, order.receipt) : null;
    if (written?.orderId === null && !findOrder(tx, order.orderId)) {
      updateOrder(tx, written.receipt, { orderId: order.orderId, state: "open" });
    }
    for (const payment of payments) applyPayment(tx, deps, payment, deps.now());
  });
  deps.wake();
}
