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
import { leftOf } from "#app/model/refund.ts";
import type { RefundState } from "#app/model/statuses.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { type Db, inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findInvoiceOfPayment } from "#db/queries/documents.server.ts";
import { wasPersonAsked } from "#db/queries/messages.server.ts";
import {
  findPayment,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  isReplacedRefund,
  leaseDueRefund,
  listRefundsOfPayment,
  type Payment,
  type StoredRefund,
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
  const stored = storedOf(tx, refund, now);
  // What a person has marked as paid back is final.
  if (!stored || stored.settledAt !== null) return;
  const state = nextState(stored.state, refund.status);
  const failedNow = state === "failed" && stored.state !== "failed";
  const acceptedNow = stored.providerRefundId === null || stored.state === "failed";
  updateRefund(tx, stored.id, {
    state,
    providerRefundId: refund.refundId,
    nextTryAt: state === "pending" ? now + READ_AGAIN_MS : null,
    leaseUntil: null,
    lastError: state === "failed" ? "the provider could not carry it out" : null,
    updatedAt: now,
  });
  const { appointmentId } = stored;
  // Of an assigned payment: what had left it before is no part of the invoice.
  const credits = appointmentId !== null || !findPayment(tx, stored.paymentId)?.appointmentId;
  const note = credits
    ? issueCreditNote(tx, { ...stored, amountPaise: refund.amountPaise }, now)
    : null;
  if (failedNow) askPerson(tx, deps, stored, "the provider could not carry it out", now);
  else if (acceptedNow && state !== "failed") {
    queueMessages(tx, deps.env, now, {
      type: "refund_accepted",
      refundId: stored.id,
      generation: stored.keyGeneration,
      paymentId: stored.paymentId,
      appointment: appointmentId ? findAppointment(tx, appointmentId) : null,
      amountPaise: refund.amountPaise,
      origin: stored.origin,
      credited: note !== null,
      again: stored.state === "failed" || wasPersonAsked(tx, stored.id),
    });
  }
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
    .filter((stored) => stored.providerRefundId !== null && stored.state !== "failed")
    .reduce((sum, stored) => sum + stored.amountPaise, 0);
  return refundedPaise > known ? provider.listRefunds(paymentId) : [];
}

/**
 * What is stored of a provider's refund: known by its id, or our wish not yet answered, or new. None
 * for a failed try that a newer one has replaced: news of it comes late and means nothing.
 */
function storedOf(tx: Db, refund: ProviderRefund, now: number): StoredRefund | null {
  const known = findRefundByProviderId(tx, refund.refundId);
  if (known) return known;
  if (isReplacedRefund(tx, refund.paymentId, refund.refundId)) return null;
  const payment = findPayment(tx, refund.paymentId);
  if (!payment) return null;
  const ours = wishOf(listRefundsOfPayment(tx, refund.paymentId), refund);
  if (ours) return ours;
  // Made and failed in the dashboard without our knowing: no money moved, nothing is owed.
  if (refund.status === "failed") return null;
  const id = newId();
  insertRefund(tx, {
    id,
    paymentId: refund.paymentId,
    appointmentId: wentBackBefore(tx, payment, refund) ? null : payment.appointmentId,
    amountPaise: refund.amountPaise,
    state: "pending",
    origin: "provider",
    reason: "made in the provider's dashboard",
    createdAt: now,
    updatedAt: now,
  });
  return findRefund(tx, id);
}

/**
 * Our wish that the provider tells of: by our reference where it comes along, else by its amount,
 * one that was sent before one that was not.
 */
function wishOf(stored: readonly StoredRefund[], refund: ProviderRefund): StoredRefund | undefined {
  const open = stored.filter(
    (one) =>
      one.origin === "us" &&
      one.providerRefundId === null &&
      one.settledAt === null &&
      one.amountPaise === refund.amountPaise,
  );
  if (refund.receipt !== null) return open.find(({ receipt }) => receipt === refund.receipt);
  return open.find(({ state }) => state === "sent") ?? open[0];
}

/**
 * True for money that had left an unmatched payment when the rest was assigned: it was never paid
 * for the appointment. What is told late is known by the sums, as the payment was just read: it is
 * more than has gone back since, or just what is still missing of the sum that had left.
 */
