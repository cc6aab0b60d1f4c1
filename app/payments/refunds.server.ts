/** Money going back: what the provider says of a refund, and the queue that sends ours. */
import { BACKOFF, delay } from "#app/core/backoff.ts";
import type { Deps } from "#app/core/deps.server.ts";
import {
  ProviderError,
  type ProviderPayment,
  type ProviderRefund,
} from "#app/core/payment-provider.ts";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import { newId } from "#app/model/ids.ts";
import type { RefundState } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import {
  findPayment,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  isReplacedRefund,
  leaseDueRefund,
  listRefundsOfPayment,
  type RefundRow,
  updateRefund,
} from "#db/queries/payments.server.ts";
import { applyPayment } from "./apply-payment.server.ts";

const BATCH = 5;
/**
 * Short, so that a refund in hand at a kill is taken up soon. A call may outlast it: a second
 * sender meets the same key, and the provider makes one refund.
 */
const LEASE_MS = 8_000;
/** A pending refund is read again this often: its webhook may never come. */
const READ_AGAIN_MS = 3_600_000;
/** After this many fruitless tries a person is asked, and the tries go on. */
const TRIES_BEFORE_PERSON = 8;

/**
 * Records a refund as the provider tells it, ours or one made in its dashboard. The credit note of
 * an invoiced payment is issued when the provider accepts, and stands if the refund fails later.
 */
export function applyRefund(
  tx: Db,
  deps: Pick<Deps, "env">,
  refund: ProviderRefund,
  now: number,
): void {
  const row = rowOf(tx, refund, now);
  if (!row) return;
  const state = nextState(row.state, refund.status);
  const failedNow = state === "failed" && row.state !== "failed";
  updateRefund(tx, row.id, {
    state,
    provider_refund_id: refund.refundId,
    next_try_at: state === "pending" ? now + READ_AGAIN_MS : null,
    lease_until: null,
    last_error: state === "failed" ? "the provider could not carry it out" : null,
    updated_at: now,
  });
  issueCreditNote(
    tx,
    { id: row.id, paymentId: row.payment_id, amountPaise: refund.amountPaise },
    now,
  );
  if (failedNow) askPerson(tx, deps, row, "the provider could not carry it out", now);
}

/**
 * The refunds of a payment of which more went back than we know of, else none: made in the
 * provider's dashboard, and their webhook did not come.
 */
export async function readUntoldRefunds(
  { db, provider }: Pick<Deps, "db" | "provider">,
  { paymentId, refundedPaise }: ProviderPayment,
): Promise<ProviderRefund[]> {
  const known = listRefundsOfPayment(db, paymentId)
    .filter((row) => row.provider_refund_id !== null && row.state !== "failed")
    .reduce((sum, row) => sum + row.amount_paise, 0);
  return refundedPaise > known ? provider.listRefunds(paymentId) : [];
}

/**
 * The row of a provider's refund: known by its id, or our wish not yet answered, or a new one. None
 * for a failed try that a newer one has replaced: news of it comes late and means nothing.
 */
function rowOf(tx: Db, refund: ProviderRefund, now: number): RefundRow | null {
  const known = findRefundByProviderId(tx, refund.refundId);
  if (known) return known;
  if (isReplacedRefund(tx, refund.paymentId, refund.refundId)) return null;
  const payment = findPayment(tx, refund.paymentId);
  if (!payment) return null;
  const ours = listRefundsOfPayment(tx, refund.paymentId).find(
    (row) =>
      row.origin === "us" &&
      row.provider_refund_id === null &&
      row.amount_paise === refund.amountPaise,
  );
  if (ours) return ours;
  // Made and failed in the dashboard without our knowing: no money moved, nothing is owed.
  if (refund.status === "failed") return null;
  const id = newId();
  insertRefund(tx, {
    id,
    payment_id: refund.paymentId,
    appointment_id: payment.appointment_id,
    amount_paise: refund.amountPaise,
    state: "pending",
    origin: "provider",
    reason: "made in the provider's dashboard",
    provider_refund_id: refund.refundId,
    next_try_at: null,
    lease_until: null,
    last_error: null,
    created_at: now,
    updated_at: now,
  });
  return findRefundByProviderId(tx, refund.refundId);
}

/** Processed is final; a failure is told only of what was not processed. */
function nextState(present: RefundState, told: ProviderRefund["status"]): RefundState {
  if (present === "processed" && told !== "failed") return "processed";
  if (present === "failed" && told === "pending") return "failed";
  return told;
}

