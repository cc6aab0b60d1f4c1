/** Reads open orders at the provider, so that no captured payment depends on a browser or webhook. */
import { BACKOFF, delay } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
} from "#app/core/payment-provider.ts";
import { inTransaction } from "#db/connection.server.ts";
import { listDueOrders, type Order, updateOrder } from "#db/queries/payments.server.ts";
import { applyPayment } from "./apply-payment.server.ts";
import { applyRefund, readUntoldRefunds } from "./refunds.server.ts";

const BATCH = 10;
/** The bank's late yes comes within 3 days; the provider's own retries end before 5. */
const WATCH_MS = 5 * 86_400_000;

/** Reads what is due, one order after the other; answers the number of orders read. */
export async function runReconciler(deps: Deps, signal?: AbortSignal): Promise<number> {
  let read = 0;
  for (const order of listDueOrders(deps.db, deps.now(), BATCH)) {
    if (signal?.aborted) break;
    try {
      await readOrder(deps, order);
      read += 1;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const now = deps.now();
      deps.log.warn({ fault: error.fault }, "order not readable yet");
      updateOrder(deps.db, order.receipt, {
        nextCheckAt: now + Math.min(order.checks + 1, 10) * 30_000,
        lastError: `${error.fault}: ${error.message}`,
      });
      // A provider that asks for patience, or is down, gets it for the whole batch.
      if (error.fault !== "rejected") break;
    }
  }
  return read;
}

async function readOrder(deps: Deps, order: Order): Promise<void> {
  let payments: ProviderPayment[] = [];
  let orderId = order.orderId;
  if (orderId === null) {
    const found = await deps.provider.findOrderByReceipt(order.receipt);
    orderId = found?.orderId ?? null;
  }
  if (orderId !== null) payments = await deps.provider.listPayments(orderId);
  const untold: ProviderRefund[] = [];
  for (const payment of payments) untold.push(...(await readUntoldRefunds(deps, payment)));
  inTransaction(deps.db, (tx) => {
    const now = deps.now();
    if (order.orderId === null && orderId !== null) {
      updateOrder(tx, order.receipt, { orderId, state: "open" });
    }
    const checks = order.checks + 1;
    const first = deps.env.reconcileAfterSeconds * 1000;
    updateOrder(tx, order.receipt, {
      checks,
      nextCheckAt:
        now - order.createdAt > WATCH_MS ? null : now + delay(checks, { ...BACKOFF.order, first }),
      lastError: null,
    });
    for (const payment of payments) applyPayment(tx, deps, payment, now);
    for (const refund of untold) applyRefund(tx, deps, refund, now);
  });
  if (payments.length > 0) deps.wake();
}
