/** A person says that a refund was paid back by hand. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { ProviderError } from "#app/core/payment-provider.ts";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { MINUTE } from "#app/model/duration.ts";
import { rupeesOf } from "#app/model/money.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { inTransaction } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findRefund, type StoredRefund, updateRefund } from "#db/queries/payments.server.ts";
import { applyPayment } from "./apply-payment.server.ts";
import { applyRefund, leftWithout } from "./refunds.server.ts";
import { isNothingDone, replacedIdsOf } from "./retry-refund.server.ts";

/** Longer than the look at the provider takes, so that the queue does not send it meanwhile. */
const LEASE_MS = MINUTE;

/**
 * Marks a refund of money that came in outside, or one that needs a person, as paid back: final, and
 * never sent again. One of the provider's is looked up there first. Refusals: `not_found`; `stale`
 * while the provider may still pay it or has, while that cannot be seen, and when it is settled.
 */
export async function settleRefund(
  deps: Deps,
  actor: Actor,
  refundId: string,
  { reference }: { reference?: string | undefined } = {},
): Promise<Outcome<StoredRefund>> {
  const taken = inTransaction(deps.db, (tx): Outcome<StoredRefund> => {
    const refund = findRefund(tx, refundId);
    if (!refund) return failure("not_found", "There is no such refund.");
    const now = deps.now();
    const refusal = refuseSettling(refund, now);
    if (refusal) return refusal;
    updateRefund(tx, refundId, { leaseUntil: now + LEASE_MS, updatedAt: now });
    return success({ ...refund, leaseUntil: now + LEASE_MS });
  });
  if (!taken.ok) return taken;
  const { paymentId, leaseUntil } = taken.value;
  const isSeen = isOfflinePayment(paymentId) || (await followProvider(deps, paymentId));
  if (!isSeen) {
    updateRefund(deps.db, refundId, { leaseUntil: null, updatedAt: deps.now() });
    return CANNOT_SEE;
  }
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, refundId)!;
    // What was read may have told of it, or the queue have taken it when the lease ran out.
    const late = refuseSettling(refund, now, leaseUntil);
    if (late) return late;
    const { appointmentId, amountPaise, keyGeneration: generation } = refund;
    if (leftWithout(tx, refund) < amountPaise) {
      updateRefund(tx, refundId, { leaseUntil: null, updatedAt: now });
      return WENT_BACK;
    }
    updateRefund(tx, refundId, {
      // Of the provider's it is none any more: it comes on top of what went back there.
      ...{ providerRefundId: null, replacedIds: replacedIdsOf(refund) },
      ...{ state: "processed", settledAt: now, reference: reference || null },
      ...{ nextTryAt: null, leaseUntil: null, lastError: null, updatedAt: now },
    });
    const note = issueCreditNote(tx, refund, now);
    queueMessages(tx, deps.env, now, {
      ...{ type: "refund_accepted", refundId, generation, paymentId, amountPaise },
      appointment: appointmentId ? findAppointment(tx, appointmentId) : null,
      again: !isOfflinePayment(paymentId),
      ...{ origin: refund.origin, credited: note !== null },
    });
    log("refund_settle", appointmentId ?? paymentId, {
      before: { refund: refundId, status: refund.state },
      after: { refund: refundId, status: "processed", amount: rupeesOf(amountPaise) },
    });
    return success(findRefund(tx, refundId)!);
  });
}

/** Of a refund whose last try had no answer the fate is not known. */
function refuseSettling(
  refund: StoredRefund,
  now: number,
  ownLease: number | null = null,
): Failure | null {
  const { state, settledAt, leaseUntil, paymentId } = refund;
  if (settledAt !== null || state === "processed") {
    return failure("stale", "This refund is settled already.");
  }
  if (isOfflinePayment(paymentId)) return null;
  const isStuck = state === "needs_person" || state === "failed";
  const isUnderWay = leaseUntil !== null && leaseUntil !== ownLease && leaseUntil > now;
  return isStuck && !isUnderWay && isNothingDone(refund) ? null : MAY_STILL_PAY;
}

const MAY_STILL_PAY = failure(
  "stale",
  "The payment provider may still pay this refund, so it must not be paid by hand. Please try it again there, and come back when it was refused.",
);
const CANNOT_SEE = failure(
  "stale",
  "The payment provider cannot be read right now, so nobody can tell whether it has paid this refund. Please do not pay it by hand yet, and try again in a few minutes.",
);

const WENT_BACK = failure(
  "stale",
  "Some or all of this money went back from the payment provider’s dashboard. Please try the refund again: it then takes only what is left.",
);

/** Applies what the provider says of the payment and its refunds; false if it cannot be read. */
async function followProvider(deps: Deps, paymentId: string): Promise<boolean> {
  try {
    const payment = await deps.provider.fetchPayment(paymentId);
    const refunds = await deps.provider.listRefunds(paymentId);
    inTransaction(deps.db, (tx) => {
      const now = deps.now();
      applyPayment(tx, deps, payment, now);
      for (const refund of refunds) applyRefund(tx, deps, refund, now);
    });
    return true;
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    deps.log.warn({ fault: error.fault, status: error.status }, "refund not readable yet");
    return false;
  }
}