/** Sends and reads what is due, one after the other; answers how many moved. */
export async function runRefunds(deps: Deps, signal?: AbortSignal): Promise<number> {
  let moved = 0;
  for (let taken = 0; taken < BATCH && !signal?.aborted; taken++) {
    // Taken only now: a webhook may have told of it during the call before.
    const row = leaseDueRefund(deps.db, deps.now(), LEASE_MS);
    if (!row) break;
    try {
      const told = await sendOrRead(deps, row);
      inTransaction(deps.db, (tx) => applyRefund(tx, deps, told, deps.now()));
      deps.wake();
      moved += 1;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.fault === "rejected" && (await followProvider(deps, row))) moved += 1;
      else retryLater(deps, row, error);
    }
  }
  return moved;
}

async function sendOrRead(deps: Deps, row: RefundRow): Promise<ProviderRefund> {
  if (row.provider_refund_id) return deps.provider.fetchRefund(row.provider_refund_id);
  updateRefund(deps.db, row.id, { state: "sent", updated_at: deps.now() });
  return deps.provider.refund({
    paymentId: row.payment_id,
    amountPaise: row.amount_paise,
    idempotencyKey: `${row.id}-${row.key_generation}`,
  });
}

/**
 * After a refusal for good the provider's own list decides: our refund may stand there under a lost
 * answer, or money went back from its dashboard untold. Only what is left is wanted still. False if
 * the list explains nothing.
 */
async function followProvider(deps: Deps, row: RefundRow): Promise<boolean> {
  let payment: ProviderPayment;
  let refunds: ProviderRefund[];
  try {
    payment = await deps.provider.fetchPayment(row.payment_id);
    refunds = await deps.provider.listRefunds(row.payment_id);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return false;
  }
  const followed = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    applyPayment(tx, deps, payment, now);
    for (const refund of refunds) applyRefund(tx, deps, refund, now);
    const current = findRefund(tx, row.id);
    if (!current || current.provider_refund_id !== null) return true;
    const leftPaise = payment.amountPaise - payment.refundedPaise;
    if (leftPaise >= current.amount_paise) return false;
    const common = { lease_until: null, updated_at: now };
    if (leftPaise <= 0) {
      const last_error = "all of it went back from the provider's dashboard";
      updateRefund(tx, row.id, { ...common, state: "processed", next_try_at: null, last_error });
    } else {
      updateRefund(tx, row.id, {
        ...common,
        state: "wanted",
        amount_paise: leftPaise,
        // Another amount is another request, which the provider refuses under the same key.
        key_generation: current.key_generation + 1,
        next_try_at: now,
      });
    }
    return true;
  });
  if (followed) deps.wake();
  return followed;
}

function retryLater(deps: Deps, row: RefundRow, error: ProviderError): void {
  const now = deps.now();
  const attempts = row.attempts + 1;
  const needsPerson =
    error.fault === "rejected" || error.fault === "balance" || attempts >= TRIES_BEFORE_PERSON;
  const first = row.state !== "needs_person" && needsPerson;
  deps.log.warn({ fault: error.fault, attempts, needsPerson }, "refund not sent yet");
  inTransaction(deps.db, (tx) => {
    // Its webhook may have told of it while our call was under way.
    if (findRefund(tx, row.id)?.provider_refund_id !== row.provider_refund_id) return;
    updateRefund(tx, row.id, {
      state: row.provider_refund_id ? row.state : needsPerson ? "needs_person" : "sent",
      attempts,
      // A refund refused for good waits for an admin; the others are tried again by themselves.
      next_try_at:
        error.fault === "rejected" ? null : now + delay(attempts, BACKOFF.refund, Math.random()),
      lease_until: null,
      last_error: `${error.fault}: ${error.message}`,
      updated_at: now,
    });
    if (first) askPerson(tx, deps, row, error.message, now);
  });
}

function askPerson(
  tx: Db,
  { env }: Pick<Deps, "env">,
  row: RefundRow,
  error: string,
  now: number,
): void {
  queueMessages(tx, env, now, {
    type: "refund_needs_person",
    refundId: row.id,
    generation: row.key_generation,
    paymentId: row.payment_id,
    appointmentId: row.appointment_id,
    amountPaise: row.amount_paise,
    error,
  });
}
