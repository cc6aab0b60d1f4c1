/** Records what the provider reports about a refund, also of one made in its dashboard. */
import { askPerson } from "#app/booking/cancel-and-refund.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { ProviderPayment, ProviderRefund } from "#app/core/services.ts";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import { DAY, HOUR } from "#app/model/dates.ts";
import { newId } from "#app/model/ids.ts";
import { isNothingDone, isStuck, leftOf, type RefundState } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { wasPersonAsked } from "#db/queries/messages.server.ts";
import {
  deleteRefund,
  findPayment,
  findRefund,
  findRefundByProviderId,
  insertRefund,
  isReplacedRefund,
  listRefundsOfPayment,
  type StoredRefund,
  updateRefund,
} from "#db/queries/payments.server.ts";
import {
  newTry,
  oweAgain,
  recordFailedRefund,
  supersedeRefund,
} from "#db/queries/refunds.server.ts";

/** A pending refund is read hourly at first, then daily: its webhook may never come. */
const HOURLY_READS = 24;
/** After this many reads of an accepted refund, a person is asked to look into it. */
export const MOST_READS = 80;
const STILL_PENDING = "the provider accepted it weeks ago, and has not carried it out";
const NOT_CARRIED_OUT = "the provider could not carry it out";

/**
 * The credit note of an invoiced payment is issued when the provider accepts the refund, and stays
 * if the refund fails later. The payment must be recorded before.
 */
export function applyRefund(
  tx: Db,
  deps: Pick<Deps, "env">,
  refund: ProviderRefund,
  now: number,
): void {
  const stored = storedOf(tx, refund, now);
  // A refund that a person marked as paid back is final.
  if (!stored || stored.settledAt !== null) return;
  const reported = nextState(stored.state, refund.status);
  const reads = reported === "pending" && stored.state === "pending" ? stored.attempts + 1 : 0;
  const isLast = reads >= MOST_READS;
  const state = isLast && stored.way === "provider" ? "needs_person" : reported;
  const isFailed = state === "failed";
  const isAccepted = !isFailed && (stored.providerRefundId === null || stored.state === "failed");
  const isRevived = stored.state === "superseded" && state !== "superseded";
  // After a failure, when the provider took it again is not known.
  const takenAt = Math.min(now, (stored.providerRefundId === null && refund.createdAt) || now);
  if (isFailed && stored.state !== "failed") recordFailedRefund(tx, stored, now);
  updateRefund(tx, stored.id, {
    state,
    providerRefundId: refund.refundId,
    ...((isAccepted || isRevived) && { acceptedAt: takenAt }),
    nextTryAt: reported === "pending" && !isLast ? now + (reads < HOURLY_READS ? HOUR : DAY) : null,
    leaseUntil: null,
    attempts: reads,
    fault: null,
    lastError: isFailed ? NOT_CARRIED_OUT : null,
    updatedAt: now,
  });
  if (state === "superseded") return;
  if (state === "needs_person") askPerson(tx, deps, stored, STILL_PENDING, now);
  if (isFailed && stored.state !== "failed") askPerson(tx, deps, stored, NOT_CARRIED_OUT, now);
  else if (isAccepted) notifyAccepted(tx, deps, stored, refund.amountPaise, now);
}

function notifyAccepted(
  tx: Db,
  { env }: Pick<Deps, "env">,
  stored: StoredRefund,
  amountPaise: number,
  now: number,
): void {
  const { id, appointmentId, paymentId, keyGeneration: generation, way } = stored;
  // Refunds made before a payment was assigned are not part of its invoice.
  const payment = findPayment(tx, paymentId)!;
  const credits = appointmentId !== null || !payment.appointmentId;
  const note = credits ? issueCreditNote(tx, { ...stored, amountPaise }, now) : null;
  // A refund that had replaced this one, and of which the customer was notified, has failed.
  const hasFailed = listRefundsOfPayment(tx, paymentId).some(
    (one) => one.way === "dashboard" && one.state === "failed" && one.updatedAt >= stored.createdAt,
  );
  queueMessages(tx, env, now, {
    type: "refund_accepted",
    refundId: id,
    generation,
    paymentId,
    amountPaise,
    way,
    appointment: appointmentId ? findAppointment(tx, appointmentId) : null,
    credited: note !== null,
    isUncaptured: payment.capturedAt === null,
    again:
      stored.state === "failed" || (way !== "dashboard" && (hasFailed || wasPersonAsked(tx, id))),
  });
}