function wentBackBefore(tx: Db, payment: Payment, { amountPaise }: ProviderRefund): boolean {
  const invoice = findInvoiceOfPayment(tx, payment.paymentId);
  const leftBefore = payment.amountPaise - (invoice?.totalPaise ?? payment.amountPaise);
  if (leftBefore <= 0) return false;
  const known = listRefundsOfPayment(tx, payment.paymentId).filter(
    (stored) => stored.providerRefundId !== null && stored.state !== "failed",
  );
  const sum = (before: boolean) =>
    known
      .filter((stored) => (stored.appointmentId === null) === before)
      .reduce((all, stored) => all + stored.amountPaise, 0);
  const untoldSince = payment.refundedPaise - leftBefore - sum(false);
  return amountPaise > untoldSince || amountPaise === leftBefore - sum(true);
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
    const stored = leaseDueRefund(deps.db, deps.now(), LEASE_MS);
    if (!stored) break;
    try {
      const told = await sendOrRead(deps, stored);
      inTransaction(deps.db, (tx) => applyRefund(tx, deps, told, deps.now()));
      deps.wake();
      moved += 1;
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.fault === "rejected" && (await followProvider(deps, stored))) moved += 1;
      else retryLater(deps, stored, error);
    }
  }
  return moved;
}

async function sendOrRead(deps: Deps, stored: StoredRefund): Promise<ProviderRefund> {
  if (stored.providerRefundId) return deps.provider.fetchRefund(stored.providerRefundId);
  updateRefund(deps.db, stored.id, { state: "sent", updatedAt: deps.now() });
  return deps.provider.refund({
    paymentId: stored.paymentId,
    amountPaise: stored.amountPaise,
    receipt: stored.receipt,
    idempotencyKey: `${stored.id}-${stored.keyGeneration}`,
  });
}

/**
 * After a refusal for good the provider's own list decides: our refund may stand there under a lost
 * answer, or money went back from its dashboard untold. Only what is left is wanted still. False if
 * the list explains nothing.
 */
async function followProvider(deps: Deps, stored: StoredRefund): Promise<boolean> {
  let payment: ProviderPayment;
  let refunds: ProviderRefund[];
  try {
    payment = await deps.provider.fetchPayment(stored.paymentId);
    refunds = await deps.provider.listRefunds(stored.paymentId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return false;
  }
  const followed = inTransaction(deps.db, (tx) => {
    const now = deps.now();
    applyPayment(tx, deps, payment, now);
    for (const refund of refunds) applyRefund(tx, deps, refund, now);
    const current = findRefund(tx, stored.id);
    if (!current || current.providerRefundId !== null || current.settledAt !== null) return true;
    const leftPaise = leftWithout(tx, current);
    if (leftPaise >= current.amountPaise) return false;
    const common = { leaseUntil: null, updatedAt: now };
    if (leftPaise <= 0) {
      const lastError = "all of it went back from the provider's dashboard";
      updateRefund(tx, stored.id, { ...common, state: "processed", nextTryAt: null, lastError });
    } else {
      updateRefund(tx, stored.id, {
        ...common,
        state: "wanted",
        amountPaise: leftPaise,
        // Another amount is another request, which the provider refuses under the same key.
        keyGeneration: current.keyGeneration + 1,
        nextTryAt: now,
      });
    }
    return true;
  });
  if (followed) deps.wake();
  return followed;
}

/** What is left of a refund's payment for it, paise: what went back by hand is no more there. */
export function leftWithout(tx: Db, { id, paymentId }: StoredRefund): number {
  const others = listRefundsOfPayment(tx, paymentId).filter((one) => one.id !== id);
  return leftOf(findPayment(tx, paymentId)!, others);
}

function retryLater(deps: Deps, stored: StoredRefund, error: ProviderError): void {
  const now = deps.now();
  const attempts = stored.attempts + 1;
  const needsPerson =
    error.fault === "rejected" || error.fault === "balance" || attempts >= TRIES_BEFORE_PERSON;
  const first = stored.state !== "needs_person" && needsPerson;
  deps.log.warn({ fault: error.fault, attempts, needsPerson }, "refund not sent yet");
  inTransaction(deps.db, (tx) => {
    // Its webhook may have told of it while our call was under way, or a person paid it back.
    const current = findRefund(tx, stored.id);
    if (current?.providerRefundId !== stored.providerRefundId || current.settledAt !== null) return;
    updateRefund(tx, stored.id, {
      state: stored.providerRefundId ? stored.state : needsPerson ? "needs_person" : "sent",
      attempts,
      // A refund refused for good waits for an admin; the others are tried again by themselves.
      nextTryAt:
        error.fault === "rejected" ? null : now + delay(attempts, BACKOFF.refund, Math.random()),
      leaseUntil: null,
      lastError: `${error.fault}: ${error.message}`,
      updatedAt: now,
    });
    if (first) askPerson(tx, deps, stored, error.message, now);
  });
}

function askPerson(
  tx: Db,
  { env }: Pick<Deps, "env">,
  stored: StoredRefund,
  error: string,
  now: number,
): void {
  queueMessages(tx, env, now, {
    type: "refund_needs_person",
    refundId: stored.id,
    generation: stored.keyGeneration,
    paymentId: stored.paymentId,
    appointmentId: stored.appointmentId,
    amountPaise: stored.amountPaise,
    error,
  });
}
