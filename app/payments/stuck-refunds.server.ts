/** A refund that failed: an admin tries it again, or records that it was paid back by hand. */
import { change, refuseRole } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { isNothingDone, isStuck, leftOf, mayRetry } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findPayment,
  findRefund,
  listRefundsOfPayment,
  type StoredRefund,
  updateRefund,
} from "#db/queries/payments.server.ts";
import { newTry } from "#db/queries/refunds.server.ts";
import { followPayment } from "./payment-report.server.ts";

/**
 * Makes a refund due now, found by its id or its payment's, after reading it at the provider. If
 * the provider has certainly not made it, it is sent under a new key, because the provider may
 * remember its response to the old one; otherwise it keeps its key, so that it cannot be made
 * twice. A refund that failed in the dashboard is sent from here. One under way or done stays as it
 * is. Refusals: `forbidden`, `not_found`, `stale` (paid by hand, or more than is left of the
 * payment), `provider_unavailable` (it cannot be read now).
 */
export async function retryRefund(
  deps: Deps,
  actor: Actor,
  refundOrPaymentId: string,
): Promise<Outcome<StoredRefund>> {
  const refusedRole = refuseRole(deps, actor, "refunds", "trying a refund again");
  if (refusedRole) return refusedRole;
  const asked = findRefund(deps.db, refundOrPaymentId) ?? ofPayment(deps, refundOrPaymentId);
  if (!asked) return failure("not_found", "There is no such refund.");
  if (asked.way === "by_hand") return BY_HAND;
  if (mayRetry(asked) && !(await followPayment(deps, asked.paymentId))) return UNREADABLE;
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, asked.id)!;
    if (!mayRetry(refund)) return success(refund);
    const isDashboard = refund.way === "dashboard";
    if (isDashboard && leftFor(tx, refund) < refund.amountPaise) return NOTHING_LEFT;
    updateRefund(tx, refund.id, {
      state: "wanted",
      attempts: 0,
      nextTryAt: now,
      leaseUntil: null,
      updatedAt: now,
      ...(isNothingDone(refund) ? newTry(refund) : {}),
      ...(isDashboard && { way: "provider", reason: "by_staff", receipt: refund.id }),
    });
    log("refund_retry", refund.appointmentId ?? refund.paymentId, {
      before: { refund: refund.id, status: refund.state, error: refund.lastError },
      after: { refund: refund.id, status: "wanted" },
    });
    return success(findRefund(tx, refund.id)!);
  });
}

function leftFor(tx: Db, { paymentId }: StoredRefund): number {
  return leftOf(findPayment(tx, paymentId)!, listRefundsOfPayment(tx, paymentId));
}

const BY_HAND = failure(
  "stale",
  "This money is paid back by hand, so there is nothing to send. Please mark it as paid back once it is.",
);
const UNREADABLE = failure(
  "provider_unavailable",
  "The payment provider cannot be read right now, so nobody can tell whether it has paid this refund. Please try again in a few minutes.",
);
const NOTHING_LEFT = failure(
  "stale",
  "This refund failed in the payment provider’s dashboard, and less than it is left of the payment. What is owed to the customer stands as a refund of its own.",
);

/**
 * The newest refund that can be retried, else the newest not from the dashboard, else any newest.
 */
function ofPayment({ db }: Pick<Deps, "db">, paymentId: string): StoredRefund | null {
  const refunds = listRefundsOfPayment(db, paymentId);
  const ours = refunds.filter(({ way }) => way !== "dashboard");
  return refunds.findLast(mayRetry) ?? ours.at(-1) ?? refunds.at(-1) ?? null;
}

/**
 * Marks an offline or stuck refund as paid back: final, and never sent again. One of the provider's
 * is read there first. Refusals: `not_found`; `stale` while the provider may still pay it or has,
 * while it cannot be read, and when it is settled already.
 */
export async function settleRefund(
  deps: Deps,
  actor: Actor,
  refundId: string,
  { reference }: { reference?: string | undefined } = {},
): Promise<Outcome<StoredRefund>> {
  const asked = findRefund(deps.db, refundId);
  if (!asked) return failure("not_found", "There is no such refund.");
  const refusal = refuseSettling(asked, deps.now());
  if (refusal) return refusal;
  const { paymentId, way, amountPaise: wanted } = asked;
  if (way !== "by_hand" && !(await followPayment(deps, paymentId))) return PROVIDER_UNREADABLE;
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, refundId)!;
    // Reading may have changed it, and the queue may have taken it meanwhile.
    if (refund.state === "superseded" || refund.amountPaise !== wanted) return REFUNDED_MEANWHILE;
    const late = refuseSettling(refund, now);
    if (late) return late;
    const { appointmentId, amountPaise, keyGeneration: generation } = refund;
    updateRefund(tx, refundId, {
      // Paid by hand, it comes on top of what was refunded at the provider.
      ...newTry(refund),
      keyGeneration: generation,
      way: "by_hand",
      state: "processed",
      settledAt: now,
      reference: reference || null,
      nextTryAt: null,
      leaseUntil: null,
      updatedAt: now,
    });
    const note = issueCreditNote(tx, findRefund(tx, refundId)!, now);
    queueMessages(tx, deps.env, now, {
      type: "refund_accepted",
      refundId,
      generation,
      paymentId,
      amountPaise,
      way: "by_hand",
      credited: note !== null,
      appointment: appointmentId ? findAppointment(tx, appointmentId) : null,
      again: way === "provider",
    });
    log("refund_settle", appointmentId ?? paymentId, {
      before: { refund: refundId, status: refund.state },
      after: { refund: refundId, status: "processed", amount: rupeesOf(amountPaise) },
    });
    return success(findRefund(tx, refundId)!);
  });
}

/** A refund whose last attempt had no response may still be paid. */
function refuseSettling(refund: StoredRefund, now: number): Failure | null {
  const { state, leaseUntil, way } = refund;
  if (state === "processed" || state === "superseded") {
    return failure("stale", "This refund is settled already.");
  }
  if (way === "dashboard") return failure("stale", "Nothing is owed by this refund.");
  if (way === "by_hand") return null;
  const isUnderWay = leaseUntil !== null && leaseUntil > now;
  return isStuck(refund) && !isUnderWay && isNothingDone(refund) ? null : MAY_STILL_PAY;
}

const MAY_STILL_PAY = failure(
  "stale",
  "The payment provider may still pay this refund, so it must not be paid by hand. Please try it again there, and come back when it was refused.",
);
const PROVIDER_UNREADABLE = failure(
  "stale",
  "The payment provider cannot be read right now, so nobody can tell whether it has paid this refund. Please do not pay it by hand yet, and try again in a few minutes.",
);

const REFUNDED_MEANWHILE = failure(
  "stale",
  "Some or all of this money went back from the payment provider’s dashboard. Please look again: what is still owed, if anything, stands there.",
);
