/** Money that belongs to no appointment: the admin refunds it or assigns it to one. */
import { keptOf } from "#app/booking/cancel-and-refund.server.ts";
import {
  confirmAppointment,
  refuseStatus,
  TIME_GONE,
} from "#app/booking/confirm-appointment.server.ts";
import { takeForGood, timeLeft } from "#app/booking/take-time.server.ts";
import { change } from "#app/core/change.server.ts";
import type { ChangeDeps, Deps } from "#app/core/deps.server.ts";
import { ProviderError } from "#app/core/services.ts";
import type { Actor } from "#app/model/actor.ts";
import type { Appointment } from "#app/model/appointment.ts";
import { isUndecided } from "#app/model/dispute.ts";
import {
  CURRENCY,
  formatMoney,
  formatRupees,
  moneyOf,
  rupeesOf,
  sameMoney,
} from "#app/model/money.ts";
import {
  type Failure,
  failure,
  NO_APPOINTMENT,
  type Outcome,
  success,
} from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findPayment,
  type Payment,
  type StoredRefund,
  updatePayment,
} from "#db/queries/payments.server.ts";
import {
  type LikelyBooking,
  listDisputesOfPayment,
  listLikelyBookings,
  wantRefund,
} from "#db/queries/refunds.server.ts";
import { applyReports, NO_PAYER, readPayment } from "./payment-report.server.ts";

/**
 * `refund` is null if all was refunded already. Refusals: `not_found`, `stale` (settled, or disputed
 * while the form without a warning was read).
 */
export function refundUnmatched(
  deps: ChangeDeps,
  actor: Actor,
  paymentId: string,
  isWarned = true,
): Outcome<{ refund: StoredRefund | null }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    if (!isWarned && listDisputesOfPayment(tx, paymentId).some(isUndecided)) return DISPUTED;
    const refund = wantRefund(
      tx,
      { paymentId, appointmentId: null, reason: "unmatched", amountPaise: "all" },
      now,
    );
    updatePayment(tx, paymentId, { outcome: "returned", ...NO_PAYER, updatedAt: now });
    const rupees = { refund: rupeesOf(refund?.amountPaise ?? 0) };
    log("unmatched_refund", paymentId, { after: found.value.currency === CURRENCY ? rupees : {} });
    return success({ refund });
  });
}

/**
 * Pays a pending appointment with the payment. It is read at the provider first: what was refunded
 * before is not part of the appointment's money. Refusals: `not_found`, `stale` (settled already),
 * `already_paid`, `already_cancelled`, `amount_mismatch`, `slot_taken`, `provider_unavailable`.
 */
export async function assignUnmatched(
  deps: Deps,
  actor: Actor,
  paymentId: string,
  appointmentId: string,
): Promise<Outcome<Appointment>> {
  const known = requireUnmatched(deps.db, paymentId);
  if (!known.ok) return known;
  try {
    applyReports(deps, [await readPayment(deps, paymentId)]);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    // If the provider does not know it, the stored record counts.
    if (error.fault !== "rejected") return PROVIDER_UNREADABLE;
  }
  return change(deps, actor, ({ tx, now, log }) => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    const appointment = findAppointment(tx, appointmentId);
    if (!appointment) return NO_APPOINTMENT;
    const refusal = refuseAssignment(tx, appointment, found.value, now);
    if (refusal) return refusal;
    if (!takeForGood(tx, appointment, now)) return TIME_GONE;
    updatePayment(tx, paymentId, {
      outcome: "assigned",
      appointmentId,
      ...NO_PAYER,
      updatedAt: now,
    });
    const confirmed = confirmAppointment(tx, deps, appointment, paymentId, now);
    log("unmatched_assign", appointmentId, {
      before: { status: appointment.status },
      after: { status: confirmed.status, paymentId },
    });
    return success(confirmed);
  });
}

function requireUnmatched(tx: Db, paymentId: string): Outcome<Payment> {
  const payment = findPayment(tx, paymentId);
  if (!payment) return failure("not_found", "There is no such payment.");
  if (payment.outcome !== "unmatched") {
    return failure("stale", "This payment was dealt with meanwhile.");
  }
  return success(payment);
}

const DISPUTED = failure(
  "stale",
  "The customer’s bank disputes this payment meanwhile. Please read what that means, and decide anew.",
);

/** Why the payment cannot pay the appointment, or null if it can. */
export function refuseAssignment(
  db: Db,
  appointment: Appointment,
  payment: Payment,
  now: number,
): Failure | null {
  const closed = refuseStatus(appointment);
  if (closed) return closed;
  const left = { ...payment, amountPaise: keptOf(db, payment) };
  if (!sameMoney(left, moneyOf(appointment.price.totalPaise))) {
    return failure(
      "amount_mismatch",
      `The payment is ${formatMoney(left)}, the appointment costs ${formatRupees(appointment.price.totalPaise)}.`,
    );
  }
  const time = timeLeft(db, appointment, now);
  return time === "gone" || time === "begun" ? TIME_GONE : null;
}

/** How many bookings are offered, and how many are checked for it. */
const MOST_LIKELY = 5;
const MOST_LOOKED_AT = 20;

/** The bookings that the payment may have been meant for and can pay, likeliest first. */
export function likelyBookings(db: Db, payment: Payment, now: number): LikelyBooking[] {
  const { payerEmail: email, payerPhone: phone } = payment;
  const wanted = {
    email,
    phone,
    amountPaise: keptOf(db, payment),
    at: payment.paidAt ?? payment.capturedAt ?? payment.createdAt,
  };
  return listLikelyBookings(db, wanted, { now, limit: MOST_LOOKED_AT })
    .filter(({ appointment }) => refuseAssignment(db, appointment, payment, now) === null)
    .slice(0, MOST_LIKELY);
}

const PROVIDER_UNREADABLE = failure(
  "provider_unavailable",
  "The payment provider does not answer right now. Please try again in a few minutes.",
);
