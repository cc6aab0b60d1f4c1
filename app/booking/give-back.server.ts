/** Money of a paid booking that goes back, whole or in part. */
import type { Env } from "#app/core/env.server.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { formatRupees } from "#app/model/money.ts";
import { type Failure, invalid } from "#app/model/outcome.ts";
import { leftOf } from "#app/model/refund.ts";
import { queueMessages } from "#app/notifications/queue.server.ts";
import type { Db } from "#db/connection.server.ts";
import {
  findPayment,
  listRefundsOfPayment,
  type StoredRefund,
} from "#db/queries/payments.server.ts";
import { type WantedRefund, wantRefund } from "#db/queries/refunds.server.ts";

/** What of a booking's payment can go back, in paise. */
export function keptOf(db: Db, { paymentId }: Pick<Appointment, "paymentId">): number {
  const payment = paymentId ? findPayment(db, paymentId) : null;
  return payment ? Math.max(0, leftOf(payment, listRefundsOfPayment(db, payment.paymentId))) : 0;
}

/**
 * Wants so much back of what is kept. The provider sends it; money that came in outside waits for a
 * person, who is written to. Null if it is nothing.
 */
export function giveBack(
  tx: Db,
  env: Env,
  { id: appointmentId, paymentId }: Appointment,
  wanted: Pick<WantedRefund, "amountPaise" | "reason" | "note">,
  now: number,
): StoredRefund | null {
  if (!paymentId) return null;
  const refund = wantRefund(tx, { ...wanted, paymentId, appointmentId }, now);
  if (refund?.way === "by_hand") {
    const { id: refundId, keyGeneration: generation, amountPaise, way } = refund;
    queueMessages(tx, env, now, {
      ...{ type: "refund_needs_person", refundId, generation, paymentId, appointmentId },
      ...{ amountPaise, way, error: null },
    });
  }
  return refund;
}

/** The provider's least amount. */
const LEAST_PAISE = 100;

/** Refuses a part that nobody can pay back, or that leaves what nobody can pay back later. */
export function refusePart(amountPaise: number, keptPaise: number): Failure | null {
  const most = formatRupees(keptPaise);
  const rest = keptPaise - amountPaise;
  const fault =
    keptPaise === 0
      ? "Nothing is kept of this booking any more"
      : amountPaise < LEAST_PAISE
        ? `Please enter at least ${formatRupees(LEAST_PAISE)}`
        : rest < 0
          ? `Please enter at most ${most}: that is what is kept`
          : rest > 0 && rest < LEAST_PAISE
            ? `Please leave nothing, or at least ${formatRupees(LEAST_PAISE)}: ${most} is kept`
            : null;
  return fault === null ? null : invalid({ amount: [fault] });
}
