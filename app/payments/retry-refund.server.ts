/** The admin's "try again" for a refund that did not go through by itself. */

import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { isOfflinePayment } from "#app/model/offline-payment.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findRefund,
  listRefundsOfPayment,
  type StoredRefund,
  updateRefund,
} from "#db/queries/payments.server.ts";

/** Faults after which the provider has certainly done nothing, as `lastError` begins with them. */
const NOTHING_DONE = /^(rejected|balance):/;

/**
 * Makes a refund due now, by its id or its payment's. One that the provider failed or refused is
 * sent anew under a new key, because an answer may be remembered under the old one; one whose fate
 * is not known keeps its key, so that it cannot be made twice; one under way or done stays as it
 * is. Refusal: `not_found`.
 */
export function retryRefund(
  deps: Pick<Deps, "db" | "now" | "wake">,
  actor: Actor,
  refundOrPaymentId: string,
): Outcome<StoredRefund> {
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, refundOrPaymentId) ?? ofPayment(tx, refundOrPaymentId);
    if (!refund) return failure("not_found", "There is no such refund.");
    if (refund.origin !== "us" || isOfflinePayment(refund.paymentId)) return success(refund);
    if (refund.state !== "failed" && refund.state !== "needs_person") return success(refund);
    updateRefund(tx, refund.id, {
      state: "wanted",
      attempts: 0,
      nextTryAt: now,
      leaseUntil: null,
      updatedAt: now,
      ...(isNothingDone(refund) ? newKey(refund) : {}),
    });
    log("refund_retry", refund.appointmentId ?? refund.paymentId, {
      before: { refund: refund.id, status: refund.state, error: refund.lastError },
      after: { refund: refund.id, status: "wanted" },
    });
    return success(findRefund(tx, refund.id)!);
  });
}

/** True if the provider has certainly not paid it, and will not under its present key. */
export function isNothingDone(refund: Pick<StoredRefund, "state" | "lastError">): boolean {
  return refund.state === "failed" || NOTHING_DONE.test(refund.lastError ?? "");
}

function newKey(refund: StoredRefund) {
  return {
    keyGeneration: refund.keyGeneration + 1,
    providerRefundId: null,
    replacedIds: replacedIdsOf(refund),
  };
}

/** With the present one: late news of these means nothing any more. */
export function replacedIdsOf({ replacedIds, providerRefundId }: StoredRefund): string {
  const replaced = JSON.parse(replacedIds) as string[];
  return JSON.stringify(providerRefundId ? [...replaced, providerRefundId] : replaced);
}

/** Of our own the newest that is stuck, before one made in the provider's dashboard. */
function ofPayment(tx: Db, paymentId: string): StoredRefund | null {
  const refunds = listRefundsOfPayment(tx, paymentId);
  const ours = refunds.filter((refund) => refund.origin === "us");
  const isStuck = ({ state }: StoredRefund) => state === "failed" || state === "needs_person";
  return ours.findLast(isStuck) ?? ours.at(-1) ?? refunds.at(-1) ?? null;
}
