/** Money that no appointment knows: the admin sends it back or says what it was for. */
import { NO_APPOINTMENT } from "#app/booking/change-rules.ts";
import { confirmAppointment } from "#app/booking/confirm-appointment.server.ts";
import { SLOT_TAKEN, takeForGood, timeLeft } from "#app/booking/take-time.server.ts";
import { change } from "#app/core/change.server.ts";
import type { Deps } from "#app/core/deps.server.ts";
import type { Actor } from "#app/model/actor.ts";
import { type Appointment, isPaid } from "#app/model/appointment.ts";
import { formatRupees, moneyOf, rupeesOf, sameMoney } from "#app/model/money.ts";
import { type Failure, failure, type Outcome, success } from "#app/model/outcome.ts";
import type { Db } from "#db/connection.server.ts";
import { findAppointment } from "#db/queries/appointments.server.ts";
import {
  findPayment,
  findRefund,
  type Payment,
  type StoredRefund,
  updatePayment,
} from "#db/queries/payments.server.ts";
import { wantRefund } from "#db/queries/refund-wish.server.ts";

type UnmatchedDeps = Pick<Deps, "db" | "env" | "now" | "wake">;

/** Null refund: all of it had gone back already. Refusals: `not_found`, `stale` (settled already). */
export function refundUnmatched(
  deps: UnmatchedDeps,
  actor: Actor,
  paymentId: string,
): Outcome<{ refund: StoredRefund | null }> {
  return change(deps, actor, ({ tx, now, log }) => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    const amountPaise = found.value.amountPaise - found.value.refundedPaise;
    const wish = { paymentId, appointmentId: null, amountPaise, reason: "unmatched" as const };
    const refundId = wantRefund(tx, wish, now);
    updatePayment(tx, paymentId, { outcome: "returned", updatedAt: now });
    log("unmatched_refund", paymentId, { after: { refund: rupeesOf(amountPaise) } });
    return success({ refund: refundId === null ? null : findRefund(tx, refundId) });
  });
}

/**
 * Lets the payment pay a pending appointment, as if it had come for it. Refusals: `not_found`,
 * `stale` (settled already), `already_paid`, `already_cancelled`, `amount_mismatch`, `slot_taken`.
 */
export function assignUnmatched(
  deps: UnmatchedDeps,
  actor: Actor,
  paymentId: string,
  appointmentId: string,
): Outcome<Appointment> {
  return change(deps, actor, ({ tx, now, log }) => {
    const found = requireUnmatched(tx, paymentId);
    if (!found.ok) return found;
    const appointment = findAppointment(tx, appointmentId);
    if (!appointment) return NO_APPOINTMENT;
    const refusal = refuseAssignment(appointment, found.value);
    if (refusal) return refusal;
    const isGone = timeLeft(tx, appointment, now) === "gone";
    if (isGone || !takeForGood(tx, appointment, now)) return SLOT_TAKEN;
    updatePayment(tx, paymentId, {
      outcome: "assigned",
      appointmentId,
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

function refuseAssignment(appointment: Appointment, payment: Payment): Failure | null {
  if (isPaid(appointment)) return failure("already_paid", "This appointment is paid already.");
  if (appointment.status === "cancelled") {
    return failure("already_cancelled", "This appointment is cancelled already.");
  }
  const left = payment.amountPaise - payment.refundedPaise;
  if (!sameMoney({ ...payment, amountPaise: left }, moneyOf(appointment.price.totalPaise))) {
    return failure(
      "amount_mismatch",
      `The payment is ${formatRupees(left)}, the appointment costs ${formatRupees(appointment.price.totalPaise)}.`,
    );
  }
  return null;
}
