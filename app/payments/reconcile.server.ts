/** Reads open orders at the provider: no captured payment depends on a browser or webhook. */
import { BACKOFF, type Backoff, delay } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Failed, LEASE_MS, type Queue, runQueue } from "#app/core/queue.server.ts";
import { DAY, SECOND } from "#app/model/dates.ts";
import type { ProviderFault } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import {
  advanceOrder,
  findOrderByReceipt,
  leaseDueOrders,
  type Order,
  updateOrder,
} from "#db/queries/payments.server.ts";
import { applyReports, type PaymentReport, readOrder } from "./payment-report.server.ts";

/** An order with an authorised payment is watched for as long as a bank may take. */
const LONGEST_WATCH_MS = 180 * DAY;
/** How long the end of a watch waits for a provider that is down. */
const LONGEST_OUTAGE_MS = 5 * DAY;

/** Reads due orders one after the other; returns how many. */
export function runReconciler(deps: Deps, signal?: AbortSignal): Promise<number> {
  const orders: Queue<Order> = {
    name: "orders",
    keyOf: ({ receipt }) => receipt,
    attemptsOf: ({ checks }) => checks,
    backoff: ordersBackoff(deps),
    leaseMs: LEASE_MS,
    most: 10,
    take: (due) => leaseDueOrders(deps.db, due),
    work: (order) => readDueOrder(deps, order),
    givesUp: ({ watchUntil }, { now, fault }) =>
      now > watchUntil + (isRefused(fault) ? 0 : LONGEST_OUTAGE_MS),
    putOff: (tx, order, failed) => putOff(tx, deps, order, failed),
  };
  return runQueue(deps, orders, signal);
}

async function readDueOrder(deps: Deps, order: Order): Promise<void> {
  const { receipt, orderId, checks } = order;
  const found = orderId ?? (await deps.provider.findOrderByReceipt(receipt))?.orderId ?? null;
  const reports = found === null ? [] : await readOrder(deps, found);
  applyReports(deps, reports, (tx, now) => {
    if (found !== null) advanceOrder(tx, receipt, { found });
    const next = nextCheck(tx, deps, order, reports, now);
    const nextCheckAt = unlessClaimed(tx, order, next.nextCheckAt);
    updateOrder(tx, receipt, { checks: checks + 1, ...next, nextCheckAt, lastError: null });
  });
}

function ordersBackoff({ env }: Pick<Deps, "env">): Backoff {
  return { ...BACKOFF.order, first: env.reconcileAfterSeconds * SECOND };
}

/** When to check next; null once the watch is over. An authorised payment prolongs the watch by days. */
function nextCheck(
  tx: Db,
  { env }: Pick<Deps, "env">,
  { receipt, createdAt, checks }: Order,
  reports: readonly PaymentReport[],
  now: number,
): Pick<Order, "nextCheckAt" | "watchUntil"> {
  const { watchUntil } = findOrderByReceipt(tx, receipt)!;
  const isAuthorised = reports.some(({ payment }) => payment.status === "authorized");
  const prolonged = Math.min(now + 2 * DAY, createdAt + LONGEST_WATCH_MS);
  if (isAuthorised && prolonged > watchUntil) {
    return { nextCheckAt: now + DAY, watchUntil: prolonged };
  }
  const next = now + delay(checks + 1, ordersBackoff({ env }));
  return { nextCheckAt: now <= watchUntil ? next : null, watchUntil };
}

/** A browser's claim may have made the order due at once while it was being read. */
function unlessClaimed(tx: Db, leased: Order, planned: number | null): number | null {
  const { nextCheckAt } = findOrderByReceipt(tx, leased.receipt)!;
  return nextCheckAt === leased.nextCheckAt ? planned : nextCheckAt;
}

/** True if the provider refuses the request, or the fault is in our code. */
function isRefused(fault: ProviderFault | null): boolean {
  return fault === "rejected" || fault === null;
}

/** A refusal counts as a check; an outage does not, and the order is checked again soon. */
function putOff(
  tx: Db,
  { env }: Pick<Deps, "env">,
  order: Order,
  { now, fault, attempts, nextTryAt, lastError }: Failed,
): void {
  const { receipt, appointmentId, checks, createdAt } = order;
  const isSoon = nextTryAt !== null && !isRefused(fault);
  const soon = now + Math.min(attempts, 10) * 30 * SECOND;
  const nextCheckAt = unlessClaimed(tx, order, isSoon ? soon : nextTryAt);
  updateOrder(tx, receipt, { checks: isSoon ? checks : attempts, nextCheckAt, lastError });
  if (nextTryAt !== null) return;
  queueMessages(tx, env, now, {
    type: "given_up",
    queue: "order",
    key: receipt,
    since: createdAt,
    appointmentId,
    error: lastError,
  });
}