/**
 * The stored row of a provider's refund: found by its id, sent and waiting for a response, or new.
 * Null if there is nothing to record, as for an attempt that a newer one replaced.
 */
function storedOf(tx: Db, refund: ProviderRefund, now: number): StoredRefund | null {
  const { refundId, paymentId, amountPaise } = refund;
  const known = findRefundByProviderId(tx, refundId);
  if (known) return known;
  if (isReplacedRefund(tx, paymentId, refundId)) return null;
  const payment = findPayment(tx, paymentId);
  if (!payment) return null;
  const stored = listRefundsOfPayment(tx, paymentId);
  const ours = answeredBy(stored, refund) ?? resentInDashboard(tx, stored, refund);
  if (ours) return ours;
  // Made and failed in the dashboard: no money moved, nothing is owed.
  if (refund.status === "failed") return null;
  // A refund made before the payment was assigned does not belong to the appointment.
  const { appointmentId } = unlistedOf(stored) ?? payment;
  return insertDashboardRefund(tx, { paymentId, appointmentId, amountPaise }, now);
}

/** The row for money that the provider counts as refunded without listing a refund. */
function unlistedOf(stored: readonly StoredRefund[]): StoredRefund | undefined {
  return stored.find((one) => one.way === "dashboard" && one.providerRefundId === null);
}

function insertDashboardRefund(
  tx: Db,
  of: Pick<StoredRefund, "paymentId" | "appointmentId" | "amountPaise">,
  now: number,
): StoredRefund {
  const id = newId();
  insertRefund(tx, {
    id,
    ...of,
    state: "pending",
    way: "dashboard",
    reason: "dashboard",
    createdAt: now,
    updatedAt: now,
  });
  return findRefund(tx, id)!;
}

/** Our stuck refund of exactly that amount, which somebody has made in the dashboard instead. */
function resentInDashboard(
  tx: Db,
  stored: readonly StoredRefund[],
  { amountPaise, status, receipt }: ProviderRefund,
): StoredRefund | null {
  const stuck = stored.find(
    (one) =>
      one.way === "provider" &&
      isStuck(one) &&
      isNothingDone(one) &&
      one.amountPaise === amountPaise,
  );
  if (!stuck || status === "failed" || receipt !== null) return null;
  updateRefund(tx, stuck.id, { ...newTry(stuck), state: "sent" });
  return findRefund(tx, stuck.id);
}

/** Our refund that the provider reports: of the same amount, and with the same receipt if any. */
function answeredBy(
  stored: readonly StoredRefund[],
  refund: ProviderRefund,
): StoredRefund | undefined {
  return stored.find(
    (one) =>
      one.way === "provider" &&
      one.providerRefundId === null &&
      one.receipt === refund.receipt &&
      (one.receipt !== null || one.state !== "superseded") &&
      one.amountPaise === refund.amountPaise,
  );
}

/** Forward only, except for failures: a processed refund may still fail at the bank. */
function nextState(present: RefundState, reported: ProviderRefund["status"]): RefundState {
  if (present === "processed" && reported !== "failed") return "processed";
  if (present === "failed" && reported === "pending") return "failed";
  if (present === "superseded" && reported === "failed") return "superseded";
  return reported;
}

/**
 * Supersedes our refunds where more is refunded than was paid, such as after a refund in the
 * dashboard. If that one fails or the bank returns the money, they are owed again.
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
 * Keeps in one row what the provider counts as refunded beyond the refunds that it lists. Failed
 * refunds are subtracted too, because the provider may count them for a while.
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
  const known = unlistedOf(listRefundsOfPayment(tx, paymentId));
  if (amountPaise <= 0) {
    if (known) deleteRefund(tx, known.id);
  } else if (known) updateRefund(tx, known.id, { amountPaise, updatedAt: now });
  else {
    const { appointmentId } = payment;
    insertDashboardRefund(tx, { paymentId, appointmentId, amountPaise }, now);
  }
}
