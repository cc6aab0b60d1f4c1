/** The queue of refunds that the provider carries out. */
import { askPerson } from "#app/booking/cancel-and-refund.server.ts";
import { BACKOFF } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { type Failed, LEASE_MS, type Queue, runQueue } from "#app/core/queue.server.ts";
import { ProviderError, type ProviderRefund } from "#app/core/services.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  findRefund,
  leaseDueRefunds,
  type StoredRefund,
  updateRefund,
} from "#db/queries/payments.server.ts";
import { applyRefund, balanceRefunds, MOST_READS } from "./apply-refund.server.ts";
import { applyReports, followPayment, readPayment } from "./payment-report.server.ts";

/** After this many failed attempts a person is asked; the attempts go on. */
const TRIES_BEFORE_PERSON = 8;

/** Sends and reads due refunds one after the other; returns how many moved. */
export function runRefunds(deps: Deps, signal?: AbortSignal): Promise<number> {
  const refunds: Queue<StoredRefund> = {
    name: "refunds",
    keyOf: ({ id }) => id,
    attemptsOf: ({ attempts }) => attempts,
    backoff: BACKOFF.refund,
    // A second sender uses the same key, and the provider makes one refund.
    leaseMs: LEASE_MS,
    most: 5,
    take: (due) => leaseDueRefunds(deps.db, { ...due, limit: 1 }),
    work: (refund) => sendOrRead(deps, refund),
    // It then waits until a person tries it again.
    givesUp: ({ providerRefundId }, { fault, attempts }) =>
      providerRefundId === null ? fault === "rejected" : attempts >= MOST_READS,
    putOff: (tx, refund, failed) => putOff(tx, deps, refund, failed),
  };
  return runQueue(deps, refunds, signal);
}

/**
 * Reads the payment before a refund is sent once more: the money may have gone back in the dashboard,
 * or after the copy was made that has been restored.
 */
async function sendOrRead(deps: Deps, stored: StoredRefund): Promise<void> {
  if (stored.providerRefundId === null && stored.attempts > 0) {
    applyReports(deps, [await readPayment(deps, stored.paymentId)]);
    if (hasChanged(deps.db, stored)) return;
  }
  let answer: ProviderRefund;
  try {
    answer = await askProvider(deps, stored);
  } catch (error) {
    const isRefused = error instanceof ProviderError && error.fault === "rejected";
    // It may have been made though the response was lost, or the money went back another way.
    if (isRefused && (await followPayment(deps, stored.paymentId)) && hasChanged(deps.db, stored))
      return;
    throw error;
  }
  inTransaction(deps.db, (tx) => {
    const now = deps.now();
    applyRefund(tx, deps, answer, now);
    balanceRefunds(tx, stored.paymentId, now);
  });
  deps.wake();
}

function askProvider(deps: Deps, stored: StoredRefund): Promise<ProviderRefund> {
  if (stored.providerRefundId) return deps.provider.fetchRefund(stored.providerRefundId);
  updateRefund(deps.db, stored.id, { state: "sent", updatedAt: deps.now() });
  return deps.provider.refund({
    paymentId: stored.paymentId,
    amountPaise: stored.amountPaise,
    receipt: stored.receipt,
    idempotencyKey: `${stored.id}-${stored.keyGeneration}`,
  });
}

/** True if the row has changed since it was read. */
function hasChanged(db: Db, { id, providerRefundId, amountPaise, way }: StoredRefund): boolean {
  const now = findRefund(db, id);
  return (
    now?.providerRefundId !== providerRefundId ||
    now.amountPaise !== amountPaise ||
    now.way !== way ||
    now.state === "superseded"
  );
}

function putOff(
  tx: Db,
  deps: Pick<Deps, "env">,
  stored: StoredRefund,
  { now, error, fault, attempts, nextTryAt, lastError }: Failed,
): void {
  // Its webhook may have come during the call, or a person may have paid it back.
  if (hasChanged(tx, stored)) return;
  const isAccepted = stored.providerRefundId !== null;
  const needsPerson = isAccepted
    ? attempts >= MOST_READS
    : fault === "rejected" || fault === "balance" || attempts >= TRIES_BEFORE_PERSON;
  updateRefund(tx, stored.id, {
    state: needsPerson ? "needs_person" : isAccepted ? stored.state : "sent",
    attempts,
    nextTryAt,
    leaseUntil: null,
    fault,
    lastError,
    updatedAt: now,
  });
  if (!needsPerson || stored.state === "needs_person") return;
  askPerson(tx, deps, stored, error instanceof ProviderError ? error.message : lastError, now);
}
