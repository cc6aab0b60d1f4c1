/** The admin's "try again" for a refund that did not go through by itself. */
import { change, refuseRole } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { failure, type Outcome, success } from "#app/model/outcome.ts";
import { isNothingDone, leftOf, mayRetry } from "#app/model/refund.ts";
import type { Db } from "#db/connection.server.ts";
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
 * Makes a refund due now, by its id or its payment's, after a look at the provider. One that the
 * provider has certainly not made, and shows nothing of, is sent under a new key, because an answer may
 * be remembered under the old one; any other keeps its key, so that it cannot be made twice. One of the
 * dashboard that failed there becomes ours. One under way or done stays as it is. Refusals: `forbidden`;
 * `not_found`; `stale` for what is paid by hand, and for more than is left of the payment.
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
  const isSeen = mayRetry(asked) && (await followPayment(deps, asked.paymentId));
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, asked.id)!;
    if (!mayRetry(refund)) return success(refund);
    const isTheirs = refund.way === "dashboard";
    if (isTheirs && (!isSeen || leftFor(tx, refund) < refund.amountPaise)) return NOTHING_LEFT;
    updateRefund(tx, refund.id, {
      state: "wanted",
      attempts: 0,
      nextTryAt: now,
      leaseUntil: null,
      updatedAt: now,
      ...(isSeen && isNothingDone(refund) ? newTry(refund) : {}),
      ...(isTheirs && { way: "provider", reason: "by_staff", receipt: refund.id }),
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
const NOTHING_LEFT = failure(
  "stale",
  "This refund failed in the payment provider’s dashboard, and less than it is left of the payment, or the provider cannot be read. What is owed to the customer stands as a refund of its own.",
);

/** Of several, the newest that waits for a person, else the newest of ours. */
function ofPayment({ db }: Pick<Deps, "db">, paymentId: string): StoredRefund | null {
  const refunds = listRefundsOfPayment(db, paymentId);
  const ours = refunds.filter(({ way }) => way !== "dashboard");
  return refunds.findLast(mayRetry) ?? ours.at(-1) ?? refunds.at(-1) ?? null;
}
