/** A person says that a refund was paid back by hand. */
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import { issueCreditNote } from "#app/documents/issue.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { rupeesOf } from "#app/model/money.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import { isNothingDone, isStuck } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import { findRefund, type StoredRefund, updateRefund } from "#db/queries/payments.server.ts";
import { newTry } from "#db/queries/refunds.server.ts";
import { followPayment } from "./payment-report.server.ts";

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
  const asked = findRefund(deps.db, refundId);
  if (!asked) return failure("not_found", "There is no such refund.");
  const refusal = refuseSettling(asked, deps.now());
  if (refusal) return refusal;
  const { paymentId, way, amountPaise: wanted } = asked;
  if (way !== "by_hand" && !(await followPayment(deps, paymentId))) return CANNOT_SEE;
  return change(deps, actor, ({ tx, now, log }) => {
    const refund = findRefund(tx, refundId)!;
    // What was read may have told of it, and the queue may have taken it meanwhile.
    if (refund.state === "superseded" || refund.amountPaise !== wanted) return WENT_BACK;
    const late = refuseSettling(refund, now);
    if (late) return late;
    const { appointmentId, amountPaise, keyGeneration: generation } = refund;
    updateRefund(tx, refundId, {
      // Of the provider's it is none any more: it comes on top of what went back there.
      ...newTry(refund),
      keyGeneration: generation,
      ...{ way: "by_hand", state: "processed", settledAt: now, reference: reference || null },
      ...{ nextTryAt: null, leaseUntil: null, updatedAt: now },
    });
    const note = issueCreditNote(tx, findRefund(tx, refundId)!, now);
    queueMessages(tx, deps.env, now, {
      ...{ type: "refund_accepted", refundId, generation, paymentId, amountPaise },
      ...{ way: "by_hand", credited: note !== null },
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

/** Of a refund whose last try had no answer the fate is not known. */
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
const CANNOT_SEE = failure(
  "stale",
  "The payment provider cannot be read right now, so nobody can tell whether it has paid this refund. Please do not pay it by hand yet, and try again in a few minutes.",
);

const WENT_BACK = failure(
  "stale",
  "Some or all of this money went back from the payment provider’s dashboard. Please look again: what is still owed, if anything, stands there.",
);
